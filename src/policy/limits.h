#pragma once

#include <optional>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

// A queue's rule that `request` would break.
struct LimitBreach {
  state::ReasonCode code = state::ReasonCode::kQueueLimit;  // or kNonPreemptibleOverGuarantee
  state::QueueId queue;
  state::ResourceId resource;
  std::int64_t requested = 0;
  std::int64_t available = 0;  // what is left under the rule, at least 0
};

// Whether `request`, placed in `leaf`, keeps every rule on the way to the root (semantics.md §3):
// allocated + request ≤ limit, and for work that is not preemptible, non-preemptible + request ≤
// guaranteed in each asked resource that is guaranteed in the tree. The first breach from the leaf
// up, or none.
//   kLater: what is claimed is allocated, what is leaving is not: whether it may have room at all.
//   kNow:   what is leaving counts still, what is claimed not yet: whether it may be placed. No
//           limit is passed, not while victims end either: until then it waits with a claim.
std::optional<policy::LimitBreach> FirstBreach(const state::QueueTree& queues, state::QueueId leaf,
                                               const state::Amounts& request, bool preemptible,
                                               state::When when = state::When::kLater);

// Whether every queue on the way to the root is within its limits in the resources of `asked`, with
// `more` on top of what is allocated.
bool WithinLimits(const state::QueueTree& queues, state::QueueId leaf, const state::Amounts& asked,
                  const state::Amounts& more);

// All breaches, for explanations.
std::vector<policy::LimitBreach> AllBreaches(const state::QueueTree& queues, state::QueueId leaf,
                                             const state::Amounts& request, bool preemptible);

}  // namespace fairlead::policy
