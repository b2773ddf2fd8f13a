#pragma once

#include <optional>
#include <string>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

// A rule that `request` would break: of a queue, or of a queue for a user or group.
struct LimitBreach {
  // kQueueLimit, kNonPreemptibleOverGuarantee or kUserLimit.
  state::ReasonCode code = state::ReasonCode::kQueueLimit;
  state::QueueId queue;
  state::ResourceId resource;  // invalid: of a user, how many workloads run
  std::int64_t requested = 0;
  std::int64_t available = 0;  // what is left under the rule, at least 0
  state::AccountId account;    // kUserLimit: whose
  bool by_user() const { return account.valid(); }
};

// Whether `request` of the workload, placed, keeps every rule on the way to the root: of its user
// and groups (time.md §7), max and running, and of queues (semantics.md §3) allocated + request ≤
// limit, and for work that is not preemptible, non-preemptible + request ≤ guaranteed in each asked
// resource that is guaranteed in the tree. The first breach, of users before queues', from the leaf
// up, or none. Nobody is asked to give way for a limit of users, whatever else stands in the way.
//   kLater: what is claimed is allocated, what is leaving is not: whether it may have room at all.
//   kNow:   what is leaving counts still, what is claimed not yet: whether it may be placed. No
//           limit is passed, not while victims end either: until then it waits with a claim.
// Cost: with 100,000 users as with one: a look at each limit on the way.
std::optional<policy::LimitBreach> FirstBreach(const state::Cluster& cluster, state::WorkloadId w,
                                               const state::Amounts& request,
                                               state::When when = state::When::kLater);

// Whether every queue on the way to the root is within its limits in the resources of `asked`, with
// `more` on top of what is allocated.
bool WithinLimits(const state::QueueTree& queues, state::QueueId leaf, const state::Amounts& asked,
                  const state::Amounts& more);

// Whether everybody in whose name the workload counts is within the limits of users. What it claims
// is counted already.
bool WithinUserLimits(const state::Cluster& cluster, state::WorkloadId w);

// All breaches, for explanations.
std::vector<policy::LimitBreach> AllBreaches(const state::Cluster& cluster, state::WorkloadId w,
                                             const state::Amounts& request);

}  // namespace fairlead::policy
