#pragma once

#include <cstdint>

#include "state/cluster.h"

namespace fairlead::policy {

// Whose turn it is among siblings (semantics.md §3): a queue judged by its best workload. Smaller
// goes first. A key is made of the queue's figures at that moment; make it anew when they change.
struct QueueTurn {
  bool below_fair_share = false;  // in some resource that the workload asks
  bool within_guarantee =
      false;  // with the workload, in all it asks that are guaranteed in the tree
  std::int32_t priority = 0;
  // The dominant share with this workload: allocated + request over fair share, as a fraction.
  std::int64_t share_numerator = 0;
  std::int64_t share_denominator = 1;  // 0: more than any share
  Time created;
  const std::string* name = nullptr;
};

// a/b < c/d for amounts ≥ 0; a denominator of 0 stands for infinity.
bool LessShare(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d);

// REQUIRES: fair shares are up to date. `request`: all that the workload would place at once.
QueueTurn TurnOf(const state::QueueTree& queues, state::QueueId q, const state::Amounts& request,
                 const state::ResourceTable& resources);

bool GoesFirst(const QueueTurn& a, const QueueTurn& b);

// When it is the turn of work of one priority: the least first. With order Created since when it
// waits, as far as its object says: its creation. With ShortestFirst, whose pace is `ageing`, also
// by how long it runs (time.md §5.5), in fixed point: work of 2 h goes as if it had come `ageing`
// after work of 1 h, of 30 min as long before it. Work that says nothing takes as long as its
// queue's does in the median, or 1 h.
Time ServedAt(const state::Cluster& cluster, state::WorkloadId w);

// Of work that waits, or claims room: by priority, ServedAt and name.
bool IsServedFirst(const state::Cluster& cluster, state::WorkloadId a, state::WorkloadId b);

}  // namespace fairlead::policy
