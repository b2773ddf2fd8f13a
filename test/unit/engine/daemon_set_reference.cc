#include "unit/engine/daemon_set_reference.h"

#include <algorithm>
#include <set>

namespace fairlead::engine {
namespace {

using objects::VictimSelection;
using Whose = DaemonSetWorld::Whose;

// Of parts ≥ 0 with denominators > 0.
bool Less(std::pair<int, int> a, std::pair<int, int> b) {
  return a.first * b.second < b.first * a.second;
}

}  // namespace

DaemonSetReference::DaemonSetReference(const DaemonSetWorld& world, int now)
    : world_(world), now_(now) {
  // §7.7: the request less what is free or already being freed on the node.
  const Amounts free = FreeWithout({}, true);
  for (std::size_t r = 0; r < 3; ++r) {
    const int asked = r < 2 ? world_.size[r] : 1;
    lacking_[r] = asked == 0 ? 0 : std::max(0, asked - free.of[r]);
  }
  port_lacks_ = world_.port && free.port;
}

// Room --------------------------------------------------------------------------------------------

DaemonSetReference::Amounts DaemonSetReference::FreeWithout(const Set& gone,
                                                            bool leaving_too) const {
  Amounts free;
  free.of[0] = world_.node[0];
  free.of[1] = world_.node[1];
  free.of[2] = world_.pod_limit == kUnset ? 1000 : world_.pod_limit;
  for (std::size_t p = 0; p < world_.pods.size(); ++p) {
    const Pod& pod = world_.pods[p];
    if (leaving_too && pod.terminating) continue;
    if (std::find(gone.begin(), gone.end(), p) != gone.end()) continue;
    free.of[0] -= pod.size[0];
    free.of[1] -= pod.size[1];
    free.of[2] -= 1;
    free.port |= pod.port;
  }
  return free;
}

bool DaemonSetReference::Fits(const Amounts& free) const {
  for (std::size_t r = 0; r < 2; ++r) {
    if (world_.size[r] > 0 && world_.size[r] > free.of[r]) return false;
  }
  return free.of[2] >= 1 && !(world_.port && free.port);
}

bool DaemonSetReference::Holds(const Pod& pod, std::size_t r) const {
  return r == 2 || pod.size[r] > 0;
}

bool DaemonSetReference::Helps(const Pod& pod) const {
  if (port_lacks_ && pod.port) return true;
  for (std::size_t r = 0; r < 3; ++r) {
    if (lacking_[r] > 0 && Holds(pod, r)) return true;
  }
  return false;
}

// Who may be asked --------------------------------------------------------------------------------

// §7.4.
bool DaemonSetReference::IsEligible(std::size_t p) const {
  const Pod& pod = world_.pods[p];
  if (pod.whose != Whose::kOurs || pod.terminating) return false;
  const int priority = pod.gang == kUnset ? pod.priority : world_.gangs[pod.gang].priority;
  if (priority > world_.priority) return false;
  return !world_.rules.respect || !ProtectedUntil(p);
}

// §6, for preempt: a workload that is not elastic is protected whole, an elastic one may give its
// surplus.
std::optional<int> DaemonSetReference::ProtectedUntil(std::size_t p) const {
  const Pod& pod = world_.pods[p];
  int queue = pod.gang == kUnset ? pod.queue : world_.gangs[pod.gang].queue;
  int runtime = 0;
  for (; queue != kUnset; queue = world_.queues[queue].parent) {
    if (world_.queues[queue].preempt_min_s == kUnset) continue;
    runtime = world_.queues[queue].preempt_min_s;
    break;
  }
  std::optional<int> start = pod.scheduled_s;
  if (pod.gang != kUnset) {
    start = StartOf(pod.gang);
    if (world_.gangs[pod.gang].anytime && IsRegularInGang(p)) return std::nullopt;
  }
  if (!start || now_ >= *start + runtime) return std::nullopt;
  return *start + runtime;
}

// §1: per pod set the time of the m-th earliest, m its minimum, and the latest of these.
std::optional<int> DaemonSetReference::StartOf(int gang) const {
  std::optional<int> start;
  for (std::size_t s = 0; s < world_.gangs[gang].sets.size(); ++s) {
    const DaemonSetWorld::Gang::Set& set = world_.gangs[gang].sets[s];
    std::vector<int> times = set.elsewhere_s;
    for (const Pod& pod : world_.pods) {
      if (pod.gang == gang && pod.set == static_cast<int>(s) && !pod.terminating) {
        times.push_back(pod.scheduled_s);
      }
    }
    std::sort(times.begin(), times.end());
    const int minimum = MinimumOf(world_, gang, static_cast<int>(s));
    if (static_cast<int>(times.size()) < minimum) return std::nullopt;
    if (minimum == 0) continue;
    start = std::max(start.value_or(0), times[static_cast<std::size_t>(minimum) - 1]);
  }
  return start;
}

int DaemonSetReference::SpareOf(int gang, int set) const {
  const DaemonSetWorld::Gang::Set& of = world_.gangs[gang].sets[static_cast<std::size_t>(set)];
  auto running = static_cast<int>(of.elsewhere_s.size());
  for (const Pod& pod : world_.pods) {
    running += pod.gang == gang && pod.set == set && !pod.terminating ? 1 : 0;
  }
  return std::max(0, running - MinimumOf(world_, gang, set));
}

// §7.5: "as many pods as it has above its minimum are regular, the larger share of the need first".
bool DaemonSetReference::IsRegularInGang(std::size_t p) const {
  const Pod& pod = world_.pods[p];
  int before = 0;
  for (std::size_t q = 0; q < world_.pods.size(); ++q) {
    const Pod& other = world_.pods[q];
    if (other.gang != pod.gang || other.set != pod.set || other.terminating) continue;
    const auto its = ShareOf(other);
    const auto own = ShareOf(pod);
    const bool larger = Less(own, its);
    before += larger || (!Less(its, own) && q != p && IsYounger(q, p)) ? 1 : 0;
  }
  return before < SpareOf(pod.gang, pod.set);
}

// The order of giving -----------------------------------------------------------------------------

// §7.5: the later class counts.
int DaemonSetReference::ClassOf(std::size_t p) const {
  const Pod& pod = world_.pods[p];
  const bool preemptible =
      pod.gang == kUnset ? pod.preemptible : world_.gangs[pod.gang].preemptible;
  if (pod.opted_out || !preemptible) return 2;
  return pod.owns_pods || (pod.gang != kUnset && !IsRegularInGang(p)) ? 1 : 0;
}

bool DaemonSetReference::IsYounger(std::size_t a, std::size_t b) const {
  const Pod& x = world_.pods[a];
  const Pod& y = world_.pods[b];
  if (x.scheduled_s != y.scheduled_s) return x.scheduled_s > y.scheduled_s;
  if (x.created_s != y.created_s) return x.created_s > y.created_s;
  return NodePodName(a) < NodePodName(b);
}

// §7.7: the largest, over the resources the pod asks, of |victim − pod| / pod.
std::pair<int, int> DaemonSetReference::DeviationOf(const Pod& pod) const {
  std::pair<int, int> most{0, 1};
  for (std::size_t r = 0; r < 2; ++r) {
    const int asked = world_.size[r];
    if (asked == 0) continue;
    const std::pair<int, int> part{std::abs(pod.size[r] - asked), asked};
    if (Less(most, part)) most = part;
  }
  return most;
}

std::pair<int, int> DaemonSetReference::ShareOf(const Pod& pod) const {
  std::pair<int, int> most{0, 1};
  for (std::size_t r = 0; r < 3; ++r) {
    if (lacking_[r] == 0) continue;
    const std::pair<int, int> part{r < 2 ? pod.size[r] : 1, lacking_[r]};
    if (Less(most, part)) most = part;
  }
  // A host port that is lacking is held by so many.
  const auto holders =
      static_cast<int>(std::count_if(world_.pods.begin(), world_.pods.end(), [](const Pod& other) {
        return other.port && !other.terminating;
      }));
  if (port_lacks_ && pod.port && Less(most, {1, holders})) most = {1, holders};
  return most;
}

// §7.5 and §7.6.
bool DaemonSetReference::GivesBefore(std::size_t a, std::size_t b, VictimSelection by) const {
  if (ClassOf(a) != ClassOf(b)) return ClassOf(a) < ClassOf(b);
  auto priority = [&](const Pod& pod) {
    return pod.gang == kUnset ? pod.priority : world_.gangs[pod.gang].priority;
  };
  const Pod& x = world_.pods[a];
  const Pod& y = world_.pods[b];
  if (priority(x) != priority(y)) return priority(x) < priority(y);
  if (by == VictimSelection::kSingle) {
    if (Less(DeviationOf(x), DeviationOf(y))) return true;
    if (Less(DeviationOf(y), DeviationOf(x))) return false;
  } else {
    if (Less(ShareOf(y), ShareOf(x))) return true;
    if (Less(ShareOf(x), ShareOf(y))) return false;
  }
  return IsYounger(a, b);
}

DaemonSetReference::Set DaemonSetReference::InOrder(VictimSelection by) const {
  Set order;
  for (std::size_t p = 0; p < world_.pods.size(); ++p) {
    if (IsEligible(p) && Helps(world_.pods[p])) order.push_back(p);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return GivesBefore(a, b, by); });
  return order;
}

// Budgets -----------------------------------------------------------------------------------------

int DaemonSetReference::AllowedBy(std::size_t b) const {
  const DaemonSetWorld::Budget& budget = world_.budgets[b];
  if (budget.status_allowed != kUnset) return budget.status_allowed;
  int expected = budget.elsewhere;
  int healthy = budget.elsewhere;
  for (const Pod& pod : world_.pods) {
    if (!std::count(pod.budgets.begin(), pod.budgets.end(), static_cast<int>(b))) continue;
    ++expected;
    healthy += pod.terminating ? 0 : 1;
  }
  const int desired = budget.min_available != kUnset
                          ? budget.min_available
                          : std::max(0, expected - budget.max_unavailable);
  return std::max(0, healthy - desired);
}

bool DaemonSetReference::BudgetsAllow(const Set& victims) const {
  for (std::size_t b = 0; b < world_.budgets.size(); ++b) {
    int of_budget = 0;
    for (std::size_t p : victims) {
      const std::vector<int>& its = world_.pods[p].budgets;
      of_budget += static_cast<int>(std::count(its.begin(), its.end(), static_cast<int>(b)));
    }
    if (of_budget > AllowedBy(b)) return false;
  }
  return true;
}

// Strategies --------------------------------------------------------------------------------------

DaemonSetReference::Set DaemonSetReference::Single() const {
  for (std::size_t p : InOrder(VictimSelection::kSingle)) {
    const auto [part, of] = DeviationOf(world_.pods[p]);
    const bool near = part * 100 <= of * world_.rules.deviation_percent;
    if (near && BudgetsAllow({p}) && Fits(FreeWithout({p}, true))) return {p};
  }
  return {};
}

DaemonSetReference::Set DaemonSetReference::Multiple() const {
  const Set order = InOrder(VictimSelection::kMultiple);
  // Every set, as places in the order; the first is the one whose places come first.
  std::optional<Set> first;
  for (unsigned bits = 1; bits < 1U << order.size(); ++bits) {
    Set places;
    Set pods;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if ((bits >> i & 1U) == 0) continue;
      places.push_back(i);
      pods.push_back(order[i]);
    }
    if (first && *first < places) continue;
    if (!BudgetsAllow(pods) || !Fits(FreeWithout(pods, true))) continue;
    pods.pop_back();
    if (!Fits(FreeWithout(pods, true))) first = places;
  }
  if (!first) return {};
  Set left;
  for (std::size_t place : *first) left.push_back(order[place]);
  for (std::size_t i = left.size(); i-- > 0;) {
    Set without = left;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (Fits(FreeWithout(without, true))) left = without;
  }
  return static_cast<int>(left.size()) > world_.rules.victims ? Set{} : left;
}

// The whole ---------------------------------------------------------------------------------------

int DaemonSetReference::Since() const {
  return world_.reserved_s == kUnset ? world_.created_s : world_.reserved_s;
}

DaemonSetReference::Answer DaemonSetReference::Solve() const {
  for (std::size_t r = 0; r < 2; ++r) {
    if (world_.size[r] > world_.node[r]) return {Verdict::kNever, {}};
  }
  if (world_.pod_limit == 0) return {Verdict::kNever, {}};
  // Another scheduler's port is no room that could be made or waited for.
  for (const Pod& pod : world_.pods) {
    if (world_.port && pod.port && pod.whose == DaemonSetWorld::Whose::kForeign && !pod.terminating)
      return {Verdict::kNever, {}};
  }
  if (world_.limited) return {Verdict::kLimited, {}};
  if (Fits(FreeWithout({}, false))) return {Verdict::kFits, {}};
  if (Fits(FreeWithout({}, true))) return {Verdict::kComing, {}};
  if (now_ < Since() + world_.rules.delay_s) return {Verdict::kYoung, {}};
  if (world_.never_preempts) return {Verdict::kNone, {}};
  for (VictimSelection by : world_.rules.strategies) {
    Set victims = by == VictimSelection::kSingle ? Single() : Multiple();
    if (victims.empty()) continue;
    std::sort(victims.begin(), victims.end());
    return {Verdict::kFound, victims};
  }
  return {Verdict::kNone, {}};
}

std::vector<int> DaemonSetReference::Moments() const {
  std::set<int> moments = {Since() + world_.rules.delay_s};
  for (std::size_t p = 0; p < world_.pods.size(); ++p) {
    if (const auto until = ProtectedUntil(p)) moments.insert(*until);
  }
  moments.erase(moments.begin(), moments.upper_bound(now_));
  return {moments.begin(), moments.end()};
}

}  // namespace fairlead::engine
