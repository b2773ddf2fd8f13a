#pragma once

#include <cstddef>
#include <vector>

#include "state/cluster.h"

namespace fairlead::state {

// A what-if on the live state: everything done through it is undone when it goes, unless it was
// committed. It costs what it touches; nothing is copied.
//
//   Trial trial(cluster);
//   trial.Place(pod, node);
//   if (good) trial.Commit();
//
// REQUIRES: trials nest like scopes; nothing else changes the cluster meanwhile.
class Trial {
 public:
  explicit Trial(Cluster& cluster) : cluster_(cluster) {}
  ~Trial() { UndoTo(0); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  void Place(PodId p, NodeId n);
  // Room on `n` for a pod that does not exist yet.
  PodId PlaceExpected(WorkloadId w, std::uint16_t pod_set, NodeId n);

  std::size_t Mark() const { return log_.size(); }
  void UndoTo(std::size_t mark);  // newest first
  void Commit() { log_.clear(); }

  // What was placed so far, in order.
  struct Step {
    PodId pod;
    NodeId node;
  };
  const std::vector<Step>& steps() const { return log_; }

 private:
  Cluster& cluster_;
  std::vector<Step> log_;
};

}  // namespace fairlead::state
