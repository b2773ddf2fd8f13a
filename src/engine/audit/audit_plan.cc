// What a plan did, judged by the state that it left: what was evicted is still there, on its way
// out.

#include <algorithm>
#include <map>
#include <set>

#include "engine/audit/audit.h"
#include "engine/audit/auditor.h"
#include "policy/daemon_set.h"
#include "policy/disruption_budget.h"
#include "policy/dynamic_demand.h"
#include "policy/min_runtime.h"
#include "policy/node_fit.h"
#include "policy/windows.h"

namespace fairlead::engine {
namespace {

using state::Figure;
using state::NodeId;
using state::PodId;
using state::QueueId;
using state::ResourceId;
using state::WorkloadId;

class PlanAuditor : Auditor {
 public:
  PlanAuditor(const state::Cluster& cluster, const Plan& plan, std::vector<std::string>& faults)
      : Auditor(&faults), cluster_(cluster), plan_(plan) {
    windows_.CatchUp();
  }

  void Run() {
    for (const Decision& decision : plan_.decisions) {
      const bool places = decision.type == DecisionType::kBind ||
                          (decision.type == DecisionType::kNominate && decision.node.valid());
      if (places && decision.workload.valid()) placed_.insert(decision.workload);
      if (decision.type == DecisionType::kBind) CheckBind(decision);
      if (decision.type == DecisionType::kAdmit) CheckAdmit(decision);
      if (decision.type == DecisionType::kNominate) CheckClaim(decision);
      if (decision.type != DecisionType::kEvict) continue;
      evicted_.insert(decision.pod);
      victims_.emplace(decision.workload, &decision);
    }
    for (const Decision& decision : plan_.decisions) {
      if (decision.type == DecisionType::kEvict) CheckEviction(decision);
    }
    for (const auto& [w, decision] : victims_) CheckVictim(w, *decision);
    CheckSpread();
    for (const WorkloadId w : placed_) CheckTopology(w);
  }

 private:
  // With pods of it placed by this plan, all of a demand's pods are in one domain of its level.
  void CheckTopology(WorkloadId w) {
    if (cluster_.workloads()[w].solo()) return;
    const state::Gang& gang = cluster_.workloads().gang(w);
    for (const state::GangTopology& demand : gang.topology) {
      if (demand.required == state::GangTopology::kNoLevel) continue;
      const state::DomainTree& tree = cluster_.trees()[demand.tree];
      std::set<state::DomainId> domains;
      for (const std::uint16_t set : demand.sets) {
        for (const PodId p : gang.sets[set].pods) {
          const state::Pod& pod = cluster_.pods()[p];
          if (!pod.counts()) continue;
          const bool is_known = tree.LeafOf(pod.node).valid();
          domains.insert(is_known ? tree.Of(pod.node, demand.required) : state::DomainId());
        }
      }
      const bool named =
          domains.size() == 1 && domains.begin()->valid() && tree[*domains.begin()].named;
      if (!domains.empty() && !named) {
        Fault("the pods of workload {} are not in one domain of {}", cluster_.NameOf(w),
              tree.levels()[static_cast<std::size_t>(demand.required)]);
      }
    }
  }

  void CheckBind(const Decision& decision) {
    const state::Shape& shape = cluster_.shapes()[cluster_.pods()[decision.pod].shape];
    if (!policy::FitsClass(cluster_, shape, decision.node) ||
        policy::AvoidsNode(cluster_, shape, decision.node)) {
      Fault("pod {} was bound to a node that does not suit it", cluster_.pods().name(decision.pod));
    }
    CheckOthers(decision);
    CheckLimits(decision.workload, shape);
    CheckStart(decision.workload);
    CheckClosed(decision);
  }

  // What starts by this plan does not stand where a window closes the node to it.
  void CheckClosed(const Decision& decision) {
    const state::Pod& pod = cluster_.pods()[decision.pod];
    const state::Workload& workload = cluster_.workloads()[decision.workload];
    const bool starts = workload.solo() || workload.start == plan_.now;
    if (!starts || pod.of_daemon_set()) return;
    if (windows_.IsClosed(decision.node,
                          policy::Windows::StartOf(cluster_, decision.workload, plan_.now))) {
      Fault("pod {} was started on a node that a window closes",
            cluster_.pods().name(decision.pod));
    }
  }

  // Room that was promised since does not count against it, nor who has made its spread uneven, nor
  // who came elsewhere after the first of a series.
  void CheckOthers(const Decision& decision) {
    const state::Pod& pod = cluster_.pods()[decision.pod];
    const state::Shape& shape = cluster_.shapes()[pod.shape];
    if (shape.dynamic->empty() || !pod.placed()) return;
    bool refused = false;
    policy::ForEachInTheWay(cluster_, shape, pod.node, [&](PodId other) {
      refused |= other != decision.pod && !cluster_.pods()[other].claims();
    });
    const bool attracted = shape.dynamic->first_of_series ||
                           policy::IsAttractedPlaced(cluster_, decision.pod, state::When::kNow);
    const auto& wishes = shape.needs->rare->volume_wishes;
    if (!cluster_.volumes().supply.IsServed(decision.pod, wishes, pod.node)) {
      Fault("pod {} was bound where it cannot have its volumes",
            cluster_.pods().name(decision.pod));
    }
    if (refused || !attracted) {
      Fault("pod {} was bound against what it demands of others, or they of it",
            cluster_.pods().name(decision.pod));
    }
  }

  // Bound one after the other, as they are listed, each of the plan's pods keeps its spread: taken
  // away from the last to the first. Not judged where others leave or are promised room in between.
  void CheckSpread() {
    const auto spreads = [this](const Decision& each) {
      return each.type == DecisionType::kBind && !ShapeOf(each.pod).dynamic->spread.empty();
    };
    const auto moves_others = [this](const Decision& each) {
      return each.type != DecisionType::kBind &&
             (each.type != DecisionType::kAdmit || HoldsRoom(each.workload));
    };
    if (std::ranges::none_of(plan_.decisions, spreads) ||
        std::ranges::any_of(plan_.decisions, moves_others)) {
      return;
    }
    state::DemandCounts counts = cluster_.demands();
    for (auto each = plan_.decisions.rbegin(); each != plan_.decisions.rend(); ++each) {
      if (each->type != DecisionType::kBind) continue;
      const state::Pod& pod = cluster_.pods()[each->pod];
      const state::Shape& shape = ShapeOf(each->pod);
      counts.Give(shape.dynamic->holds, pod.node, pod.stay());
      if (!policy::StaysEven(cluster_, counts, shape, pod.node)) {
        Fault("pod {} was bound where it makes its spread uneven", cluster_.pods().name(each->pod));
      }
    }
  }

  const state::Shape& ShapeOf(PodId p) const { return cluster_.shapes()[cluster_.pods()[p].shape]; }

  bool HoldsRoom(WorkloadId w) const {
    const state::Gang& gang = cluster_.workloads().gang(w);
    return std::ranges::any_of(gang.sets, [this](const state::PodSet& set) {
      return std::ranges::any_of(set.pods, [this](PodId p) {
        return cluster_.pods()[p].expected && cluster_.pods()[p].live();
      });
    });
  }

  // At every queue above a pod that was placed: what is allocated, and what takes room at this
  // moment, claims aside, those who leave with it (semantics.md §3).
  void CheckLimits(WorkloadId w, const state::Shape& shape) {
    const state::QueueTree& queues = cluster_.queues();
    const bool preemptible = cluster_.workloads()[w].preemptible;
    for (QueueId q = cluster_.workloads()[w].queue; q.valid() && q != state::QueueTree::Root();
         q = queues[q].parent) {
      for (const state::Amount& a : shape.request) {
        if (!queues.Counts(a.resource)) continue;
        const std::int64_t limit = queues.Get(q, Figure::kLimit, a.resource);
        const InUse& used = UsedIn(q, a.resource);
        if (queues.Get(q, Figure::kAllocated, a.resource) > limit) {
          Fault("queue {} was taken over its limit", queues[q].name);
        }
        if (used.all > limit) {
          Fault("queue {} was taken over its limit while others leave it", queues[q].name);
        }
        if (!preemptible && queues.GuaranteedInTree(a.resource) &&
            used.non_preemptible > queues.Get(q, Figure::kGuaranteed, a.resource)) {
          Fault("queue {} was taken over its guarantee by work that is not preemptible",
                queues[q].name);
        }
      }
    }
  }

  // By its pods, one by one.
  struct InUse {
    std::int64_t all = 0, non_preemptible = 0;
  };
  const InUse& UsedIn(QueueId q, ResourceId r) {
    if (in_use_.empty()) {
      in_use_.resize(cluster_.queues().size());
      for (std::uint32_t i = 0; i < cluster_.pods().size(); ++i) {
        const state::Pod& pod = cluster_.pods()[PodId(i)];
        const bool takes = pod.in_use && !pod.foreign && pod.placed() && !pod.claims() &&
                           cluster_.nodes().exists(pod.node);
        if (!takes) continue;
        const state::Workload& workload = cluster_.workloads()[pod.workload];
        for (QueueId at = workload.queue; at.valid(); at = cluster_.queues()[at].parent) {
          for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
            InUse& used = in_use_[at.value()][a.resource];
            used.all += a.amount;
            if (!workload.preemptible) used.non_preemptible += a.amount;
          }
        }
      }
    }
    return in_use_[q.value()][r];
  }

  // A gang that runs on is not started again: its minimum may have been raised since.
  void CheckAdmit(const Decision& decision) {
    const state::Workload& workload = cluster_.workloads()[decision.workload];
    if (workload.solo() || decision.withdrawn) return;
    std::size_t count = decision.first_count;
    for (const state::PodSet& set : cluster_.workloads().gang(decision.workload).sets) {
      if (plan_.counts[count++] <= set.admitted) continue;  // it held these, and may have fewer now
      const bool holds = std::ranges::any_of(set.pods, [&](PodId p) {
        return cluster_.pods()[p].expected && cluster_.pods()[p].live();
      });
      if (holds) CheckLimits(decision.workload, cluster_.shapes()[set.expected_shape]);
    }
    CheckStart(decision.workload);
  }

  // What starts by this plan has room for its minimum, held where pods are to come.
  void CheckStart(WorkloadId w) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (workload.solo() || workload.start != plan_.now) return;
    for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
      if (LiveOf(set) + set.succeeded < set.min_count) {
        Fault("workload {} was placed in part", cluster_.NameOf(w));
      }
    }
  }

  std::int64_t LiveOf(const state::PodSet& set) const {
    return std::ranges::count_if(set.pods, [&](PodId p) { return cluster_.pods()[p].live(); });
  }

  // Its node suits it, and holds it once those who leave have left.
  void CheckClaim(const Decision& decision) {
    if (!decision.node.valid()) return;
    const state::Pod& pod = cluster_.pods()[decision.pod];
    const state::Shape& shape = cluster_.shapes()[pod.shape];
    const std::string_view name = cluster_.pods().name(decision.pod);
    if (!pod.claims() || pod.node != decision.node) {
      Fault("pod {} claims room that is not held", name);
      return;
    }
    if (!policy::FitsClass(cluster_, shape, pod.node)) {
      Fault("pod {} claims a node that does not suit it", name);
    }
    const std::int64_t* later = cluster_.nodes().later(pod.node);
    // Who waits behind it for the same node, with victims yet to be found, is not in its way.
    state::Amounts behind;
    std::int64_t on_device =
        pod.gpu_device >= 0 ? cluster_.nodes().FreeLaterOn(pod.node, pod.gpu_device) : 0;
    for (PodId other : cluster_.nodes().pods(pod.node)) {
      const bool waits_behind = policy::PinnedTo(cluster_, other) == pod.node &&
                                cluster_.pods()[other].claims() && pod.of_daemon_set() &&
                                policy::WaitsBefore(cluster_, decision.pod, other);
      if (!waits_behind) continue;
      const state::Shape& its = cluster_.shapes()[cluster_.pods()[other].shape];
      state::AddTo(behind, its.fit, 1);
      if (cluster_.pods()[other].gpu_device == pod.gpu_device) on_device += its.gpu_milli;
    }
    const bool holds = std::ranges::all_of(shape.fit, [&](const state::Amount& a) {
      return a.resource == state::kGpuShare ||
             later[a.resource.value()] + state::AmountOf(behind, a.resource) >= 0;
    });
    const bool shares = shape.gpu_milli > 0;
    if (!holds || (shares && on_device < 0)) {
      Fault("pod {} claims a node that will not hold it", name);
    }
  }

  // What can be said of a pod that has to go by itself.
  void CheckEviction(const Decision& decision) {
    const state::Pod& pod = cluster_.pods()[decision.pod];
    const std::string_view name = cluster_.pods().name(decision.pod);
    if (pod.foreign || pod.of_daemon_set() || pod.is_static) {
      Fault("pod {} was evicted, and it is of another scheduler, a DaemonSet or a file", name);
      return;
    }
    if (!pod.leaves()) Fault("pod {} was evicted, and does not leave", name);
    // Neither its node nor its budgets keep what ran as long as it may.
    if (decision.action == policy::RoomAction::kRunTimeLimit) return;
    const bool for_others =
        decision.action != policy::RoomAction::kWindow && !policy::IsOfBrokenGang(decision.action);
    if (for_others && !cluster_.nodes().in_service(decision.node)) {
      Fault("pod {} was evicted from a node out of service", name);
    }
    const bool bind = !policy::BudgetsYield(cluster_);
    if (decision.past_budgets && bind) Fault("pod {} was evicted past its budgets", name);
    for (state::BudgetId b : cluster_.budgets().Of(decision.pod)) {
      // Where they yield, others than it may have left it short.
      if (bind && policy::DisruptionsLeft(cluster_, b) < 0) {
        Fault("pod {} was evicted, and its budget {} is overdrawn", name,
              cluster_.budgets()[b].name);
      }
    }
  }

  void CheckVictim(WorkloadId w, const Decision& decision) {
    if (decision.action == policy::RoomAction::kRunTimeLimit) return CheckAtLimit(w);
    if (decision.action == policy::RoomAction::kWindow) return CheckInWindow(w);
    if (policy::IsOfBrokenGang(decision.action)) return CheckBroken(w, decision.action);
    if (decision.action == policy::RoomAction::kConsolidate) return CheckMoved(w, decision);
    const state::Workload& victim = cluster_.workloads()[w];
    const state::Workload& preemptor = cluster_.workloads()[decision.beneficiary];
    const std::string_view name = cluster_.NameOf(w);
    if (decision.was_on_loan) return CheckOnLoan(w, decision);
    if (decision.action == policy::RoomAction::kDaemonSet) {
      CheckVictimOfDaemonSet(w, decision);
      return;
    }
    if (!victim.preemptible) Fault("workload {} was evicted, and is not preemptible", name);
    if (preemptor.never_preempts) {
      Fault("workload {} was evicted for one that asks for no victims", name);
    }
    const bool own = victim.queue == preemptor.queue;
    if (own != (decision.action == policy::RoomAction::kPreempt)) {
      Fault("workload {} was evicted by an action that is not meant for its queue", name);
    }
    if (own && victim.priority >= preemptor.priority) {
      Fault("workload {} was preempted by one of no higher priority", name);
    }
    if (!MayAsk(cluster_.queues()[preemptor.queue].asks, own,
                victim.priority < preemptor.priority)) {
      Fault("workload {} was evicted for a queue that asks for no such victims", name);
    }
    if (TakenFromMinimum(w) && IsProtected(w, decision)) {
      Fault("workload {} was stopped while it is protected", name);
    }
    if (!victim.solo() && !cluster_.workloads().gang(w).gives_singly() && RunsOn(w)) {
      Fault("workload {} was evicted in part, and does not give single pods", name);
    }
  }

  // It may move, all of it does, each of its pods has another place, and who gains by that waits.
  void CheckMoved(WorkloadId w, const Decision& decision) {
    const std::string_view name = cluster_.NameOf(w);
    const state::Workload& mover = cluster_.workloads()[w];
    if (!cluster_.configuration().consolidation.enabled) {
      Fault("workload {} was moved, and nobody is to be", name);
    }
    if (!mover.preemptible) Fault("workload {} was moved, and is not preemptible", name);
    if (TakenFromMinimum(w) && IsProtected(w, decision)) {
      Fault("workload {} was moved while it is protected", name);
    }
    if (!mover.solo() && !cluster_.workloads().gang(w).gives_singly() && RunsOn(w)) {
      Fault("workload {} was moved in part, and does not give single pods", name);
    }
    for (const Decision& each : plan_.decisions) {
      const bool leaves = each.type == DecisionType::kEvict && each.workload == w;
      if (!leaves) continue;
      const bool lands = std::ranges::any_of(plan_.decisions, [&](const Decision& other) {
        return other.type == DecisionType::kLand && other.pod == each.pod;
      });
      const std::string_view pod = cluster_.pods().name(each.pod);
      if (!lands) Fault("pod {} was moved to nowhere", pod);
      if (!cluster_.pods()[each.pod].may_move) Fault("pod {} was moved, and stays", pod);
    }
    for (const Decision& each : plan_.decisions) {
      if (each.type != DecisionType::kBind || each.workload != decision.beneficiary) continue;
      Fault("pod {} was placed before those who move for it", cluster_.pods().name(each.pod));
    }
  }

  // Who goes before the one whose room it was may have that at once.
  bool IsClaimed(NodeId n) const {
    const std::vector<PodId>& there = cluster_.nodes().pods(n);
    return std::ranges::any_of(there, [this](PodId p) { return cluster_.pods()[p].claims(); });
  }

  // The reservation has begun in whose room it ran, and all of it goes.
  void CheckOnLoan(WorkloadId w, const Decision& decision) {
    const std::string_view name = cluster_.NameOf(w);
    const state::Workload& workload = cluster_.workloads()[w];
    const objects::Reservation* reservation =
        cluster_.workloads().reservation(decision.beneficiary);
    if (!state::HasPlace(cluster_, decision.beneficiary) && reservation == nullptr &&
        !IsClaimed(decision.node)) {
      Fault("workload {} had to give back what was on loan, and nobody has use of it", name);
    }
    if (!workload.preemptible) Fault("workload {} was on loan, and is not preemptible", name);
    const bool own = workload.queue == cluster_.workloads()[decision.beneficiary].queue;
    if (own != (decision.action == policy::RoomAction::kPreempt)) {
      Fault("workload {} was evicted by an action that is not meant for its queue", name);
    }
    if (workload.live > 0) Fault("workload {} was on loan, and only some of it goes", name);
  }

  // Something of it stood where a window has begun, and all of it goes.
  void CheckInWindow(WorkloadId w) {
    const QueueId queue = cluster_.workloads()[w].queue;
    bool stood_there = false;
    cluster_.ForEachPodOf(w, [&](PodId p) {
      const state::Pod& pod = cluster_.pods()[p];
      if (pod.live() && !pod.of_daemon_set() && !pod.is_static) {
        Fault("pod {} goes on, and a window stops the rest of it", cluster_.pods().name(p));
      }
      for (std::size_t i = 0; i < windows_.size(); ++i) {
        stood_there |= policy::Windows::Evicts(windows_[i], plan_.now) &&
                       !policy::Windows::IsFor(windows_[i], cluster_, queue) &&
                       std::ranges::binary_search(windows_.nodes(i), pod.node);
      }
    });
    if (!stood_there) Fault("workload {} was stopped for no window", cluster_.NameOf(w));
  }

  // It lacked pods before, all of it goes, and where its racks are the reason it asked for that.
  void CheckBroken(WorkloadId w, policy::RoomAction action) {
    const std::string_view name = cluster_.NameOf(w);
    const state::Workload& workload = cluster_.workloads()[w];
    if (workload.solo()) return Fault("workload {} was stopped as a gang, and is none", name);
    const state::Gang& gang = cluster_.workloads().gang(w);
    if (action == policy::RoomAction::kTopologyBroken &&
        std::ranges::none_of(gang.topology, &state::GangTopology::restarts_when_broken)) {
      return Fault("workload {} was stopped to start anew, and does not ask for that", name);
    }
    bool lacked = false;
    for (const state::PodSet& set : gang.sets) {
      const auto left =
          std::ranges::count_if(set.pods, [&](PodId p) { return evicted_.contains(p); });
      lacked |= left + set.succeeded < set.min_count;
    }
    if (!lacked) Fault("workload {} was stopped to start anew, and lacked no pod", name);
    if (workload.started() && workload.start != plan_.now) {
      Fault("workload {} was stopped to start anew, and runs", name);
    }
  }

  // It ran as long as it may, and all of it goes.
  void CheckAtLimit(WorkloadId w) {
    const std::string_view name = cluster_.NameOf(w);
    const state::RareOwnLimit& limit = cluster_.workloads().run_time(w).own_limit;
    if (!limit) return Fault("workload {} was stopped at a limit that it has not", name);
    const std::optional<Time> start = StartBefore(w);
    if (start && plan_.now < *start + limit->after) {
      Fault("workload {} was stopped before its limit", name);
    }
    if (cluster_.workloads()[w].live > 0) {
      Fault("workload {} was stopped at its limit, and runs", name);
    }
  }

  // On whichever right it was.
  static bool MayAsk(const state::Asks& asks, bool own, bool lower) {
    using state::Donors;
    if (own) return asks.preempts;
    const auto least = lower ? Donors::kLowerPriority : Donors::kAnybody;
    return std::max(asks.by_guarantee, asks.by_share) >= least;
  }

  void CheckVictimOfDaemonSet(WorkloadId w, const Decision& decision) {
    const std::string_view name = cluster_.NameOf(w);
    const state::Workload& preemptor = cluster_.workloads()[decision.beneficiary];
    if (!preemptor.solo() || policy::PinnedTo(cluster_, preemptor.only_pod) != decision.node) {
      Fault("workload {} was evicted for a DaemonSet's pod that does not need its node", name);
    }
    if (preemptor.never_preempts) {
      Fault("workload {} was evicted for one that asks for no victims", name);
    }
    if (cluster_.workloads()[w].priority > preemptor.priority) {
      Fault("workload {} was evicted for a DaemonSet's pod of a lower priority", name);
    }
    if (cluster_.configuration().daemon_set_preemption.respect_min_runtime && TakenFromMinimum(w) &&
        IsProtected(w, decision)) {
      Fault("workload {} was stopped while it is protected", name);
    }
  }

  bool RunsOn(WorkloadId w) const {
    return std::ranges::any_of(cluster_.workloads().gang(w).sets, [&](const state::PodSet& set) {
      return std::ranges::any_of(set.pods, [&](PodId p) {
        const state::Pod& pod = cluster_.pods()[p];
        return pod.live() && pod.placement == state::Placement::kBound;
      });
    });
  }

  // Whether more than its surplus went.
  bool TakenFromMinimum(WorkloadId w) const {
    if (cluster_.workloads()[w].solo()) return true;
    const state::Gang& gang = cluster_.workloads().gang(w);
    return !gang.gives_singly() || std::ranges::any_of(gang.sets, [&](const state::PodSet& set) {
      const bool some_left =
          std::ranges::any_of(set.pods, [&](PodId p) { return evicted_.contains(p); });
      return some_left && LiveOf(set) + set.succeeded < set.min_count;
    });
  }

  bool IsProtected(WorkloadId w, const Decision& decision) const {
    const std::optional<Time> start = StartBefore(w);
    if (!start) return false;
    const QueueId preemptor = cluster_.workloads()[decision.beneficiary].queue;
    const policy::MinRuntime runtime = policy::ResolveMinRuntime(
        cluster_, decision.action, cluster_.workloads()[w].queue, preemptor);
    return plan_.now < *start + runtime.value;
  }

  // Its start, as it was before the plan stopped it: by the times of its pods (semantics.md §1).
  std::optional<Time> StartBefore(WorkloadId w) const {
    const state::Workload& workload = cluster_.workloads()[w];
    // It may have started anew in this very plan.
    if (workload.started() && workload.start != plan_.now) return workload.start;
    if (workload.solo()) return std::nullopt;
    const state::Gang& gang = cluster_.workloads().gang(w);
    if (gang.recorded_start) return std::nullopt;  // it may count, or not
    std::optional<Time> start;
    for (const state::PodSet& set : gang.sets) {
      std::vector<Time> times;
      for (PodId p : set.pods) {
        if (evicted_.contains(p)) times.push_back(cluster_.pods()[p].scheduled);
      }
      const std::int64_t needed = std::max(0, set.min_count - set.succeeded);
      if (needed == 0) continue;
      if (needed > std::ssize(times)) return std::nullopt;
      std::sort(times.begin(), times.end());
      const Time placed = times[static_cast<std::size_t>(needed) - 1];
      if (placed == Time::Max()) return std::nullopt;
      start = std::max(start.value_or(placed), placed);
    }
    return start;
  }

  const state::Cluster& cluster_;
  const Plan& plan_;
  policy::Windows windows_{cluster_};
  std::set<WorkloadId> placed_;
  std::set<PodId> evicted_;
  std::map<WorkloadId, const Decision*> victims_;
  std::vector<std::map<ResourceId, InUse>> in_use_;  // by queue; empty: not summed up yet
};

}  // namespace

std::vector<std::string> Audit(const Scheduler& scheduler, const Plan& plan) {
  std::vector<std::string> faults = Audit(scheduler.cluster());
  PlanAuditor(scheduler.cluster(), plan, faults).Run();
  return faults;
}

}  // namespace fairlead::engine
