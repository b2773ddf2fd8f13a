#pragma once

#include "base/time.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What queues used over time (time.md §7), as rounds see it: from one round to the next a queue has
// what the first left it with. What comes between counts from the next on, as nobody tells when.
//
// Cost: nothing where the configuration has no `usage`; else a copy of what queues have each round,
// and the pods of the cluster when a queue is first seen.
class UsageOverTime {
 public:
  explicit UsageOverTime(state::Cluster& cluster) : cluster_(cluster) {}

  // The configuration is another.
  void Configure();
  // Up to now queues had what they had after the last round. A queue that is new begins with what
  // the cluster shows of it, and what its pods had since. REQUIRES: the queues are settled.
  void PassTo(Time now);
  // From now on they have what they have. After all that a round decides.
  void Charge();

 private:
  void BeginNew();

  state::Cluster& cluster_;
};

}  // namespace fairlead::engine
