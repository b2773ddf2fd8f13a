#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/deque.hpp>
#include <boost/container/flat_map.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/name_map.h"
#include "base/rare.h"
#include "state/change.h"
#include "state/demand_terms.h"
#include "state/ids.h"
#include "state/resources.h"

namespace fairlead::state {

// Pods that ask the same of a node. What is decided once for a shape is decided for all its pods.
struct Shape {
  NeedsPtr needs;
  Amounts request;  // what queues count: GPUs as thousandths, `pods: 1`
  Amounts fit;      // what a node must have free: GPUs as whole devices, or as a share of one
  std::int32_t gpu_milli = 0;   // a share of one device; 0: none
  std::int32_t whole_gpus = 0;  // whole devices
  bool asks_gpu = false;
  bool avoids_nodes = false;  // or did: some node refused it (state/node_refusals.h)
  ShapeId id;                 // its own
  Rare<DynamicDemands> dynamic;
  RareOptional<Preferred> preferred;
  // Host names and matchFields do not make node classes: such a shape is judged node by node.
  bool by_node = false;
  std::vector<std::string> only_nodes;  // by_node: the names it can run on; empty: any may match
  NodeId pinned_to;  // of DaemonSets' pods that can run there only; it may have yet to come

  // Whether some node could hold it if that node were empty (kept by the engine, semantics.md §10).
  bool placeable = false;
  // Pods of this shape that are waiting, by queue: they count as requested while it is placeable.
  boost::container::flat_map<QueueId, std::int64_t> waiting;
};

class ShapeTable {
 public:
  ShapeTable(ResourceTable& resources, TermTable& terms, DomainColumns& columns)
      : resources_(resources), terms_(terms), columns_(columns) {}

  // Equal needs give equal ids. Cost: one look-up by pointer for needs that were seen before.
  ShapeId Intern(const NeedsPtr& needs);
  const Shape& operator[](ShapeId id) const { return shapes_[id.value()]; }
  Shape& operator[](ShapeId id) { return shapes_[id.value()]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(shapes_.size()); }

  // Label keys that some shape's selector names, the last to come at the end; they tell node
  // classes apart.
  const std::vector<std::string>& selected_keys() const { return selected_keys_; }
  bool Selects(std::string_view key) const { return is_selected_.contains(key); }

  // Those that came since the last sweep, in that order.
  const std::vector<ShapeId>& made() const { return made_; }

  // A number that no needs have by now, and that is given out again.
  bool IsUnused(ShapeId id) const { return shapes_[id.value()].needs == nullptr; }
  // Whether most of what is kept may be of no pod any more, and that more than `few`: jobs whose
  // pods each ask something of their own come and go.
  bool IsStale(std::size_t few) const { return kept_alive_.size() > 2 * kept_fresh_ + few; }
  // Lets go of all but those, by number. Whoever keeps something by their numbers must let go of
  // it, too. REQUIRES: no pod asks any of the others, and none is to come that does.
  void KeepOnly(const std::vector<bool>& used);
  // How often that was done.
  std::uint32_t sweeps() const { return sweeps_; }

 private:
  ShapeId FindByKey(std::string_view key, std::size_t hash) const;
  Shape Make(const NeedsPtr& needs);
  void NoteKeys(const objects::PodNeeds& needs, Shape& shape);

  ResourceTable& resources_;
  TermTable& terms_;
  DomainColumns& columns_;
  // In blocks of a power of two: rounds look up every shape that waits, and a division each would
  // be a sixth of that.
  boost::container::deque<Shape, void,
                          boost::container::deque_options<boost::container::block_size<64U>>::type>
      shapes_;
  boost::unordered_flat_map<const objects::PodNeeds*, ShapeId> by_pointer_;
  // By the hash of their canonical key, which may be a kilobyte: it is made again to compare.
  std::multimap<std::size_t, ShapeId> by_key_;
  std::vector<NeedsPtr> kept_alive_;  // pointers in by_pointer_ stay unique while we hold them
  std::size_t kept_fresh_ = 0;        // of these, after the last sweep
  std::uint32_t sweeps_ = 0;
  std::vector<ShapeId> made_, unused_;
  std::vector<std::string> selected_keys_;
  boost::unordered_flat_set<std::string, NameHash, std::equal_to<>> is_selected_;
};

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";

}  // namespace fairlead::state
