#pragma once

#include <cstdint>
#include <span>

#include "state/sums.h"

namespace fairlead::state {

// Where a pod stands: at which place among its node's pods, on which device.
struct Stand {
  NodeId node;
  std::uint32_t slot = 0;
  std::int8_t device = -1;  // of a share of a GPU
};

// All that a decision does to the state, and its undoing.
class Decisions {
 public:
  Decisions(Tables& tables, Sums& sums) : t_(tables), sums_(sums) {}

  void Put(PodId p, NodeId n, Placement placement);
  // A claim that was unplaced stands again just as it stood: on that device, at that place among
  // the node's pods.
  void ClaimAgain(PodId p, const Stand& stood);
  void Unplace(PodId p);
  void SetAside(PodId p);
  void Evict(PodId p);
  void Unevict(PodId p);
  PodId AddExpected(WorkloadId w, std::uint16_t pod_set, std::int32_t index);
  void RemoveExpected(PodId p);
  // Room for a pod of nobody's yet, that counts in the queue: a claim by a workload of that name,
  // which is there as long. REQUIRES: the node exists; the name is nobody's.
  PodId HoldLanding(std::string name, QueueId q, const NeedsPtr& needs, NodeId n);
  void SetBeyondLine(WorkloadId w, bool beyond);
  void SetCounts(WorkloadId w, std::span<const std::int32_t> counts);
  void SetPlaceable(ShapeId s, bool placeable);

  // A pod as a member of its workload.
  void Join(PodId p);
  void Leave(PodId p);

 private:
  void BeginStand(PodId p, Placement placement);
  void CountStand(PodId p);

  Tables& t_;
  Sums& sums_;
};

}  // namespace fairlead::state
