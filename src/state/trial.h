#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "state/cluster.h"

namespace fairlead::state {

// A what-if on the live state: everything done through it is undone when it goes, unless it was
// committed. It costs what it touches; nothing is copied.
//
//   Trial trial(cluster);
//   trial.Evict(victim);
//   trial.Put(pod, node, When::kLater);
//   if (good) trial.Commit();
//
// REQUIRES: trials nest like scopes; nothing else changes the cluster meanwhile.
class Trial {
 public:
  explicit Trial(Cluster& cluster) : cluster_(cluster) {}
  ~Trial() { UndoTo(0); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // A waiting pod on a node: now, or as a claim on what is free later.
  void Put(PodId p, NodeId n, When when);
  // The same for a pod that does not exist yet. `index`: which of its set's it is; −1: any.
  PodId PutExpected(WorkloadId w, std::uint16_t pod_set, NodeId n, When when,
                    std::int32_t index = -1);
  void Evict(PodId p);
  void Unevict(PodId p);  // REQUIRES: evicted, by this trial or before
  void Release(PodId p);  // a claim is given up

  std::size_t Mark() const { return log_.size(); }
  void UndoTo(std::size_t mark);  // newest first
  void Commit() { log_.clear(); }

  // What was done so far, in order.
  enum class Act : std::uint8_t { kPut, kPutExpected, kEvict, kUnevict, kRelease };
  struct Step {
    Act act = Act::kPut;
    PodId pod;
    NodeId node;
    std::uint32_t slot = 0;   // kRelease: where the claim stood
    std::int8_t device = -1;  // likewise
  };
  const std::vector<Step>& steps() const { return log_; }

 private:
  Cluster& cluster_;
  std::vector<Step> log_;
};

}  // namespace fairlead::state
