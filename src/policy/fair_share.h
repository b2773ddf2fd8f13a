#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/wide_int.h"
#include "state/queues.h"

namespace fairlead::policy {

// What one child asks of its parent's amount of one resource (semantics.md §2). Amounts in the
// resource's unit.
struct Sharer {
  std::int64_t guaranteed = 0;
  std::int64_t requestable = 0;  // min(limit, requested)
  std::int64_t weight_milli = 1000;
  std::int32_t priority = 0;
  Time created;
  const std::string* name = nullptr;  // ends every tie
  WideInt used = 0;                   // over time; only UsageWeights looks at it
  std::int64_t share = 0;             // the answer
};

// Divides `amount` among the sharers: guarantees first (even beyond `amount`), then bands of
// priority by weighted water-filling, rounded once to whole `unit`s by largest remainder, then age,
// then name. No share exceeds its requestable.
// Cost: O(n) when everybody gets what they ask, else O(n log n).
void Divide(std::int64_t amount, std::int64_t unit, std::span<Sharer> sharers);

// The children of one parent, as they share a resource: by what they are, and what they used.
std::vector<Sharer> SharersOf(const state::QueueTree& queues, state::QueueId parent,
                              state::ResourceId r);

// Brings the fair share of every queue up to date: the root's is the capacity, and each queue's is
// divided among its children. Returns whether any was set to another than before.
// Where usage over time counts it is divided by weights that follow it (policy/usage_weight.h), and
// once more by those of the queues (Figure::kPlainShare).
// Cost: O(changed queues × depth) where no level moves; only parents whose level moves are divided.
// Where usage counts, all parents of changed queues are; all of the tree where a minute has passed.
bool UpdateFairShares(state::QueueTree& queues, const state::ResourceTable& resources);

}  // namespace fairlead::policy
