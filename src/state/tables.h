#pragma once

#include <cstdint>
#include <memory>

#include <boost/unordered/unordered_flat_map.hpp>

#include "objects/objects.h"
#include "state/attachments.h"
#include "state/budgets.h"
#include "state/demand_counts.h"
#include "state/demand_terms.h"
#include "state/domain_columns.h"
#include "state/domain_trees.h"
#include "state/journal.h"
#include "state/marks.h"
#include "state/node_refusals.h"
#include "state/nodes.h"
#include "state/pods.h"
#include "state/queues.h"
#include "state/reason.h"
#include "state/resources.h"
#include "state/shapes.h"
#include "state/volume_supply.h"
#include "state/windows.h"
#include "state/workloads.h"

namespace fairlead::state {

// Says on which device of a node a share of a GPU is put.
class DeviceChooser {
 public:
  virtual ~DeviceChooser() = default;
  // A device with enough room, as NodeTable::ForEachDevice numbers them; or kBestDevice.
  virtual std::int8_t ChooseDevice(const Shape& shape, NodeId n, Stay stay) = 0;
};

// Which volumes pods take, and whose are attached where.
struct Volumes {
  VolumeSupply supply;
  Attachments attachments;
};

// All that the cluster is, for the parts that keep it: nobody else sees it whole.
struct Tables {
  ResourceTable resources;
  NodeTable nodes{resources};
  TermTable terms;
  DomainColumns columns{nodes};
  DomainTrees trees{nodes};
  DemandCounts demands{terms, columns};
  Volumes volumes{.supply = VolumeSupply(nodes), .attachments = Attachments(nodes, resources)};
  ShapeTable shapes{resources, terms, columns};
  QueueTree queues{resources};
  PodTable pods;
  WorkloadTable workloads;
  BudgetTable budgets;
  WindowTable windows;
  boost::unordered_flat_map<std::uint32_t, Reason> pod_holds;
  std::shared_ptr<const objects::SchedulerConfiguration> configuration =
      std::make_shared<objects::SchedulerConfiguration>();
  NodeRefusals refusals;
  Journal journal;
  Marks marks;
  DeviceChooser* device_chooser = nullptr;
  std::uint32_t next_ticket = 1;
};

}  // namespace fairlead::state
