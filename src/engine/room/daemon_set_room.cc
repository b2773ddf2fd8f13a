// Room for a DaemonSet's pod on the one node that it can run on (semantics.md §7).
//
// Who is there is judged once: each neighbour's standing, the part of what is lacking that it would
// make up for, and whether its leaving breaks a gang. The order of giving is by class, priority,
// then fit, and is sorted only as far as it is asked for. By configuration in either order:
//
//   single:   the first in the order that makes enough room alone and is not too large for it;
//   multiple: from the first on until it fits, then what is not needed is put back, backwards.
//
// Only budgets make it a search: where one refuses a pod that others of its budget come after,
// leaving that pod out may serve. Bounded by kMaxTries.
//
// Worked: 3 cores are lacking. c runs a (1 core), b (2), d (8), equal otherwise. Single, at most
// 50 % too large: d would free 8 for 3, so nobody. Multiple: b makes up for the most, then a; both
// go, neither can be put back.

#include "engine/room/daemon_set_room.h"

#include <algorithm>
#include <array>

#include "base/sorted_set.h"
#include "policy/disruption_budget.h"
#include "policy/dynamic_demand.h"
#include "policy/node_fit.h"

namespace fairlead::engine {

using objects::VictimSelection;
using state::NodeId;
using state::PodId;
using state::Trial;
using Standing = Neighbour::Standing;

namespace {

// Only where budgets bind is there more than one way to be tried.
constexpr std::int64_t kMaxTries = 20'000;

}  // namespace

DaemonSetAnswer DaemonSetRoom::Find(PodId p, NodeId n, Time now, Trial& trial) {
  pod_ = p;
  node_ = n;
  DaemonSetAnswer answer;
  if (Serve(now, {}, trial, answer)) return answer;
  answer.cause = CauseOf(now, trial, answer.kept);
  answer.lapse = LapseOf(now, trial);
  for (const state::Amount& lack : lacking_) {
    std::int64_t have = 0;
    for (const Neighbour* neighbour : order_) {
      const state::Shape& shape = cluster_.shapes()[cluster_.pods()[neighbour->pod.pod].shape];
      have += state::AmountOf(shape.request, lack.resource);
    }
    if (have < lack.amount) answer.missing.emplace_back(lack.resource, lack.amount - have);
  }
  return answer;
}

bool DaemonSetRoom::Serve(Time now, const Rules& rules, Trial& trial, DaemonSetAnswer& answer) {
  if (cluster_.workloads()[cluster_.pods()[pod_].workload].never_preempts) return false;
  Look(now, rules);
  for (const VictimSelection by : cluster_.configuration().daemon_set_preemption.victim_selection) {
    by_ = by;
    in_order_ = 0;
    steps_ = 0;
    taken_.clear();
    const bool served = by == VictimSelection::kSingle ? TakeOne(trial) : TakeSeveral(trial);
    answer.proven = answer.proven && (served || steps_ <= kMaxTries);
    if (!served) continue;
    answer.found = true;
    answer.by = by;
    for (PodId p : taken_) {
      VictimUnit& unit = answer.victims.emplace_back();
      unit.candidate = {.workload = cluster_.pods()[p].workload,
                        .action = policy::RoomAction::kDaemonSet};
      unit.pods.push_back(p);
    }
    return true;
  }
  return false;
}

// Who is there ----------------------------------------------------------------------------------

std::vector<Neighbour> DaemonSetRoom::Survey(PodId p, NodeId n, Time now) {
  pod_ = p;
  node_ = n;
  Look(now, {});
  std::vector<Neighbour> neighbours = neighbours_;
  for (Neighbour& neighbour : neighbours) {
    if (neighbour.standing != Standing::kMayLeave) continue;
    const auto until = ProtectedUntil(neighbour.pod);
    if (!until) continue;
    neighbour.standing = Standing::kProtected;
    neighbour.until = *until;
  }
  std::sort(neighbours.begin(), neighbours.end(), [this](const Neighbour& a, const Neighbour& b) {
    return cluster_.pods().name(a.pod.pod) < cluster_.pods().name(b.pod.pod);
  });
  return neighbours;
}

void DaemonSetRoom::Look(Time now, const Rules& rules) {
  const state::WorkloadId w = cluster_.pods()[pod_].workload;
  rules_ = rules;
  preemptor_.workload = w;
  preemptor_.queue = cluster_.workloads()[w].queue;
  preemptor_.priority = cluster_.workloads()[w].priority;
  preemptor_.now = now;
  FindLacks();
  neighbours_.clear();
  bool gangs = false;
  const state::Shape& wants = cluster_.shapes()[cluster_.pods()[pod_].shape];
  for (PodId p : cluster_.nodes().pods(node_)) {
    const state::Pod& pod = cluster_.pods()[p];
    const state::Shape& shape = cluster_.shapes()[pod.shape];
    Neighbour& neighbour = neighbours_.emplace_back(Neighbour{.pod = {.pod = p}});
    neighbour.share = policy::ShareOf(lacking_, shape.request);
    if (excluders_ > 0 && policy::Exclude(cluster_, wants, node_, shape, node_)) {
      const policy::Part port{.numerator = 1, .denominator = excluders_};
      if (neighbour.share < port) neighbour.share = port;
    }
    neighbour.priority = pod.priority;
    if (!pod.foreign) {
      const state::Workload& workload = cluster_.workloads()[pod.workload];
      neighbour.priority = workload.priority;
      gangs |= !workload.solo();
    }
    neighbour.standing = StandingOf(neighbour);
    if (neighbour.standing == Standing::kMayLeave) {
      neighbour.deviation = policy::Deviation(wants.request, shape.request);
    }
  }
  if (gangs) MarkBrokenGangs();
  order_.clear();
  for (Neighbour& neighbour : neighbours_) {
    if (neighbour.standing != Standing::kMayLeave) continue;
    neighbour.giving_class = policy::GivingClassOf(cluster_, neighbour.pod);
    if (!neighbour.share.IsZero()) order_.push_back(&neighbour);
  }
}

// What the node lacks for the pod once all that leaves has left. Devices are told apart by trying;
// here they count by what they are thousandths of.
void DaemonSetRoom::FindLacks() {
  const state::Shape& shape = cluster_.shapes()[cluster_.pods()[pod_].shape];
  const std::int64_t* later = cluster_.nodes().later(node_);
  lacking_.clear();
  for (const state::Amount& a : shape.fit) {
    const std::int64_t lack = a.amount - later[a.resource.value()];
    if (lack <= 0) continue;
    if (a.resource == state::kGpuWhole) {
      state::AddTo(lacking_, state::Amounts{{state::kGpu, lack * 1000}}, 1);
    } else if (a.resource == state::kGpuShare || a.resource == state::kGpu) {
      const std::int64_t known = state::AmountOf(lacking_, state::kGpu);
      if (lack > known) state::AddTo(lacking_, state::Amounts{{state::kGpu, lack - known}}, 1);
    } else {
      state::AddTo(lacking_, state::Amounts{{a.resource, lack}}, 1);
    }
  }
  excluders_ = 0;
  policy::ForEachInTheWay(cluster_, shape, node_, [this](PodId) { ++excluders_; });
}

// Of a gang's pods here, as many as it has above its minimum break nothing: those that make up for
// the largest share of what is lacking.
void DaemonSetRoom::MarkBrokenGangs() {
  std::vector<Neighbour*> members;
  for (Neighbour& neighbour : neighbours_) {
    const state::Pod& pod = cluster_.pods()[neighbour.pod.pod];
    const bool of_gang = !pod.foreign && !cluster_.workloads()[pod.workload].solo();
    if (of_gang && policy::MayBeEvicted(cluster_, neighbour.pod.pod)) members.push_back(&neighbour);
  }
  auto set_of = [this](const Neighbour* neighbour) {
    const state::Pod& pod = cluster_.pods()[neighbour->pod.pod];
    return std::pair(pod.workload, pod.pod_set);
  };
  std::sort(members.begin(), members.end(), [&](const Neighbour* a, const Neighbour* b) {
    if (set_of(a) != set_of(b)) return set_of(a) < set_of(b);
    if (b->share < a->share) return true;
    if (a->share < b->share) return false;
    return policy::IsYounger(cluster_, a->pod.pod, b->pod.pod);
  });
  std::int64_t spare = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto [w, index] = set_of(members[i]);
    if (i == 0 || set_of(members[i - 1]) != set_of(members[i])) {
      const state::PodSet& set = cluster_.workloads().gang(w).sets[index];
      const auto live = std::count_if(set.pods.begin(), set.pods.end(),
                                      [this](PodId p) { return cluster_.pods()[p].live(); });
      spare = live + set.succeeded - set.min_count;
    }
    members[i]->pod.breaks_gang = spare-- <= 0;
  }
}

// All but protection, which is the last question asked.
Standing DaemonSetRoom::StandingOf(const Neighbour& neighbour) const {
  const PodId p = neighbour.pod.pod;
  const state::Pod& pod = cluster_.pods()[p];
  if (pod.leaves()) return Standing::kLeaving;
  if (pod.of_daemon_set()) return Standing::kDaemonSet;
  if (pod.foreign) return Standing::kOtherScheduler;
  if (pod.is_static) return Standing::kStatic;
  if (pod.claims() || pod.expected) return Standing::kClaimed;
  if (pod.spared) return Standing::kMovedEnough;
  if (!policy::MayBeEvicted(cluster_, p)) return Standing::kOutOfService;
  if (neighbour.priority > preemptor_.priority) return Standing::kHigherPriority;
  return Standing::kMayLeave;
}

std::optional<Time> DaemonSetRoom::ProtectedUntil(const policy::NodePod& pod) const {
  policy::Leniency leniency = rules_.leniency;
  leniency.protection |= !cluster_.configuration().daemon_set_preemption.respect_min_runtime;
  const policy::Candidate candidate{.workload = cluster_.pods()[pod.pod].workload,
                                    .action = policy::RoomAction::kDaemonSet};
  auto until = policy::RefusedUntil(cluster_, preemptor_, candidate, leniency);
  if (!until && pod.breaks_gang && !leniency.protection) {
    until = policy::MinimumKeptUntil(cluster_, preemptor_, candidate);
  }
  return until;
}

bool DaemonSetRoom::GivesBefore(const Neighbour& a, const Neighbour& b) const {
  if (a.giving_class != b.giving_class) return a.giving_class < b.giving_class;
  if (a.priority != b.priority) return a.priority < b.priority;
  if (by_ == VictimSelection::kSingle) {
    if (a.deviation < b.deviation) return true;
    if (b.deviation < a.deviation) return false;
  } else {
    if (b.share < a.share) return true;
    if (a.share < b.share) return false;
  }
  return policy::IsYounger(cluster_, a.pod.pod, b.pod.pod);
}

// The i-th in the order of giving. Few are asked for, so the rest is not sorted.
const Neighbour& DaemonSetRoom::InOrder(std::size_t i) {
  for (; in_order_ <= i; ++in_order_) {
    const auto rest = order_.begin() + static_cast<std::ptrdiff_t>(in_order_);
    std::iter_swap(
        rest, std::min_element(rest, order_.end(), [this](const Neighbour* a, const Neighbour* b) {
          return GivesBefore(*a, *b);
        }));
  }
  return *order_[i];
}

// Who goes --------------------------------------------------------------------------------------

bool DaemonSetRoom::Fits() const {
  const state::Shape& shape = cluster_.shapes()[cluster_.pods()[pod_].shape];
  return state::Holds(cluster_.nodes().later(node_), shape.fit) &&
         policy::OthersAllow(cluster_, shape, node_, state::When::kLater);
}

bool DaemonSetRoom::MayTake(const policy::NodePod& pod) const {
  const policy::LeavingPods alone(&pod.pod, 1);
  return (rules_.leniency.budgets || policy::BudgetsAllow(cluster_, alone)) && !ProtectedUntil(pod);
}

bool DaemonSetRoom::TakeOne(Trial& trial) {
  const std::int64_t percent =
      cluster_.configuration().daemon_set_preemption.single_max_deviation_percent;
  const policy::Part all{.numerator = 1, .denominator = 1};
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Neighbour& neighbour = InOrder(i);
    if (neighbour.share < all) continue;
    if (rules_.bounds && !policy::IsWithinPercent(neighbour.deviation, percent)) continue;
    if (!MayTake(neighbour.pod)) continue;
    const std::size_t mark = trial.Mark();
    trial.Evict(neighbour.pod.pod);
    if (Fits()) {
      taken_.push_back(neighbour.pod.pod);
      return true;
    }
    trial.UndoTo(mark);
  }
  return false;
}

bool DaemonSetRoom::TakeSeveral(Trial& trial) {
  const std::int64_t most = cluster_.configuration().daemon_set_preemption.multiple_max_victims;
  const std::size_t mark = trial.Mark();
  if (!TakeFrom(0, trial)) return false;
  PutBack(trial);
  if (!rules_.bounds || std::ssize(taken_) <= most) return true;
  trial.UndoTo(mark);
  return false;
}

// In the order of giving until it fits. Only to leave out one whose budget others may need more can
// help where all the rest was taken.
bool DaemonSetRoom::TakeFrom(std::size_t i, Trial& trial) {
  if (Fits()) return true;
  if (i == order_.size() || ++steps_ > kMaxTries) return false;
  const policy::NodePod pod = InOrder(i).pod;
  if (MayTake(pod)) {
    trial.Evict(pod.pod);
    taken_.push_back(pod.pod);
    if (TakeFrom(i + 1, trial)) return true;
    taken_.pop_back();
    trial.UndoTo(trial.Mark() - 1);
    if (rules_.leniency.budgets || cluster_.budgets().Of(pod.pod).empty()) return false;
  }
  return TakeFrom(i + 1, trial);
}

// Nothing for nothing: backwards through the order of giving. The last one was needed, or there
// would have been no cause to take it.
void DaemonSetRoom::PutBack(Trial& trial) {
  for (std::size_t i = taken_.size(); i-- > 0;) {
    const PodId p = taken_[i];
    trial.Unevict(p);
    if (Fits()) {
      taken_.erase(taken_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      trial.Evict(p);
    }
  }
}

// Why not ---------------------------------------------------------------------------------------

NoVictims DaemonSetRoom::CauseOf(Time now, Trial& trial, std::vector<VictimUnit>& kept) {
  if (cluster_.workloads()[cluster_.pods()[pod_].workload].never_preempts) {
    return NoVictims::kNeverPreempts;
  }
  std::vector<VictimUnit> found;
  auto serves = [&](const Rules& rules) {
    DaemonSetAnswer answer;
    const std::size_t mark = trial.Mark();
    const bool served = Serve(now, rules, trial, answer);
    trial.UndoTo(mark);
    if (served) found = std::move(answer.victims);
    return served;
  };
  const Rules none{.bounds = false, .leniency = {.protection = true, .budgets = true}};
  if (!serves(none)) return NoVictims::kNotEnough;
  if (serves({.bounds = true, .leniency = {.protection = true}})) return NoVictims::kProtected;
  if (serves({.bounds = true, .leniency = {.budgets = true}})) {
    kept = std::move(found);
    return NoVictims::kBudgets;
  }
  if (serves({.bounds = false, .leniency = {}})) return NoVictims::kBounds;
  // Several at once: what lapses by itself is told first.
  if (!serves({.bounds = false, .leniency = {.budgets = true}})) return NoVictims::kProtected;
  kept = std::move(found);
  return NoVictims::kBudgets;
}

// Protections lapse one after the other: the first moment at which enough of them have.
std::optional<Time> DaemonSetRoom::LapseOf(Time now, Trial& trial) {
  std::vector<Time> lapses;
  for (const Neighbour& neighbour : Survey(pod_, node_, now)) {
    if (neighbour.standing == Standing::kProtected) lapses.push_back(neighbour.until);
  }
  MakeSet(lapses);
  for (const Time lapse : lapses) {
    if (lapse == Time::Max()) break;
    DaemonSetAnswer answer;
    const std::size_t mark = trial.Mark();
    const bool served = Serve(lapse, {}, trial, answer);
    trial.UndoTo(mark);
    if (served) return lapse;
  }
  return std::nullopt;
}

}  // namespace fairlead::engine
