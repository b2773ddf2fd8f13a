#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/scheduler.h"
#include "state/reason.h"

// A plan with its names: what is printed, and what writers and the virtual cluster carry out.

namespace fairlead::engine {

struct PodSetCount {
  std::string name;
  std::int32_t count = 0;
  std::int32_t asked = 0;       // 0: not told; else ≥ count
  objects::ResourceList usage;  // what its pods ask together, as queues count it; `pods` left out
};

// A claim, and the volume that it gets; empty: one that is made.
struct VolumeToBind {
  std::string claim, volume;
  bool operator==(const VolumeToBind&) const = default;
};

struct DecisionReport {
  DecisionType type = DecisionType::kBind;
  std::string pod;  // "namespace/name"
  std::string node;
  std::string workload;  // "namespace/name"
  std::int32_t gpu_device = -1;
  std::vector<VolumeToBind> volumes;  // Bind: claims that are bound for the node before it is
  std::string action;                 // Evict: policy::RoomAction
  // Evict, Land: "for" whom; Lend: whose room, empty: no more.
  std::string beneficiary;
  std::string reason;         // Evict; Admit: why fewer pods than were asked
  bool least_proven = true;   // Evict: no cheaper victims would have served
  bool fewest_proven = true;  // Evict: none that stop fewer workloads would have
  bool past_budgets = false;  // Evict: a budget of its is short, and does not bind for it
  Duration max_grace;         // Evict: its own grace period, and at most this
  std::int32_t stops = 0;     // Evict: so often its workload is stopped with this; 0: not counted
  bool was_on_loan = false;   // Evict: it ran in room that was kept for the beneficiary
  bool by_itself = false;     // Evict, Reserve, Land, Lend: the pod is a workload of its own
  bool at_limit = false;      // Evict: it ran as long as it may …
  bool waits_again = false;   // … and waits again; else it is kept out
  std::vector<std::string> waiting_for;  // Nominate
  std::vector<PodSetCount> pod_sets;     // Admit
  std::optional<Time> since;             // Reserve: since when the node counts as reserved
  // Reserve for a workload: from when on, if that is known, and where; on no nodes: none any more.
  // Lend: from when on it gives way.
  std::optional<Time> at;
  std::vector<std::string> nodes;
  objects::Landings landings;  // Land for a workload: all that is held for those who moved for it
  std::vector<std::int32_t> pods_on;  // … how many of its pods on each; empty: it is one
};
std::string_view ToString(DecisionType type);

// In the order of deciding. There may be ten thousand, of half a kilobyte each: who carries them
// out gives them up one by one.
using DecisionReports = std::deque<DecisionReport>;

// A running gang below its minimum that is to be stopped, unless the pods that it lacks can be
// placed.
struct BrokenReport {
  std::string workload;
  Time since;
  std::string action;  // by which it will be: "StaleGang", "TopologyBroken"
};
std::vector<BrokenReport> ReportBroken(const Scheduler& scheduler);  // by name

struct PendingReport {
  std::string workload;
  std::string queue;
  std::vector<state::Reason> reasons;
  // By the expected ends of what runs there is room for it then, when these have ended; of Explain
  // alone.
  struct Room {
    Time at;
    std::set<std::string> ended;  // workloads
  };
  std::optional<Room> room;
  std::optional<objects::Reservation> reservation;  // room that is kept for it
};

// Resource name → canonical quantity, sorted by name.
using Quantities = std::vector<std::pair<std::string, std::string>>;

struct QueueReport {
  std::string name, parent;
  Quantities guaranteed, limit, requested, allocated, fair_share;
  Quantities borrowed, lent;  // of ReportShares (policy/lending.h)
  // What it used over time, in amounts × seconds, as of whole minutes; absent: that is not kept.
  std::optional<Time> usage_at;
  Quantities usage;
  // Of ReportShares, by resource: what that makes of its weight (policy/usage_weight.h), as
  // decimals. Empty: usage decides nothing.
  struct Weight {
    std::string resource, of_weights, of_usage, weight;
  };
  std::vector<Weight> weights;
  std::optional<Duration> median_duration;  // of what succeeded, as the cluster shows it
  std::int32_t pending_workloads = 0, running_workloads = 0;
  std::string not_ready;     // ParentNotFound, ParentCycle; empty: Ready
  std::string derived_from;  // "ElasticQuota a/q", "ClusterQueue a", …; empty: of a Queue
};

// What a user or a group has under one limit of a queue (time.md §7).
struct UserReport {
  std::string name, queue;
  bool is_group = false;
  Quantities max, allocated;  // of the resources that it limits
  std::optional<std::int32_t> max_running, max_waiting;
  std::int32_t running = 0, waiting = 0;  // workloads
  std::int32_t beyond = 0;                // that may not even wait
};

struct PlanReport {
  Time now;
  std::optional<Time> next_round;
  std::string digest;
  DecisionReports decisions;
  std::vector<PendingReport> pending;  // by queue order of the tree, then workload name
  std::vector<QueueReport> queues;     // parents before children, siblings by name
};

DecisionReports ReportDecisions(const Scheduler& scheduler, const Plan& plan);
std::vector<PendingReport> ReportPending(const Scheduler& scheduler, Time now);
std::vector<QueueReport> ReportQueues(const Scheduler& scheduler);
std::vector<QueueReport> ReportShares(const Scheduler& scheduler);  // with borrowed and lent
// By name, users before groups, then by queue and limit.
std::vector<UserReport> ReportUsers(const Scheduler& scheduler);
PlanReport Report(const Scheduler& scheduler, const Plan& plan);
// For who has the plan's decisions by name already.
PlanReport Report(const Scheduler& scheduler, const Plan& plan, DecisionReports decisions);

// Why `workload` ("namespace/name") does not run; empty when it does. Error: no such workload.
Result<PendingReport> Explain(const Scheduler& scheduler, std::string_view workload, Time now);

}  // namespace fairlead::engine
