#pragma once

#include "state/cluster.h"

namespace fairlead::state {

// While it lives, what a workload's pods claim counts in favour of its own pods, as if they were
// there already: they are placed together, and may demand each other.
//
// REQUIRES: of several, the one that was made last goes first.
class Favour {
 public:
  Favour(Cluster& cluster, WorkloadId w) : cluster_(cluster), was_(cluster.demands().favoured()) {
    Set(w);
  }
  ~Favour() { Set(was_); }
  Favour(const Favour&) = delete;
  Favour& operator=(const Favour&) = delete;

 private:
  void Set(WorkloadId w);

  Cluster& cluster_;
  WorkloadId was_;
};

}  // namespace fairlead::state
