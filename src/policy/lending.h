#pragma once

#include <cstdint>
#include <vector>

#include "state/queues.h"

namespace fairlead::policy {

// Beyond guarantees, in one resource (docs/elastic-quota.md):
//   borrowed  max(0, allocated − guaranteed)
//   lent      what of its guarantee it does not use and its siblings do
struct Loan {
  state::QueueId queue;
  std::int64_t borrowed = 0, lent = 0;
};

// Of the children of `parent`, in their order.
//
// - What is not guaranteed to any child is borrowed first: of T, the larger of what the parent is
//   guaranteed (the root: its capacity) and what it has allocated, the part beyond Σ guaranteed.
// - So Σ lent = max(0, Σ borrowed − max(0, T − Σ guaranteed)), divided by what each leaves unused
//   of its guarantee, in whole units (a GPU), rounded as fair shares are.
// - No lent exceeds what is unused. In a resource that no queue is guaranteed there are no loans.
// REQUIRES: the tree is settled. Cost: O(children · log children).
std::vector<Loan> LoansBelow(const state::QueueTree& queues, state::QueueId parent,
                             state::ResourceId r);

}  // namespace fairlead::policy
