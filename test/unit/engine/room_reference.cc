#include "unit/engine/room_reference.h"

#include <algorithm>

namespace fairlead::engine {

using Amounts = std::array<std::int64_t, 2>;

namespace {

Amounts InThousandths(const Two& amounts) {
  return {std::int64_t{1000} * amounts[0], std::int64_t{1000} * amounts[1]};
}
void Add(Amounts& to, const Amounts& more) {
  for (std::size_t r = 0; r < 2; ++r) to[r] += more[r];
}
void Take(Amounts& from, const Amounts& less) {
  for (std::size_t r = 0; r < 2; ++r) from[r] -= less[r];
}
bool Has(RoomReference::Units units, std::size_t u) { return (units >> u & 1U) != 0; }

}  // namespace

RoomReference::RoomReference(const RoomWorld& world, std::vector<Amounts> fair_shares, int now)
    : world_(world), fair_shares_(std::move(fair_shares)), now_(now), path_(PathOf(world.queue)) {
  SetUpQueues();
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < world.victims.size(); ++v) order.push_back(v);
  // The order of giving: priority ascending, start descending, name.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const RoomVictim& x = world.victims[a];
    const RoomVictim& y = world.victims[b];
    if (x.priority != y.priority) return x.priority < y.priority;
    if (StartOf(x) != StartOf(y)) return StartOf(x) > StartOf(y);
    return VictimName(a) < VictimName(b);
  });
  for (std::size_t v : order) AddUnits(v);
}

// The state --------------------------------------------------------------------------------------

void RoomReference::SetUpQueues() {
  allocated_.resize(world_.queues.size());
  non_preemptible_.resize(world_.queues.size());
  for (const Two& pod : world_.pods) Add(request_, InThousandths(pod));
  for (const RoomQueue& queue : world_.queues) {
    for (std::size_t r = 0; r < 2; ++r) guaranteed_in_tree_[r] |= queue.guaranteed[r] != kUnset;
  }
  for (const RoomVictim& victim : world_.victims) {
    if (victim.terminating) continue;
    for (int q : PathOf(victim.queue)) {
      for (const auto& pod : victim.pods) {
        Add(allocated_[q], InThousandths(pod.size));
        if (!victim.preemptible) Add(non_preemptible_[q], InThousandths(pod.size));
      }
    }
  }
}

std::vector<int> RoomReference::PathOf(int queue) const {
  std::vector<int> path;
  for (int q = queue; q != kUnset; q = world_.queues[q].parent) path.push_back(q);
  return path;
}

bool RoomReference::IsWithin(int queue, int ancestor) const {
  const std::vector<int> path = PathOf(queue);
  return std::find(path.begin(), path.end(), ancestor) != path.end();
}

// The children of the lowest common ancestor towards the victim (V) and towards the preemptor (P).
std::pair<int, int> RoomReference::Meet(int queue) const {
  for (int v : PathOf(queue)) {
    for (int p : path_) {
      if (v != p && world_.queues[v].parent == world_.queues[p].parent) return {v, p};
    }
  }
  return {kUnset, kUnset};
}

// When its minimum had been placed.
int RoomReference::StartOf(const RoomVictim& victim) const {
  std::vector<int> placed;
  for (const auto& pod : victim.pods) placed.push_back(kNow - pod.age_s);
  std::sort(placed.begin(), placed.end());
  return placed[placed.size() - static_cast<std::size_t>(victim.surplus) - 1];
}

// §6: for preempt the first that sets it from the leaf up, for reclaim from V up.
int RoomReference::RuntimeOf(const RoomVictim& victim, int donor) const {
  for (int q : PathOf(donor == kUnset ? victim.queue : donor)) {
    const RoomQueue& queue = world_.queues[q];
    const int set = donor == kUnset ? queue.preempt_min_s : queue.reclaim_min_s;
    if (set != kUnset) return set;
  }
  return 0;
}

// time.md §5.3: of the minimum, from reclaim.
int RoomReference::RepeatOf(const RoomVictim& victim, int donor) const {
  if (donor == kUnset || victim.stops == 0) return 0;
  return world_.repeat_s << (victim.stops - 1);
}

// Of the cluster, in parts of 10^9, rounded up.
std::int64_t RoomReference::DominantOf(const Amounts& amounts) const {
  Two capacity{};
  for (const Two& node : world_.nodes) capacity = capacity + node;
  std::int64_t dominant = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    const std::int64_t all = std::int64_t{1000} * capacity[r];
    if (amounts[r] == 0 || all == 0) continue;
    dominant = std::max(dominant, (amounts[r] * 1'000'000'000 + all - 1) / all);
  }
  return dominant;
}

void RoomReference::AddUnits(std::size_t v) {
  const RoomVictim& victim = world_.victims[v];
  if (!victim.preemptible || victim.terminating) return;
  const bool own = victim.queue == world_.queue;
  if (own && victim.priority >= world_.priority) return;
  const auto [donor, beside] = own ? std::pair(kUnset, kUnset) : Meet(victim.queue);
  const bool is_protected = now_ < StartOf(victim) + RuntimeOf(victim, donor);
  if (is_protected && victim.surplus == 0) return;

  std::vector<std::size_t> youngest_first;
  for (std::size_t p = 0; p < victim.pods.size(); ++p) youngest_first.push_back(p);
  std::stable_sort(youngest_first.begin(), youngest_first.end(), [&](std::size_t a, std::size_t b) {
    return victim.pods[a].age_s < victim.pods[b].age_s;
  });
  const auto surplus = static_cast<std::size_t>(victim.surplus);
  for (std::size_t first = 0; first < youngest_first.size();) {
    const bool minimum = first == surplus;
    if (minimum && is_protected) return;
    const std::size_t end = minimum ? youngest_first.size() : first + 1;
    Unit unit{.victim = v, .donor = donor, .beside = beside, .stops = minimum};
    unit.follows = first > 0;
    unit.stopped_before = minimum && now_ < StartOf(victim) + RepeatOf(victim, donor);
    unit.cost = {.highest_priority = victim.priority, .workloads_stopped = minimum ? 1 : 0};
    for (; first < end; ++first) {
      const auto& pod = victim.pods[youngest_first[first]];
      unit.pods.push_back(youngest_first[first]);
      // `now_` may be later than the world's: then it has run for longer.
      int age = pod.age_s + now_ - kNow;
      if (victim.checkpoint_s != kUnset) age %= victim.checkpoint_s;
      unit.cost.work_lost += DominantOf(InThousandths(pod.size)) * age;
      ++unit.cost.pods;
    }
    units_.push_back(unit);
  }
}

// The rights -------------------------------------------------------------------------------------

std::int64_t RoomReference::Figure(Right right, int queue, std::size_t r) const {
  if (right == Right::kShare) return fair_shares_[queue][r];
  return std::int64_t{1000} * std::max(0, world_.queues[queue].guaranteed[r]);
}

bool RoomReference::LooksAt(Right right, std::size_t r) const {
  return request_[r] > 0 && (right == Right::kShare || guaranteed_in_tree_[r]);
}

bool RoomReference::AppliesAtAll(Right right) const {
  return LooksAt(right, 0) || LooksAt(right, 1);
}

bool RoomReference::IsAbove(Right right, int queue, const Amounts& allocated) const {
  bool above = false;
  bool some_guaranteed = false;
  bool above_guarantee = false;
  for (std::size_t r = 0; r < 2; ++r) {
    if (!LooksAt(right, r)) continue;
    above |= allocated[r] > Figure(right, queue, r);
    some_guaranteed |= guaranteed_in_tree_[r];
    above_guarantee |= guaranteed_in_tree_[r] && allocated[r] > Figure(Right::kGuarantee, queue, r);
  }
  return above && (!some_guaranteed || above_guarantee);
}

bool RoomReference::KeepsTier(Right right, Tier tier, int queue, const Amounts& before,
                              const Amounts& after) const {
  if (tier == Tier::kAny) return true;
  const Right line = tier == Tier::kAboveShare ? Right::kShare : Right::kGuarantee;
  for (std::size_t r = 0; r < 2; ++r) {
    const std::int64_t least = Figure(line, queue, r);
    if (LooksAt(right, r) && before[r] >= least && after[r] < least) return false;
  }
  return true;
}

bool RoomReference::Less(const Saturation& a, const Saturation& b) {
  if (a.share == 0) return false;
  return b.share == 0 || a.allocated * b.share < b.allocated * a.share;
}

RoomReference::Saturation RoomReference::SaturationOf(Right right, int queue,
                                                      const Amounts& allocated) const {
  Saturation most;
  for (std::size_t r = 0; r < 2; ++r) {
    const Saturation in_r{allocated[r], fair_shares_[queue][r]};
    if (LooksAt(right, r) && allocated[r] > 0 && Less(most, in_r)) most = in_r;
  }
  return most;
}

Amounts RoomReference::AllocatedAfter(int queue, Units units) const {
  Amounts allocated = allocated_[queue];
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const RoomVictim& victim = world_.victims[units_[u].victim];
    if (!Has(units, u) || !IsWithin(victim.queue, queue)) continue;
    for (std::size_t p : units_[u].pods) Take(allocated, InThousandths(victim.pods[p].size));
  }
  return allocated;
}

bool RoomReference::RightsHold(Right right, Tier tier, Units units) const {
  // R2 and the tier, unit by unit in the order of giving.
  Units gone = 0;
  std::size_t highest = 0;  // of path_: the topmost P
  bool takes = false;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u) || units_[u].donor == kUnset) continue;
    const int donor = units_[u].donor;
    const Amounts before = AllocatedAfter(donor, gone);
    gone |= 1U << u;
    const Amounts after = AllocatedAfter(donor, gone);
    if (!IsAbove(right, donor, before)) return false;
    if (!KeepsTier(right, tier, donor, before, after)) return false;
    const auto at = std::find(path_.begin(), path_.end(), units_[u].beside) - path_.begin();
    highest = std::max(highest, static_cast<std::size_t>(at));
    takes = true;
  }
  if (!takes) return true;
  // R1, from the leaf up to P, with all of them gone.
  for (std::size_t i = 0; i <= highest; ++i) {
    Amounts allocated = AllocatedAfter(path_[i], units);
    Add(allocated, request_);
    for (std::size_t r = 0; r < 2; ++r) {
      if (LooksAt(right, r) && allocated[r] > Figure(right, path_[i], r)) return false;
    }
  }
  if (right != Right::kShare) return true;
  // R3: no queue is more saturated than a sibling that it took from.
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u) || units_[u].donor == kUnset) continue;
    Amounts preemptor = AllocatedAfter(units_[u].beside, units);
    Add(preemptor, request_);
    const Amounts donor = AllocatedAfter(units_[u].donor, units);
    if (Less(SaturationOf(right, units_[u].donor, donor),
             SaturationOf(right, units_[u].beside, preemptor))) {
      return false;
    }
  }
  return true;
}

bool RoomReference::LimitsHold(Units units, Leaving leaving) const {
  for (int q : path_) {
    const RoomQueue& queue = world_.queues[q];
    Amounts allocated = AllocatedAfter(q, units);
    Amounts non_preemptible = non_preemptible_[q];
    for (const RoomVictim& victim : world_.victims) {
      if (leaving == Leaving::kIsGone || !victim.terminating || !IsWithin(victim.queue, q))
        continue;
      for (const auto& pod : victim.pods) {
        Add(allocated, InThousandths(pod.size));
        if (!victim.preemptible) Add(non_preemptible, InThousandths(pod.size));
      }
    }
    for (std::size_t r = 0; r < 2; ++r) {
      if (request_[r] == 0) continue;
      const std::int64_t limit = std::int64_t{1000} * queue.limit[r];
      if (queue.limit[r] != kUnset && allocated[r] + request_[r] > limit) return false;
      if (!world_.preemptible && guaranteed_in_tree_[r] &&
          non_preemptible[r] + request_[r] > Figure(Right::kGuarantee, q, r)) {
        return false;
      }
    }
  }
  return true;
}

// time.md §5.4: of each queue above its leaf that lends less than all, enough stays free of what
// the other leaves below it leave unused; but for who takes no more than what leaves.
bool RoomReference::IsLent(Units units) const {
  Amounts gone{}, free{};
  for (const Two& node : world_.nodes) Add(free, InThousandths(node));
  Take(free, request_);
  for (std::size_t q = 0; q < world_.queues.size(); ++q) {
    const Amounts after = AllocatedAfter(static_cast<int>(q), units);
    if (world_.queues[q].parent != kUnset) continue;
    Take(free, after);
    Add(gone, allocated_[q]);
    Take(gone, after);
  }
  const auto is_leaf = [&](int q) {
    return std::ranges::none_of(world_.queues, [q](const RoomQueue& x) { return x.parent == q; });
  };
  for (std::size_t i = 1; i <= path_.size(); ++i) {
    const int top = i < path_.size() ? path_[i] : kUnset;
    const int kept = 100 - (top == kUnset ? world_.lend : world_.queues[top].lend);
    for (std::size_t r = 0; r < 2; ++r) {
      const std::int64_t its = AllocatedAfter(path_[0], units)[r] + request_[r];
      const bool borrows = its > Figure(Right::kGuarantee, path_[0], r);
      if (request_[r] == 0 || !guaranteed_in_tree_[r] || !borrows) continue;
      if (gone[r] >= request_[r]) continue;  // nothing is lent anew
      std::int64_t idle = 0;
      for (int q = 0; q < static_cast<int>(world_.queues.size()); ++q) {
        if (q == path_[0] || !is_leaf(q) || (top != kUnset && !IsWithin(q, top))) continue;
        const std::int64_t unused = Figure(Right::kGuarantee, q, r) - AllocatedAfter(q, units)[r];
        idle += std::max<std::int64_t>(0, unused);
      }
      if (100 * free[r] < kept * idle) return false;
    }
  }
  return true;
}

// Sets of units ----------------------------------------------------------------------------------

RoomReference::Cost RoomReference::CostOf(Units units) const {
  Cost cost;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u)) continue;
    cost.highest_priority = std::max(cost.highest_priority, units_[u].cost.highest_priority);
    cost.workloads_stopped += units_[u].cost.workloads_stopped;
    cost.work_lost += units_[u].cost.work_lost;
    cost.pods += units_[u].cost.pods;
  }
  return cost;
}

bool RoomReference::InOrder(Units units) const {
  for (std::size_t u = 1; u < units_.size(); ++u) {
    if (Has(units, u) && units_[u].follows && !Has(units, u - 1)) return false;
  }
  return true;
}

// Of equal cost: which of them has the earlier unit where they first differ.
bool RoomReference::GivesBefore(Units a, Units b) const {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (Has(a, u) != Has(b, u)) return Has(a, u);
  }
  return false;
}

std::vector<Two> RoomReference::FreeAfter(Units units, bool terminating_too) const {
  std::vector<Two> free = world_.nodes;
  for (const RoomVictim& victim : world_.victims) {
    if (victim.terminating && terminating_too) continue;
    for (const auto& pod : victim.pods) free[pod.node] = free[pod.node] - pod.size;
  }
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u)) continue;
    for (std::size_t p : units_[u].pods) {
      const auto& pod = world_.victims[units_[u].victim].pods[p];
      free[pod.node] = free[pod.node] + pod.size;
    }
  }
  return free;
}

bool RoomReference::Arrange(const std::vector<Two>& pods, std::size_t at, std::vector<Two>& free) {
  if (at == pods.size()) return true;
  for (Two& node : free) {
    if (node[0] < pods[at][0] || node[1] < pods[at][1]) continue;
    node = node - pods[at];
    const bool rest = Arrange(pods, at + 1, free);
    node = node + pods[at];
    if (rest) return true;
  }
  return false;
}

bool RoomReference::IsPastDeadline(Right right) const {
  const int waited = now_ - (kNow - world_.waited_s);
  return right == Right::kGuarantee && world_.ceiling && world_.ceiling->deadline_s != kUnset &&
         waited >= world_.ceiling->deadline_s;
}

// time.md §5.1, for what other queues lose.
bool RoomReference::LossAllowed(Right right, Units units) const {
  if (!world_.ceiling || right == Right::kNone) return true;
  const RoomCeiling& ceiling = *world_.ceiling;
  const std::int64_t waited = now_ - (kNow - world_.waited_s);
  std::int64_t lost = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (Has(units, u) && units_[u].donor != kUnset) lost += units_[u].cost.work_lost;
  }
  const std::int64_t hundredths =
      std::int64_t{100} * ceiling.grace_s + ceiling.waited_percent * waited;
  return 100 * lost <= DominantOf(request_) * hundredths;
}

bool RoomReference::Serves(Right right, Tier tier, Units units) const {
  if (!InOrder(units) || !LimitsHold(units) || !IsLent(units)) return false;
  for (std::size_t u = 0; u < units_.size() && !IsPastDeadline(right); ++u) {
    if (Has(units, u) && units_[u].stopped_before) return false;
  }
  if (!IsPastDeadline(right) && !LossAllowed(right, units)) return false;
  // §10: with `Yield` a budget binds only for what a queue has within its guarantee, judged before
  // each unit leaves.
  const auto binds = [&](std::size_t u, Units gone) {
    if (!world_.budgets_yield) return true;
    const RoomVictim& victim = world_.victims[units_[u].victim];
    const Amounts allocated = AllocatedAfter(victim.queue, gone);
    Amounts holds{};
    for (std::size_t p : units_[u].pods) Add(holds, InThousandths(victim.pods[p].size));
    bool any_guaranteed = false;
    for (std::size_t r = 0; r < 2; ++r) {
      if (holds[r] == 0 || !guaranteed_in_tree_[r]) continue;
      any_guaranteed = true;
      if (allocated[r] > Figure(Right::kGuarantee, victim.queue, r)) return false;
    }
    return any_guaranteed;
  };
  int of_budget = 0;
  bool bound = false;
  Units gone = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u)) continue;
    if (right == Right::kNone && units_[u].donor != kUnset) return false;
    if (world_.victims[units_[u].victim].budget) {
      of_budget += static_cast<int>(units_[u].pods.size());
      bound |= binds(u, gone);
    }
    gone |= 1U << u;
  }
  if (world_.budget_allows != kUnset && bound && of_budget > world_.budget_allows) return false;
  std::vector<Two> free = FreeAfter(units, true);
  if (!Arrange(world_.pods, 0, free)) return false;
  return right == Right::kNone || (!AnyGoesForRight(units) && RightsHold(right, tier, units));
}

// Whether a unit goes, from below a queue beside which others leave, without which room and limits
// would serve as well.
bool RoomReference::AnyGoesForRight(Units units) const {
  const auto is_below = [&](std::size_t u) {
    for (std::size_t other = 0; other < units_.size(); ++other) {
      if (Has(units, other) && units_[other].donor != kUnset &&
          IsWithin(world_.victims[units_[u].victim].queue, units_[other].beside)) {
        return true;
      }
    }
    return false;
  };
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u) || !is_below(u)) continue;
    Units rest = units & ~(1U << u);
    for (std::size_t next = u + 1; next < units_.size() && units_[next].follows; ++next) {
      rest &= ~(1U << next);
    }
    std::vector<Two> free = FreeAfter(rest, true);
    if (LimitsHold(rest) && IsLent(rest) && Arrange(world_.pods, 0, free)) return true;
  }
  return false;
}

RoomReference::Answer RoomReference::Cheapest(Right right, Tier tier, Units among) const {
  Answer best;
  std::vector<Two> most = FreeAfter(among, true);
  if (!Arrange(world_.pods, 0, most)) return best;
  for (Units units = among;; units = (units - 1) & among) {
    const Cost cost = CostOf(units);
    const bool better = best.verdict == Verdict::kNone || cost < best.cost ||
                        (cost == best.cost && GivesBefore(units, best.units));
    if (better && Serves(right, tier, units)) best = {Verdict::kFound, cost, units};
    if (units == 0) return best;
  }
}

// The units of the first donor, of the first two, and so on: the most over-share first.
std::vector<RoomReference::Units> RoomReference::Prefixes(Right right) const {
  std::vector<int> donors;
  for (const Unit& unit : units_) {
    if (unit.donor != kUnset && std::find(donors.begin(), donors.end(), unit.donor) == donors.end())
      donors.push_back(unit.donor);
  }
  std::sort(donors.begin(), donors.end(), [&](int a, int b) {
    const Saturation x = SaturationOf(right, a, allocated_[a]);
    const Saturation y = SaturationOf(right, b, allocated_[b]);
    if (Less(x, y) || Less(y, x)) return Less(y, x);
    return world_.queues[a].name < world_.queues[b].name;
  });
  std::vector<Units> prefixes;
  Units units = 0;
  for (int donor : donors) {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (units_[u].donor == donor) units |= 1U << u;
    }
    prefixes.push_back(units);
  }
  return prefixes;
}

RoomReference::Answer RoomReference::Solve() const {
  std::vector<Two> free = FreeAfter(0, true);
  if (LimitsHold(0) && !IsLent(0) && Arrange(world_.pods, 0, free)) return {};  // none is asked
  free = FreeAfter(0, false);
  if (LimitsHold(0) && Arrange(world_.pods, 0, free)) {
    return {.verdict = LimitsHold(0, Leaving::kCounts) ? Verdict::kFits : Verdict::kFitsLater};
  }
  free = FreeAfter(0, true);
  if (LimitsHold(0) && Arrange(world_.pods, 0, free)) return {.verdict = Verdict::kComing};
  Units own = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) own |= units_[u].donor == kUnset ? 1U << u : 0;
  auto reclaim = [&](Units with) {
    for (const Right right : {Right::kGuarantee, Right::kShare}) {
      if (!AppliesAtAll(right)) continue;
      for (const Tier tier : {Tier::kAboveShare, Tier::kAboveGuarantee, Tier::kAny}) {
        for (const Units prefix : Prefixes(right)) {
          const Answer answer = Cheapest(right, tier, prefix | with);
          if (answer.verdict == Verdict::kFound) return answer;
        }
      }
    }
    return Answer{};
  };
  if (const Answer answer = reclaim(0); answer.verdict == Verdict::kFound) return answer;
  const Answer preempt = Cheapest(Right::kNone, Tier::kAny, own);
  return preempt.verdict == Verdict::kFound || own == 0 ? preempt : reclaim(own);
}

// What the engine did ----------------------------------------------------------------------------

std::vector<std::string> RoomReference::PodsOf(Units units) const {
  std::vector<std::string> names;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!Has(units, u)) continue;
    for (std::size_t p : units_[u].pods)
      names.push_back(VictimPodName(world_, units_[u].victim, p));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<RoomReference::Units> RoomReference::UnitsOf(std::vector<std::string> pods) const {
  Units units = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const std::vector<std::string> of_unit = PodsOf(1U << u);
    const bool all = std::all_of(of_unit.begin(), of_unit.end(), [&](const std::string& name) {
      return std::find(pods.begin(), pods.end(), name) != pods.end();
    });
    if (all) units |= 1U << u;
  }
  std::sort(pods.begin(), pods.end());
  return PodsOf(units) == pods ? std::optional(units) : std::nullopt;
}

std::string RoomReference::Fault(Units units) const {
  bool serves = false;
  bool all_needed = false;
  for (const Right right : {Right::kNone, Right::kGuarantee, Right::kShare}) {
    if (right != Right::kNone && !AppliesAtAll(right)) continue;
    for (const Tier tier : {Tier::kAboveShare, Tier::kAboveGuarantee, Tier::kAny}) {
      if (!Serves(right, tier, units)) continue;
      serves = true;
      bool needed = true;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        if (Has(units, u) && Serves(right, tier, units & ~(1U << u))) needed = false;
      }
      all_needed |= needed;
    }
  }
  if (!serves) return "they do not serve";
  return all_needed ? "" : "one of them could be put back";
}

std::optional<int> RoomReference::NextLapse() const {
  std::optional<int> next;
  for (const RoomVictim& victim : world_.victims) {
    const int donor = victim.queue == world_.queue ? kUnset : Meet(victim.queue).first;
    for (const int protection : {RuntimeOf(victim, donor), RepeatOf(victim, donor)}) {
      const int until = StartOf(victim) + protection;
      if (until > now_) next = std::min(next.value_or(until), until);
    }
  }
  return next;
}

}  // namespace fairlead::engine
