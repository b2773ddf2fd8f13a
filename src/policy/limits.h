#pragma once

#include <optional>
#include <string>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

// A rule that `request` would break: of a queue, or of a queue for a user or group.
struct LimitBreach {
  // kQueueLimit, kNonPreemptibleOverGuarantee, kUserLimit or kNotLent.
  state::ReasonCode code = state::ReasonCode::kQueueLimit;
  state::QueueId queue;
  state::ResourceId resource;  // invalid: of a user, how many workloads run
  std::int64_t requested = 0;
  std::int64_t available = 0;  // what is left under the rule, at least 0
  state::AccountId account;    // kUserLimit: whose
  std::int64_t kept = 0;       // kNotLent: of what is free, for those of `queue` who are due it
  bool by_user() const { return account.valid(); }
  bool not_lent() const { return code == state::ReasonCode::kNotLent; }
};

// Whether `request` of the workload, placed, keeps every rule on the way to the root: of its user
// and groups (time.md §7), max and running, and of queues (semantics.md §3) allocated + request ≤
// limit, and for work that is not preemptible, non-preemptible + request ≤ guaranteed in each asked
// resource that is guaranteed in the tree; and what queues do not lend (Lends) stays free. The
// first breach, of users before queues', from the leaf up, what is not lent last; or none. Nobody
// is asked to give way for a limit of users, whatever else stands in the way.
//   kLater: what is claimed is allocated, what is leaving is not: whether it may have room at all.
//   kNow:   what is leaving counts still, what is claimed not yet: whether it may be placed. No
//           limit is passed, not while victims end either: until then it waits with a claim.
// Cost: with 100,000 users as with one: a look at each limit on the way.
std::optional<policy::LimitBreach> FirstBreach(const state::Cluster& cluster, state::WorkloadId w,
                                               const state::Amounts& request,
                                               state::When when = state::When::kLater);

// Whether of what stays idle enough is left to those who are due it (time.md §5.4): with `more` of
// the workload on top of what is allocated, where that goes beyond its leaf's guarantee in some
// resource of `asked`, of each queue on the way up that lends less than all
//   capacity − allocated ≥ (100 − lend) % × Σ max(0, guaranteed − allocated) of its other leaves.
// Trusted pods of DaemonSets and what a running gang's minimum lacks are no starts. Nothing is lent
// anew of what it asks no more than has `gone` for it.
bool Lends(const state::Cluster& cluster, state::WorkloadId w, const state::Amounts& asked,
           const state::Amounts& more, const state::Amounts& gone);

// Whether every queue on the way to the root is within its limits in the resources of `asked`, with
// `more` on top of what is allocated.
bool WithinLimits(const state::QueueTree& queues, state::QueueId leaf, const state::Amounts& asked,
                  const state::Amounts& more);

// Whether everybody in whose name the workload counts is within the limits of users. What it claims
// is counted already.
bool WithinUserLimits(const state::Cluster& cluster, state::WorkloadId w);

// Adds what must leave at least before that holds, by resource; nothing: it holds.
void AddNotLent(const state::Cluster& cluster, state::WorkloadId w, const state::Amounts& request,
                state::Amounts& lacks);

// For sentences: what is kept, and what of it is left and asked. Of a breach by what is not lent.
std::string NotLentText(const state::Cluster& cluster, const LimitBreach& breach);

// All breaches, for explanations.
std::vector<policy::LimitBreach> AllBreaches(const state::Cluster& cluster, state::WorkloadId w,
                                             const state::Amounts& request);

}  // namespace fairlead::policy
