// The cheapest victims of one scope, for a whole step (semantics.md §4.4).
//
// 1. Needs. Where limits or rights want so much gone from a queue, that leaves first: the cheapest
//    workloads of the queue, each in its own order of leaving.
// 2. Places. Pods go one by one, the largest first, each to the node that is cheapest for it now.
//    What one pod's victims free is free for the next.
// 3. Put back. Backwards through the order of giving: a victim returns where the rest still
//    stands, and the step's pods may move for that.
// 4. The whole is judged by the validators. What they refuse is no answer.
//
// Greedy by pods is exact where each further pod costs at least as much as the one before. The
// answer says so (`proven`); where it cannot, few units are searched whole (room_search_whole.cc).
//
// Worked: a gang of two pods of 4 GPUs. Node a runs x (4 GPUs, 1 h of work) and y (4, 5 h), node b
// runs z (8 GPUs, 2 h). First pod: x for 4 GPU hours. Second pod: y for 20, or z for 16: z goes.
// Now b has room for both: x is put back, the first pod moves to b, and z alone is the answer.

#include "engine/room/room_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "base/sorted_set.h"
#include "engine/place/put_in_place.h"
#include "engine/room/room_exchange.h"
#include "policy/disruption_budget.h"
#include "policy/dynamic_demand.h"
#include "policy/limits.h"
#include "state/favour.h"

namespace fairlead::engine {

using policy::EvictionCost;
using state::Amounts;
using state::NodeId;
using state::PodId;
using state::QueueId;
using state::ShapeId;
using state::Trial;
using state::When;

namespace {

using By = RoomOffers::By;

constexpr std::int32_t kAnyPriority = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostOffers = 64;  // kept at a time

}  // namespace

void RoomSearch::Start(Time now) {
  offers_.clear();
  losses_.Start(now);
}

FieldAnswer RoomSearch::Search(const VictimScope& scope, const RoomStep& step, Trial& trial) {
  std::erase_if(offers_, [](const auto& known) { return known.second->gangs(); });
  const state::Favour favour(
      cluster_, DependOnOthers(cluster_, step.parts) || PreferPods(cluster_, step.parts)
                    ? step.workload
                    : state::WorkloadId());
  const std::size_t mark = trial.Mark();
  FieldAnswer answer = SearchByNode(scope, step, By::kCost, trial);
  bool by_curves = false;
  const auto again = [&] {
    if (!by_curves) return SearchByNode(scope, step, By::kCost, trial);
    FieldAnswer same{.proven = answer.proven, .fewest_proven = answer.fewest_proven};
    (void)TrySet(scope, step, answer.victims, trial, same);
    return same;
  };
  if (answer.found && !answer.proven && !answer.convex && curves_.Suits(step)) {
    trial.UndoTo(mark);
    by_curves = FindCheaper(scope, step, trial, answer);
    const auto [proven, fewest] = std::pair(answer.proven, answer.fewest_proven);
    answer = again();
    answer.proven = proven;
    answer.fewest_proven = fewest;
  }
  if (answer.proven || answer.victims.size() > kFewUnits) return answer;
  trial.UndoTo(mark);
  std::vector<VictimUnit> units;
  if (!CollectFew(scope, step, units)) {
    if (answer.found) {
      const bool fewest = answer.fewest_proven;
      answer = again();
      answer.fewest_proven = fewest;
      return answer;
    }
    const bool otherwise = PodsOf(step) > 1 && (scope.bounded() || scope.ceiling().binds());
    return otherwise ? SearchOtherwise(scope, step, trial) : answer;
  }
  FieldAnswer whole = SearchWhole(scope, step, units, trial);
  // An arrangement of many pods may be found on the one way and missed, unproven, on the other.
  return whole.found || !answer.found ? whole : again();
}

// By node curves (room_curves.h), and then by exchange (room_exchange.h), beside what was found pod
// by pod. Whether it is cheaper: the answer then is that. It is proven where the least of all sums
// costs as much.
bool RoomSearch::FindCheaper(const VictimScope& scope, const RoomStep& step, Trial& trial,
                             FieldAnswer& answer) {
  const auto needs = scope.Needs(step.preemptible);
  const std::int32_t most = LowestThatServes(scope, step);
  EvictionCost cost = CostOf(answer.victims);
  bool cheaper = false;
  const auto take = [&](std::vector<VictimUnit> units) {
    const std::size_t mark = trial.Mark();
    SortByGiving(units);
    FieldAnswer found;
    if (!TrySet(scope, step, std::move(units), trial, found)) return;
    PutBack(scope, step, trial, found.victims);
    if (const EvictionCost now = CostOf(found.victims); now < cost) {
      cheaper = true;
      cost = now;
      answer.victims = std::move(found.victims);
    }
    trial.UndoTo(mark);
  };
  using GangCost = NodeVictims::GangCost;
  const auto by_node = curves_.Cheapest(scope, step, most, GangCost::kWhole);
  if (!by_node) return false;
  take(by_node->units);
  answer.proven = by_node->least && needs && needs->empty() && cost == CostOf(by_node->units);
  if (!by_node->gangs) return cheaper;
  const std::vector<VictimUnit> whole = victims_.WholeUnits(scope, step.parts.front().shape, most);
  RoomExchange exchange(cluster_, placer_, step, whole);
  const auto take_improved = [&](std::vector<VictimUnit> units) {
    if (exchange.Improve(units)) take(std::move(units));
  };
  RoomCurves::Choice by_part;
  for (const auto by : {GangCost::kByPart, GangCost::kNoGangs}) {
    const auto choice = curves_.Cheapest(scope, step, most, by, whole);
    if (!choice) continue;
    take(choice->units);
    take_improved(choice->units);
    if (by == GangCost::kByPart) by_part = *choice;
  }
  take_improved(by_node->units);
  take_improved(answer.victims);
  answer.fewest_proven =
      cost.highest_priority <= most &&
      cost.workloads_stopped <=
          curves_.FewestWorkloads(scope, step, most, std::move(by_part), cost.workloads_stopped);
  return cheaper;
}

// Where what was cheapest for the first pods used up what the others would need: of what may be
// lost, or of the donors' rights, who go below their line once.
FieldAnswer RoomSearch::SearchOtherwise(const VictimScope& scope, const RoomStep& step,
                                        Trial& trial) {
  FieldAnswer answer;
  if (scope.ceiling().binds()) answer = SearchByLoss(scope, step, trial);
  if (!answer.found && scope.bounded()) answer = SearchByNode(scope, step, By::kRights, trial);
  if (!answer.found && scope.bounded() && AreOfOneShape(step.parts)) {
    answer = SearchOneGang(scope, step, trial);
  }
  answer.proven = false;
  return answer;
}

FieldAnswer RoomSearch::SearchByLoss(const VictimScope& scope, const RoomStep& step, Trial& trial) {
  FieldAnswer answer;
  {
    const NodeVictims::LossAlone loss_alone(victims_);
    answer = SearchByNode(scope, step, By::kLoss, trial);
  }
  for (VictimUnit& unit : answer.victims) unit.cost = losses_.CostOf(unit.leaving(), unit.stops);
  return answer;
}

RoomOffers& RoomSearch::OffersOf(const VictimScope& scope, ShapeId s, std::int32_t max_priority,
                                 RoomOffers::For wanted, By by) {
  const policy::Preemptor& preemptor = scope.preemptor();
  std::vector<std::uint64_t> key = {
      by == By::kLoss ? 1U : 0U,
      s.value(),
      preemptor.queue.value(),
      static_cast<std::uint32_t>(max_priority),
      static_cast<std::uint32_t>(wanted),
      scope.right() == nullptr ? 2U : static_cast<std::uint32_t>(scope.right()->right()),
      static_cast<std::uint32_t>(scope.tier())};
  // Whom it may ask by its priority, where a right says so.
  if (scope.right() != nullptr) {
    key.push_back(static_cast<std::uint64_t>(preemptor.reclaims_below));
  }
  // Who the preemptor is matters where its own workload's pods could be among the candidates.
  key.push_back(
      cluster_.workloads()[preemptor.workload].live > 0 ? preemptor.workload.value() + 1ULL : 0);
  if (const Reach* reach = placer_.classes().reach()) {
    key.push_back(std::uint64_t{reach->tree.value()} << 32 | reach->domain.value());
  }
  for (const Donor& donor : scope.donors()) {
    key.push_back(donor.queue.value() * 2ULL + (donor.own() ? 1 : 0));
    if (donor.own()) key.push_back(static_cast<std::uint32_t>(preemptor.priority));
  }
  auto at = offers_.find(key);
  if (at == offers_.end()) {
    if (offers_.size() >= kMostOffers) offers_.clear();
    at =
        offers_
            .emplace(std::move(key), std::make_unique<RoomOffers>(cluster_, placer_, victims_,
                                                                  rights_, s, max_priority, wanted))
            .first;
  }
  return *at->second;
}

// Bounds -----------------------------------------------------------------------------------------

bool RoomSearch::CouldServe(const VictimScope& scope, const RoomStep& step,
                            std::int32_t max_priority) {
  return std::all_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
    const std::int64_t wanted = PodsOf(step, part.shape);
    std::int64_t room = 0;
    placer_.classes().ForEachInReach([&](NodeId n) {
      room += victims_.Bound(scope, part.shape, n, max_priority);
      return room < wanted;
    });
    return room >= wanted;
  });
}

// The highest priority that has to go weighs most: the lowest bound on it that leaves enough.
std::int32_t RoomSearch::LowestThatServes(const VictimScope& scope, const RoomStep& step) {
  const auto& live = cluster_.queues().PlacedPriorities(state::QueueTree::Root());
  if (live.size() <= 1) return kAnyPriority;
  std::vector<std::int32_t> priorities;
  for (const auto& [priority, pods] : live) priorities.push_back(priority);
  const auto lowest = std::partition_point(
      priorities.begin(), priorities.end(),
      [&](std::int32_t priority) { return !CouldServe(scope, step, priority); });
  return lowest == priorities.end() ? kAnyPriority : *lowest;
}

// By node ----------------------------------------------------------------------------------------

FieldAnswer RoomSearch::SearchByNode(const VictimScope& scope, const RoomStep& step, By by,
                                     Trial& trial) {
  const auto needs = scope.Needs(step.preemptible);
  if (!needs) return {};
  const bool one_pod = PodsOf(step) == 1;
  if (!one_pod && !CouldServe(scope, step, kAnyPriority)) return {};
  if (one_pod && !needs->empty()) {
    // Whoever makes room on a node has to leave in any case: where that is enough for the limits
    // and rights too, nothing is cheaper.
    const std::size_t mark = trial.Mark();
    FieldAnswer by_node = PlaceAfter(scope, step, {}, by, trial);
    if (by_node.found && by_node.proven) return by_node;
    trial.UndoTo(mark);
  }
  return PlaceAfter(scope, step, *needs, by, trial);
}

FieldAnswer RoomSearch::PlaceAfter(const VictimScope& scope, const RoomStep& step,
                                   std::span<const VictimScope::Need> needs, By by, Trial& trial) {
  FieldAnswer answer;
  // They bind no longer for queues that have more by now.
  if (policy::BudgetsYield(cluster_)) {
    for (auto& [field_and_shape, offers] : offers_) offers->AskBudgetsAgain();
  }
  const bool one_pod = PodsOf(step) == 1;
  const std::size_t mark = trial.Mark();
  answer.convex = AreOfOneShape(step.parts);
  answer.proven = needs.empty() && answer.convex;
  for (const VictimScope::Need& need : needs) {
    if (MeetNeed(scope, step, need, trial, answer.victims)) continue;
    trial.UndoTo(mark);
    answer.victims.clear();
    return answer;
  }
  // The cheapest of all that could meet a need, and it is enough: nothing is cheaper.
  const bool one_meets_needs = one_pod && !needs.empty() && answer.victims.size() == 1;
  const std::int32_t most =
      one_pod || by != By::kCost ? kAnyPriority : LowestThatServes(scope, step);
  const std::size_t needed = answer.victims.size();
  const std::size_t after_needs = trial.Mark();
  bool placed = PlaceParts(scope, step, most, by, trial, answer);
  if (!placed && most != kAnyPriority && DependOnOthers(cluster_, step.parts)) {
    // Who refuses the pods may be above what room alone would take.
    trial.UndoTo(after_needs);
    answer.victims.resize(needed);
    answer.proven = false;
    placed = PlaceParts(scope, step, kAnyPriority, by, trial, answer);
  }
  if (!one_pod && DependOnDomains(cluster_, step.parts))
    answer.proven = answer.proven && most == kAnyPriority;
  // Who left for the second may be whom the first wanted beside it.
  if (placed && !one_pod && DependOnDomains(cluster_, step.parts) && !StandTogether(step)) {
    placed = false;
    answer.proven = false;
  }
  SortByGiving(answer.victims);
  if (placed && DropForRight(scope, step, mark, trial, answer.victims)) answer.proven = false;
  if (!placed || !Stands(scope, answer.victims)) {
    // A single pod was offered all there is; a gang might have been placed some other way, and
    // others might move.
    answer.proven = answer.proven && one_pod && !scope.moves();
    trial.UndoTo(mark);
    answer.victims.clear();
    return answer;
  }
  answer.found = true;
  answer.proven |= one_meets_needs && answer.victims.size() == 1;
  const bool spare = std::any_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
    return placer_.RoomFor(part.shape, 1, When::kLater) > 0;
  });
  if (spare || !answer.proven) {
    const std::size_t had = answer.victims.size();
    PutBack(scope, step, trial, answer.victims);
    if (answer.victims.size() < had && !one_pod) answer.proven = false;
  }
  return answer;
}

// What a workload gives from nodes where the step's pods could run. Units leave in their order:
// what comes after one that is of no use here is of none either.
std::vector<VictimUnit> RoomSearch::UsableUnits(const VictimScope& scope, const RoomStep& step,
                                                state::WorkloadId w, std::uint32_t donor) {
  std::vector<VictimUnit> units = victims_.UnitsOf(scope, w, donor);
  auto usable = [&](const VictimUnit& unit) {
    return std::any_of(unit.pods.begin(), unit.pods.end(), [&](PodId p) {
      return std::any_of(step.parts.begin(), step.parts.end(), [&](const GangPart& part) {
        return placer_.classes().Fits(part.shape, cluster_.pods()[p].node) ||
               StandsAgainst(part.shape, cluster_.pods()[p].shape);
      });
    });
  };
  std::erase_if(units, [&](const VictimUnit& unit) { return !usable(unit); });
  return units;
}

// Whether a pod's leaving may help one of the shape wherever it is: they exclude each other, or it
// counts for a spread.
bool RoomSearch::StandsAgainst(ShapeId s, ShapeId other) const {
  const state::Shape& shape = cluster_.shapes()[s];
  if (shape.dynamic->empty()) return false;
  const state::Shape& of_other = cluster_.shapes()[other];
  const auto& spread = shape.dynamic->spread;
  return policy::Exclude(shape, of_other) ||
         std::any_of(spread.begin(), spread.end(), [&](const auto& each) {
           const auto& holds = of_other.dynamic->holds;
           return std::binary_search(holds.begin(), holds.end(), each.term);
         });
}

// Takes the cheapest units from within the queue until what must leave it has left.
bool RoomSearch::MeetNeed(const VictimScope& scope, const RoomStep& step,
                          const VictimScope::Need& need, Trial& trial,
                          std::vector<VictimUnit>& units) {
  struct Offer {
    std::vector<VictimUnit> units;  // of one workload, in the order of leaving
    std::size_t next = 0;
  };
  std::vector<Offer> offers;
  scope.ForEachCandidate(need.queue, [&](state::WorkloadId w, std::uint32_t donor) {
    std::vector<VictimUnit> of =
        need.of_limit ? victims_.UnitsOf(scope, w, donor) : UsableUnits(scope, step, w, donor);
    if (!of.empty()) offers.push_back({.units = std::move(of), .next = 0});
    return true;
  });
  auto dearer = [&](std::size_t a, std::size_t b) {
    const VictimUnit& x = offers[a].units[offers[a].next];
    const VictimUnit& y = offers[b].units[offers[b].next];
    if (x.cost != y.cost) return x.cost > y.cost;
    return policy::GivesFirst(cluster_, y.candidate.workload, x.candidate.workload);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(dearer)> cheapest(dearer);
  for (std::size_t i = 0; i < offers.size(); ++i) cheapest.push(i);

  Amounts left = need.amounts;
  for (const VictimUnit& unit : units) {
    if (scope.IsWithin(unit.candidate.workload, need.queue)) state::AddTo(left, unit.amounts, -1);
  }
  auto lacks = [&](const Amounts& amounts) {
    return std::any_of(left.begin(), left.end(), [&](const state::Amount& a) {
      return a.amount > 0 && state::AmountOf(need.amounts, a.resource) > 0 &&
             state::AmountOf(amounts, a.resource) > 0;
    });
  };
  auto met = [&] {
    return std::all_of(need.amounts.begin(), need.amounts.end(), [&](const state::Amount& a) {
      return state::AmountOf(left, a.resource) <= 0;
    });
  };
  Outstanding outstanding{.request = {}, .may_lose = scope.ceiling().most()};
  outstanding.Lose(scope.LostByOthers(units));
  while (!met()) {
    if (cheapest.empty()) return false;
    const std::size_t i = cheapest.top();
    cheapest.pop();
    const VictimUnit& unit = offers[i].units[offers[i].next++];
    const VictimUnit* one[] = {&unit};
    const bool may = lacks(unit.amounts) && scope.MayLeave(one, outstanding) &&
                     (scope.leniency().budgets || policy::BudgetsAllow(cluster_, unit.leaving()));
    if (may) {
      for (PodId p : unit.pods) trial.Evict(p);
      state::AddTo(left, unit.amounts, -1);
      outstanding.Lose(scope.LostByOthers(unit));
      units.push_back(unit);
    }
    // A workload leaves in its order: what comes after a unit that may not leave may not either.
    if (may && offers[i].next < offers[i].units.size()) cheapest.push(i);
  }
  return true;
}

bool RoomSearch::PlaceParts(const VictimScope& scope, const RoomStep& step,
                            std::int32_t max_priority, By by, Trial& trial, FieldAnswer& answer) {
  std::vector<std::size_t> order(step.parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return policy::DominantPart(cluster_, step.parts[a].shape) >
           policy::DominantPart(cluster_, step.parts[b].shape);
  });
  Outstanding outstanding{.request = step.request, .may_lose = scope.ceiling().most()};
  outstanding.Lose(scope.LostByOthers(answer.victims));
  EvictionCost last;
  NodeOffer offer;
  for (std::size_t k : order) {
    const GangPart& part = step.parts[k];
    RoomOffers& offers =
        OffersOf(scope, part.shape, max_priority,
                 PodsOf(step) == 1 ? RoomOffers::For::kOnePod : RoomOffers::For::kMany, by);
    for (std::int64_t i = 0; i < part.count(); ++i) {
      const NodeId n = offers.Best(scope, outstanding, by, offer);
      if (const auto lapse = offers.earliest_lapse()) scope.NoteLapse(*lapse);
      // With rights in the way the cheapest first is no longer sure to be the cheapest in sum.
      const bool many = PodsOf(step) > 1;
      if ((many || scope.donors_help()) && offers.refused_by_right()) answer.proven = false;
      if (!n.valid()) return false;
      const bool single =
          std::all_of(offer.units.begin(), offer.units.end(), [this](const VictimUnit& u) {
            return cluster_.workloads()[u.candidate.workload].solo();
          });
      const bool dearer = !many || (single && !(offer.cost < last) && offers.convex());
      answer.convex &= offer.exact && dearer;
      answer.proven &= answer.convex;
      last = offer.cost;
      outstanding.Lose(scope.LostByOthers(offer.units));
      for (VictimUnit& unit : offer.units) {
        for (PodId p : unit.pods) trial.Evict(p);
        LookAgainAt(unit.candidate.workload);
        answer.victims.push_back(std::move(unit));
      }
      if (i < std::ssize(part.pods)) {
        trial.Put(part.pods[static_cast<std::size_t>(i)], n, When::kLater);
      } else {
        trial.PutExpected(step.workload, part.pod_set, n, When::kLater);
      }
      state::AddTo(outstanding.request, cluster_.shapes()[part.shape].request, -1);
    }
  }
  return true;
}

// What a gang offers on one node depends on what has left it on others.
void RoomSearch::LookAgainAt(state::WorkloadId w) {
  if (cluster_.workloads()[w].solo()) return;
  cluster_.ForEachPodOf(w, [this](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.live()) cluster_.NoteTouched(pod.node);
  });
}

// Whether the whole stands ----------------------------------------------------------------------

void RoomSearch::SortByGiving(std::vector<VictimUnit>& units) const {
  std::stable_sort(units.begin(), units.end(), [this](const VictimUnit& a, const VictimUnit& b) {
    return policy::GivesFirst(cluster_, a.candidate.workload, b.candidate.workload);
  });
}

bool RoomSearch::FiguresHold(const VictimScope& scope, const std::vector<VictimUnit>& units,
                             const Amounts& more) const {
  const state::QueueTree& queues = cluster_.queues();
  const policy::Preemptor& preemptor = scope.preemptor();
  const std::uint32_t right_from = scope.RightFrom(units);
  if (!policy::WithinLimits(queues, preemptor.queue, preemptor.request, more)) return false;
  if (queues.idle().kept()) {
    Amounts gone;
    for (const VictimUnit& unit : units) state::AddTo(gone, unit.amounts, 1);
    if (!policy::Lends(cluster_, preemptor.workload, preemptor.request, more, gone)) return false;
  }
  for (QueueId q = preemptor.queue; q != state::QueueTree::Root(); q = queues[q].parent) {
    if (queues[q].depth >= right_from && !scope.PreemptorMay(q, more)) return false;
  }
  return true;
}

bool RoomSearch::Stands(const VictimScope& scope, const std::vector<VictimUnit>& units) {
  std::vector<const VictimUnit*> all;
  std::vector<policy::Scenario::Victim> victims;
  for (const VictimUnit& unit : units) {
    all.push_back(&unit);
    victims.push_back({.candidate = unit.candidate,
                       .pods = {unit.pods.data(), unit.pods.size()},
                       .stops = unit.stops});
  }
  if (!FiguresHold(scope, units, {}) || !scope.MightLeave(all)) return false;
  const auto invalid =
      policy::InvalidUntil(cluster_, scope.preemptor(), {.victims = victims}, scope.leniency());
  if (invalid) scope.NoteLapse(*invalid);
  return !invalid && (!scope.moves() || MayMove(scope, units));
}

// Whether all of them land elsewhere, and lose no more by that than they may.
bool RoomSearch::MayMove(const VictimScope& scope, const std::vector<VictimUnit>& units) {
  if (scope.LostByOthers(units) > scope.ceiling().most()) {
    policy::Loss loss;
    for (const VictimUnit& unit : units) loss.Add(losses_.Of(unit.leaving()));
    scope.NoteLapse(scope.ceiling().AllowsFrom(loss));
    return false;
  }
  return landings_.Find(units);
}

// Nothing for nothing ----------------------------------------------------------------------------

void RoomSearch::PutBack(const VictimScope& scope, const RoomStep& step, Trial& trial,
                         std::vector<VictimUnit>& units) {
  for (std::size_t i = units.size(); i-- > 0;) {
    if (IsLastOfItsWorkload(units, i) && PutBackOne(scope, step, trial, units, i)) {
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

// A unit goes for room or for a limit, never for a right alone, which others' leaving stands on:
// it would return elsewhere, and all begin anew. Without one that does the gang is still placed,
// and its queues are within their limits. Returns whether there was any; the rest is then placed
// anew. REQUIRES: all that was done since `mark` is the units' leaving and the step's placement.
bool RoomSearch::DropForRight(const VictimScope& scope, const RoomStep& step, std::size_t mark,
                              Trial& trial, std::vector<VictimUnit>& units) {
  if (!scope.some_help_rights()) return false;
  const std::uint32_t right_from = scope.RightFrom(units);
  std::vector<PodId> dropped;
  for (std::size_t i = units.size(); i-- > 0;) {
    if (!scope.CountsFrom(units[i].donor, right_from)) continue;
    const auto at = units.begin() + static_cast<std::ptrdiff_t>(i);
    if (!IsLastOfItsWorkload(units, i)) continue;
    dropped.insert(dropped.end(), at->pods.begin(), at->pods.end());
    if (ServesWithout(step, units, dropped, trial)) {
      units.erase(at);
    } else {
      dropped.resize(dropped.size() - at->pods.size());
    }
  }
  if (dropped.empty()) return false;
  trial.UndoTo(mark);
  for (const VictimUnit& unit : units) {
    for (PodId p : unit.pods) trial.Evict(p);
  }
  PlaceGang(placer_, cluster_, step.workload, step.parts, When::kLater, trial);
  return true;
}

bool RoomSearch::ServesWithout(const RoomStep& step, const std::vector<VictimUnit>& units,
                               const std::vector<PodId>& stay, Trial& trial) {
  const std::size_t mark = trial.Mark();
  std::vector<PodId> placed;
  for (const Trial::Step& done : trial.steps()) {
    const state::Pod& pod = cluster_.pods()[done.pod];
    if (pod.workload == step.workload && pod.claims()) placed.push_back(done.pod);
  }
  for (PodId p : placed) trial.Release(p);
  for (PodId p : stay) trial.Unevict(p);
  Amounts gone;
  for (const VictimUnit& unit : units) {
    const bool stays = std::ranges::find(stay, unit.pods.front()) != stay.end();
    if (!stays) state::AddTo(gone, unit.amounts, 1);
  }
  const bool serves =
      policy::WithinLimits(cluster_.queues(), step.queue, step.request, step.request) &&
      policy::Lends(cluster_, step.workload, step.request, step.request, gone) &&
      PlaceGang(placer_, cluster_, step.workload, step.parts, When::kLater, trial) ==
          GangVerdict::kPlaced;
  trial.UndoTo(mark);
  return serves;
}

bool RoomSearch::PutBackOne(const VictimScope& scope, const RoomStep& step, Trial& trial,
                            std::vector<VictimUnit>& units, std::size_t i) {
  const std::size_t mark = trial.Mark();
  bool fits = true;
  for (PodId p : units[i].pods) {
    trial.Unevict(p);
    fits = fits && MoveFrom(step, cluster_.pods()[p].node, trial);
  }
  if (fits && DependOnOthers(cluster_, step.parts) && !StandTogether(step))
    fits = PlaceAnew(step, trial);
  if (fits) {
    std::vector<VictimUnit> rest = units;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (Stands(scope, rest)) return true;
  }
  trial.UndoTo(mark);
  return false;
}

// Whether what is placed by now lets all of the step's pods be where they are, in some order.
bool RoomSearch::StandTogether(const RoomStep& step) {
  std::vector<PodId> pods;
  cluster_.ForEachPodOf(step.workload, [&](PodId p) {
    if (cluster_.pods()[p].placed() && cluster_.pods()[p].claims()) pods.push_back(p);
  });
  Trial trial(cluster_);
  return PutInPlace(placer_, cluster_, pods, When::kLater, trial);
}

bool RoomSearch::PlaceAnew(const RoomStep& step, Trial& trial) {
  std::vector<PodId> placed;
  for (const Trial::Step& done : trial.steps()) {
    const state::Pod& pod = cluster_.pods()[done.pod];
    if (pod.expected) return false;  // made for the step where it is
    if (pod.workload == step.workload && pod.claims()) placed.push_back(done.pod);
  }
  MakeSet(placed);
  for (PodId p : placed) trial.Release(p);
  return PlaceGang(placer_, cluster_, step.workload, step.parts, When::kLater, trial) ==
         GangVerdict::kPlaced;
}

// Moves the step's pods off a node that has become too full, to where there is room later.
bool RoomSearch::MoveFrom(const RoomStep& step, NodeId n, Trial& trial) {
  auto too_full = [&] {
    const std::int64_t* later = cluster_.nodes().later(n);
    return std::any_of(later, later + cluster_.nodes().stride(),
                       [](std::int64_t amount) { return amount < 0; });
  };
  const std::vector<PodId> there = cluster_.nodes().pods(n);
  for (PodId p : there) {
    if (!too_full()) return true;
    const state::Pod& pod = cluster_.pods()[p];
    if (!pod.claims() || pod.workload != step.workload) continue;
    const std::size_t mark = trial.Mark();
    trial.Release(p);
    const NodeId other = placer_.Best(cluster_.pods()[p].shape, When::kLater);
    if (other.valid()) {
      trial.Put(p, other, When::kLater);
    } else {
      trial.UndoTo(mark);  // it may stay where another one goes
    }
  }
  return !too_full();
}

}  // namespace fairlead::engine
