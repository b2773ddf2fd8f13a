// The cheapest victims on one node, for one more pod of a shape.
//
// Alike: where all who could leave are single pods of one request, their number k follows from what
// is lacking, and cost is an order: no priority above the k-th lowest, then the least work lost.
// Exact, O(pods).
//
// Kinds: else pods that only their cost tells apart are one kind, a gang is a kind by itself, and
// "how many of each kind" is searched depth first. Cut off: what costs more than the best so far,
// and what falls short even if all that follows left. Bounded by so many steps; an answer that
// met the bound is not called exact.
//
// Refusals: a pod that excludes the newcomer, in whichever of the node's domains and on whichever
// of their nodes, has to leave in any case: its kind begins at it. Where one of them may not leave,
// the node does not serve.
//
// Where devices are shared, or a spread is demanded, sums do not tell who fits: each combination is
// tried on the state and undone. For a spread the candidates are, beside the node's own pods, those
// that it counts in the node's domain.
//
// Worked: 3 GPUs are lacking; the node runs pods of 1, 1, 2 and 4 GPUs of one priority, a workload
// each. Kinds {1, 1}, {2}, {4}. None of the ones, none of the twos, the four: one workload stops.
// From here on whatever stops two is cut off: {1, 2} is not even tried against the validators.

#include "engine/room/node_victims.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "base/sorted_set.h"
#include "engine/room/room_sums.h"
#include "policy/daemon_set.h"
#include "policy/disruption_budget.h"
#include "policy/dynamic_demand.h"
#include "policy/node_fit.h"

namespace fairlead::engine {
namespace {

using policy::EvictionCost;
using state::Amounts;
using state::NodeId;
using state::PodId;
using state::WorkloadId;

constexpr std::int64_t kMostSteps = 20'000;
constexpr std::int64_t kMostStepsOfMany = 2'000;  // a curve asks for each number of pods

bool MayBeAsked(const state::Cluster& cluster, PodId p, std::int32_t max_priority) {
  return policy::MayBeEvicted(cluster, p) &&
         cluster.workloads()[cluster.pods()[p].workload].priority <= max_priority;
}

}  // namespace

EvictionCost NodeVictims::CostOf(PodId p) const {
  const state::Pod& pod = cluster_.pods()[p];
  return {.highest_priority =
              loss_alone_ ? EvictionCost::kNobody : cluster_.workloads()[pod.workload].priority,
          .workloads_stopped = 0,
          .work_lost = losses_.LostBy(p),
          .pods = 1};
}

// Whether the pods, which leave together, are no victims for what that loses, whoever else is one.
bool NodeVictims::LosesTooMuch(const VictimScope& scope, std::uint32_t donor,
                               const EvictionCost& cost, std::span<const PodId> pods) const {
  if (!scope.BoundsLoss(donor) || cost.work_lost <= scope.ceiling().most()) return false;
  met_ceiling_ = true;
  scope.NoteLapse(scope.ceiling().AllowsFrom(losses_.Of(pods)));
  return true;
}

// Who could leave --------------------------------------------------------------------------------

VictimUnit NodeVictims::SingleUnit(const VictimScope& scope, PodId p, std::uint32_t donor,
                                   const EvictionCost& cost) const {
  const state::Pod& pod = cluster_.pods()[p];
  return {.candidate = {.workload = pod.workload, .action = scope.ActionOf(donor)},
          .donor = donor,
          .stops = true,
          .pods = {p},
          .amounts = cluster_.shapes()[pod.shape].request,
          .cost = cost};
}

EvictionCost NodeVictims::CostOfSingle(PodId p) const {
  EvictionCost cost = CostOf(p);
  cost.workloads_stopped = loss_alone_ ? 0 : 1;
  return cost;
}

EvictionCost NodeVictims::Raised(EvictionCost cost) const {
  cost.highest_priority = std::max(cost.highest_priority, least_priority_);
  return cost;
}

// What is above the minimum of an elastic gang, the youngest first, and the rest; all of it is the
// rest where it leaves whole.
NodeVictims::Parted NodeVictims::Part(const state::Gang& gang) const {
  Parted parted;
  auto younger = [this](PodId a, PodId b) { return policy::IsYounger(cluster_, a, b); };
  for (const state::PodSet& set : gang.sets) {
    std::vector<PodId> live;
    for (PodId p : set.pods) {
      if (cluster_.pods()[p].live()) live.push_back(p);
    }
    std::sort(live.begin(), live.end(), younger);
    const std::int64_t needed = std::max(0, set.min_count - set.succeeded);
    const std::int64_t above =
        gang.gives_singly() ? std::max<std::int64_t>(0, std::ssize(live) - needed) : 0;
    parted.surplus.insert(parted.surplus.end(), live.begin(), live.begin() + above);
    parted.minimum.insert(parted.minimum.end(), live.begin() + above, live.end());
  }
  std::erase_if(parted.surplus, [this](PodId p) { return !policy::MayBeEvicted(cluster_, p); });
  std::sort(parted.surplus.begin(), parted.surplus.end(), younger);
  return parted;
}

std::vector<VictimUnit> NodeVictims::UnitsOf(const VictimScope& scope, WorkloadId w,
                                             std::uint32_t donor) const {
  if (const state::Workload& workload = cluster_.workloads()[w]; workload.solo()) {
    const PodId p = workload.only_pod;
    if (!policy::MayBeEvicted(cluster_, p)) return {};
    const EvictionCost cost = CostOfSingle(p);
    if (LosesTooMuch(scope, donor, cost, {&p, 1})) return {};
    return {SingleUnit(scope, p, donor, cost)};
  }
  const Parted parted = Part(cluster_.workloads().gang(w));
  std::vector<VictimUnit> units;
  auto add = [&](std::span<const PodId> pods, bool stops) {
    VictimUnit& unit = units.emplace_back();
    unit.candidate = {.workload = w, .action = scope.ActionOf(donor)};
    unit.donor = donor;
    unit.stops = stops;
    for (PodId p : pods) {
      unit.pods.push_back(p);
      unit.cost.Add(CostOf(p));
      state::AddTo(unit.amounts, cluster_.shapes()[cluster_.pods()[p].shape].request, 1);
    }
    unit.cost.workloads_stopped = stops && !loss_alone_ ? 1 : 0;
    const bool too_much = LosesTooMuch(scope, donor, unit.cost, pods);
    if (too_much) units.pop_back();
    return !too_much;
  };
  for (const PodId& p : parted.surplus) {
    if (!add(std::span(&p, 1), false)) return units;
  }
  const bool all_may_go =
      std::all_of(parted.minimum.begin(), parted.minimum.end(),
                  [this](PodId p) { return policy::MayBeEvicted(cluster_, p); });
  if (!parted.minimum.empty() && all_may_go && scope.MayStop(w, donor)) add(parted.minimum, true);
  return units;
}

std::vector<VictimUnit> NodeVictims::WholeUnits(const VictimScope& scope, state::ShapeId s,
                                                std::int32_t max_priority) const {
  std::vector<VictimUnit> whole;
  const auto is_of_use = [&](PodId p) {
    const NodeId n = cluster_.pods()[p].node;
    return placer_.classes().Fits(s, n) && !policy::IsHeldShort(cluster_, n);
  };
  scope.ForEachCandidate(state::QueueTree::Root(), [&](WorkloadId w, std::uint32_t donor) {
    if (cluster_.workloads()[w].priority > max_priority) return true;
    std::vector<VictimUnit> units = UnitsOf(scope, w, donor);
    if (units.size() == 1 && std::ranges::any_of(units.front().pods, is_of_use)) {
      whole.push_back(std::move(units.front()));
    }
    return true;
  });
  return whole;
}

// Pods that are to leave whatever else does, as long as one of them stays: for their terms. And
// pods on other nodes of which some may have to leave, for a spread. Whether all of the former may.
bool NodeVictims::CollectElsewhere(const VictimScope& scope, const state::Shape& shape, NodeId n,
                                   std::int32_t max_priority) {
  // What volumes it lacks nobody gives by leaving.
  if (!policy::VolumesSuffice(cluster_, shape, n)) return false;
  bool all_may = true;
  const auto may = [&](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    return MayBeAsked(cluster_, p, max_priority) && !policy::IsHeldShort(cluster_, pod.node) &&
           scope.DonorOf(pod.workload).has_value();
  };
  policy::ForEachInTheWay(cluster_, shape, n, [&](PodId p) {
    all_may = all_may && may(p);
    if (!all_may) return;
    required_.push_back(p);
    if (cluster_.pods()[p].node != n) elsewhere_.push_back(p);
  });
  if (!all_may) return false;
  for (const auto& each : shape.dynamic->spread) {
    const state::ColumnId column = cluster_.terms().ColumnOf(each.term);
    const state::DomainId domain = cluster_.demands().columns().Of(column, n);
    if (!domain.valid()) return false;
    for (const NodeId there : cluster_.demands().columns().NodesOf(column, domain)) {
      if (there == n) continue;
      for (const PodId p : cluster_.nodes().pods(there)) {
        const auto& holds = cluster_.shapes()[cluster_.pods()[p].shape].dynamic->holds;
        if (std::binary_search(holds.begin(), holds.end(), each.term) && may(p)) {
          elsewhere_.push_back(p);
        }
      }
    }
  }
  std::sort(required_.begin(), required_.end());
  MakeSet(elsewhere_);
  return true;
}

bool NodeVictims::IsRequired(PodId p) const {
  return std::binary_search(required_.begin(), required_.end(), p);
}

bool NodeVictims::IsElsewhere(PodId p) const {
  return std::binary_search(elsewhere_.begin(), elsewhere_.end(), p);
}

void NodeVictims::Collect(const VictimScope& scope, NodeId n, std::int32_t max_priority) {
  singles_.clear();
  gangs_.clear();
  alike_ = true;
  least_priority_ = max_priority == std::numeric_limits<std::int32_t>::max() ? EvictionCost::kNobody
                                                                             : max_priority;
  bool budgets = false;
  bool shares = false;
  const auto look = [&](PodId p) {
    if (!MayBeAsked(cluster_, p, max_priority)) return;
    const state::Pod& pod = cluster_.pods()[p];
    const state::Workload& workload = cluster_.workloads()[pod.workload];
    shares |= cluster_.shapes()[pod.shape].gpu_milli > 0;
    if (!workload.solo() && std::any_of(gangs_.begin(), gangs_.end(), [&](const auto& gang) {
          return gang.first == pod.workload;
        })) {
      return;
    }
    const auto donor = scope.DonorOf(pod.workload);
    if (!donor) return;
    budgets |= !cluster_.budgets().Of(p).empty();
    if (!workload.solo()) {
      if (by() != GangCost::kNoGangs) gangs_.emplace_back(pod.workload, *donor);
      return;
    }
    const EvictionCost cost = CostOfSingle(p);
    if (scope.BoundsLoss(*donor) && LosesTooMuch(scope, *donor, cost, {&p, 1})) return;
    alike_ &= singles_.empty() || cluster_.pods()[singles_.front().pod].shape == pod.shape;
    singles_.push_back({p, pod.workload, *donor, Raised(cost)});
  };
  for (const std::span<const PodId> pods :
       {std::span(cluster_.nodes().pods(n)), std::span<const PodId>(elsewhere_)}) {
    for (const PodId p : pods) look(p);
  }
  shares |= cluster_.nodes().has_astray(n);  // a whole device that is given back is not whole
  alike_ &= gangs_.empty() && !budgets && !shares;
  one_by_one_ = shares;
}

// Fills lacks_. Returns whether room alone is lacking, and not (also) devices, or something that
// others are demanded to do.
bool NodeVictims::LacksOf(const state::Shape& shape, NodeId n) {
  lacks_.clear();
  const std::int64_t* later = cluster_.nodes().later(n);
  for (const state::Amount& a : shape.fit) {
    std::int64_t lack = a.amount * pods() - later[a.resource.value()];
    if (lack <= 0) continue;
    lack = state::PublicAmount(a.resource, lack);
    const state::ResourceId counted = state::PublicOf(a.resource);
    // With shared devices only the sum of what is free bounds it.
    if (state::IsInternal(a.resource) && one_by_one_) {
      lack = state::PublicAmount(a.resource, a.amount) * pods() - later[counted.value()];
    }
    lacks_.push_back({counted, std::max<std::int64_t>(0, lack)});
  }
  return !one_by_one_ && shape.dynamic->attracted_by.empty() && shape.dynamic->spread.empty();
}

bool NodeVictims::MeetsLacks(const Freed& freed, const Freed& more) const {
  for (std::size_t i = 0; i < lacks_.size(); ++i) {
    if (freed[i] + more[i] < lacks_[i].amount) return false;
  }
  return true;
}

void NodeVictims::AddFreed(PodId p, Freed& freed) const {
  const Amounts& request = cluster_.shapes()[cluster_.pods()[p].shape].request;
  for (std::size_t i = 0; i < lacks_.size(); ++i) {
    freed[i] += state::AmountOf(request, lacks_[i].resource);
  }
}

std::int64_t NodeVictims::Bound(const VictimScope& scope, state::ShapeId s, NodeId n,
                                std::int32_t max_priority) {
  const state::Shape& shape = cluster_.shapes()[s];
  if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return 0;
  const bool held = policy::IsHeldShort(cluster_, n);
  const auto may_leave = [&](PodId p) {
    const WorkloadId w = cluster_.pods()[p].workload;
    if (held || !policy::MayBeEvicted(cluster_, p)) return false;
    if (cluster_.workloads()[w].priority > max_priority) return false;
    const auto donor = scope.DonorOf(w);
    if (!donor) return false;
    return !scope.BoundsLoss(*donor) || !LosesTooMuch(scope, *donor, CostOf(p), {&p, 1});
  };
  return policy::MostOnNode(cluster_, shape, n, PodsOnceLeft(cluster_, shape, n, may_leave, room_));
}

// Of pods that domains refuse: each has its own domain, which one pod at most takes.
bool NodeVictims::IsConvexByDomains(const state::Shape& shape) const {
  if (!policy::DependsOnDomains(cluster_, shape)) return true;
  const state::DynamicDemands& demands = *shape.dynamic;
  if (!demands.attracted_by.empty() || !demands.spread.empty()) return false;
  return demands.alone_in.size() == 1 &&
         std::all_of(demands.refused_by.begin(), demands.refused_by.end(), [&](auto term) {
           return cluster_.terms().ColumnOf(term) == demands.alone_in.front();
         });
}

// The cheapest of them ---------------------------------------------------------------------------

NodeVictims::Curve::Curve(NodeVictims& victims, GangCost by, const VictimScope& scope,
                          state::ShapeId s, NodeId n, std::int32_t max_priority)
    : victims_(victims), by_(by), scope_(scope), shape_(s), node_(n), max_priority_(max_priority) {
  DCHECK(victims.curve_ == nullptr);
  DCHECK(victims.cluster_.shapes()[s].dynamic->empty());
  DCHECK(victims.cluster_.shapes()[s].gpu_milli == 0);
  victims.curve_ = this;
}

NodeVictims::Curve::~Curve() { victims_.curve_ = nullptr; }

bool NodeVictims::Curve::SolveFor(std::int64_t pods, const Outstanding& outstanding,
                                  NodeOffer& offer) {
  pods_ = pods;
  return victims_.Solve(scope_, shape_, node_, max_priority_, outstanding, offer);
}

std::int64_t NodeVictims::most_steps() const {
  return curve_ == nullptr ? kMostSteps : kMostStepsOfMany;
}

// Whether the node holds as many pods as are asked for, later.
bool NodeVictims::Holds(state::ShapeId s, NodeId n) {
  if (curve_ == nullptr) return placer_.Fits(s, n, state::When::kLater);
  return PodsIn(cluster_.nodes().later(n), cluster_.shapes()[s]) >= pods();
}

// What is lost on the node when the unit goes, as asked.
EvictionCost NodeVictims::OnNode(const VictimUnit& unit, NodeId n) const {
  if (by() != GangCost::kByPart) return unit.cost;
  const std::int64_t parts = gang_parts_.Of(unit, n);
  return {.highest_priority = unit.cost.highest_priority,
          .workloads_stopped = unit.cost.workloads_stopped * parts,
          .work_lost = unit.cost.work_lost * static_cast<policy::Work>(parts),
          .pods = unit.cost.pods * parts};
}

bool NodeVictims::Solve(const VictimScope& scope, state::ShapeId s, NodeId n,
                        std::int32_t max_priority, const Outstanding& outstanding,
                        NodeOffer& offer) {
  offer = NodeOffer{};
  refused_by_right_ = false;
  met_ceiling_ = false;
  refused_by_budget_ = false;
  const bool collected = curve_ != nullptr && curve_->collected_;
  if (!collected) gangs_.clear();
  const state::Shape& shape = cluster_.shapes()[s];
  const bool convex = shape.dynamic->empty() || IsConvexByDomains(shape);
  offer.convex = convex;
  if (!cluster_.nodes().exists(n) || !placer_.classes().Fits(s, n)) return false;
  if (Holds(s, n)) return true;
  if (policy::IsHeldShort(cluster_, n)) return false;
  if (!collected) {
    required_.clear();
    elsewhere_.clear();
    const bool demands = !shape.dynamic->empty();
    if (demands && !CollectElsewhere(scope, shape, n, max_priority)) return false;
    Collect(scope, n, max_priority);
    if (curve_ != nullptr) curve_->collected_ = true;
  }
  offer.convex = convex && gangs_.empty();
  if (singles_.empty() && gangs_.empty()) return false;
  const bool only_room = LacksOf(shape, n);
  one_by_one_ = !only_room;
  if (alike_ && only_room && required_.empty() && by() != GangCost::kByPart) {
    if (SolveAlike(scope, shape, n, outstanding, offer)) return true;
    if (!refused_by_right_) return false;
  }
  return SolveKinds(scope, shape, n, outstanding, offer);
}

// Whether the node would hold two pods of the shape once all single pods have left.
bool NodeVictims::HoldsTwo(const state::Shape& shape, NodeId n) {
  room_.assign(cluster_.nodes().later(n), cluster_.nodes().later(n) + cluster_.nodes().stride());
  for (const Single& single : singles_) {
    for (const state::Amount& a : cluster_.shapes()[cluster_.pods()[single.pod].shape].request) {
      room_[a.resource.value()] += a.amount;
    }
  }
  return policy::MostOnNode(cluster_, shape, n, PodsInSum(room_, shape)) >= 2;
}

// For victims of one request: j pods need ⌈(j × asked − free) / given⌉ of them, in each resource.
// Where what is asked is a multiple of what is given this grows evenly, from 0 on. Else what one
// pod's victims free beyond its need could spare the next one's.
bool NodeVictims::IsConvex(const state::Shape& shape, NodeId n, const Amounts& request) {
  if (!HoldsTwo(shape, n)) return true;
  return std::all_of(shape.fit.begin(), shape.fit.end(), [&](const state::Amount& a) {
    const std::int64_t given = state::AmountOf(request, state::PublicOf(a.resource));
    return given == 0 || state::PublicAmount(a.resource, a.amount) % given == 0;
  });
}

// k pods of one request have to go: no priority above the k-th lowest, and of those the cheapest.
bool NodeVictims::SolveAlike(const VictimScope& scope, const state::Shape& shape, NodeId n,
                             const Outstanding& outstanding, NodeOffer& offer) {
  const Amounts& request = cluster_.shapes()[cluster_.pods()[singles_.front().pod].shape].request;
  std::int64_t k = 0;
  for (const Lack& lack : lacks_) {
    const std::int64_t size = state::AmountOf(request, lack.resource);
    if (size == 0) return false;
    k = std::max(k, (lack.amount + size - 1) / size);
  }
  if (k > std::ssize(singles_)) return false;
  offer.convex = IsConvex(shape, n, request);
  auto end = singles_.end();
  if (k < std::ssize(singles_)) {
    const auto last = singles_.begin() + std::max<std::int64_t>(k, 1) - 1;
    std::nth_element(singles_.begin(), last, singles_.end(), [](const Single& a, const Single& b) {
      return a.cost.highest_priority < b.cost.highest_priority;
    });
    const std::int32_t highest = last->cost.highest_priority;
    end = std::partition(singles_.begin(), singles_.end(), [&](const Single& single) {
      return single.cost.highest_priority <= highest;
    });
  }
  auto cheaper = [&](const Single& a, const Single& b) {
    if (a.cost.work_lost != b.cost.work_lost) return a.cost.work_lost < b.cost.work_lost;
    return policy::GivesFirst(cluster_, a.workload, b.workload);
  };
  std::partial_sort(singles_.begin(), singles_.begin() + k, end, cheaper);
  std::vector<std::int64_t> from_donor(scope.donors().size(), 0);
  offer.units.reserve(static_cast<std::size_t>(k));
  for (std::int64_t i = 0; i < k; ++i) {
    const Single& single = singles_[static_cast<std::size_t>(i)];
    ++from_donor[single.donor];
    offer.cost.Add(single.cost);
    if (!offer.first.valid() || policy::GivesFirst(cluster_, single.workload, offer.first)) {
      offer.first = single.workload;
    }
    offer.units.push_back(SingleUnit(scope, single.pod, single.donor, single.cost));
  }
  bool may_leave = scope.LostByOthers(offer.units) <= outstanding.may_lose;
  for (std::uint32_t g = 0; g < from_donor.size(); ++g) {
    may_leave = may_leave && scope.MayLeave(g, request, from_donor[g], outstanding.request);
  }
  if (may_leave) return true;
  refused_by_right_ = true;
  offer = NodeOffer{.convex = offer.convex};
  return false;
}

void NodeVictims::MakeUnits(const VictimScope& scope) {
  kinds_.clear();
  // Single pods are of one kind where only their cost tells them apart.
  auto request = [&](const Single& a) { return cluster_.pods()[a.pod].shape; };
  // Of those elsewhere it matters how many leave.
  auto alone = [&](const Single& a) {
    return (one_by_one_ && !IsElsewhere(a.pod)) || IsRequired(a.pod) ||
           !cluster_.budgets().Of(a.pod).empty();
  };
  auto same_kind = [&](const Single& a, const Single& b) {
    return !alone(a) && !alone(b) && IsElsewhere(a.pod) == IsElsewhere(b.pod) &&
           request(a) == request(b) && a.donor == b.donor &&
           a.cost.highest_priority == b.cost.highest_priority;
  };
  std::sort(singles_.begin(), singles_.end(), [&](const Single& a, const Single& b) {
    if (request(a) != request(b)) return request(a) < request(b);
    if (a.donor != b.donor) return a.donor < b.donor;
    if (!elsewhere_.empty() && IsElsewhere(a.pod) != IsElsewhere(b.pod)) {
      return IsElsewhere(b.pod);
    }
    if (a.cost != b.cost) return a.cost < b.cost;
    return policy::GivesFirst(cluster_, a.workload, b.workload);
  });
  for (std::size_t i = 0; i < singles_.size(); ++i) {
    const Single& single = singles_[i];
    if (i == 0 || !same_kind(singles_[i - 1], single)) kinds_.emplace_back();
    kinds_.back().units.push_back(SingleUnit(scope, single.pod, single.donor, single.cost));
  }
  for (const auto& [w, donor] : gangs_) {
    std::vector<VictimUnit> units = UnitsOf(scope, w, donor);
    if (!units.empty()) {
      kinds_.push_back({.units = std::move(units), .choices = {}, .least = 0});
    }
  }
}

void NodeVictims::MakeKinds(const VictimScope& scope, NodeId n) {
  if (curve_ == nullptr || !curve_->units_made_) MakeUnits(scope);
  if (curve_ != nullptr) curve_->units_made_ = true;
  for (Kind& kind : kinds_) {
    kind.choices.clear();
    kind.least = 0;
    Choice choice;
    choice.freed.assign(lacks_.size(), 0);
    for (const VictimUnit& unit : kind.units) {
      ++choice.units;
      choice.cost.Add(Raised(OnNode(unit, n)));
      choice.lost += scope.LostByOthers(unit);
      bool here = false;
      bool required = false;
      for (PodId p : unit.pods) {
        required |= IsRequired(p);
        here |= IsElsewhere(p);
        if (cluster_.pods()[p].node != n) continue;
        here = true;
        AddFreed(p, choice.freed);
      }
      if (here) kind.choices.push_back(choice);
      if (required) kind.least = kind.choices.size();
    }
  }
  std::erase_if(kinds_, [](const Kind& kind) { return kind.choices.empty(); });
  // A search that is cut must not depend on the order in which anything became known.
  std::sort(kinds_.begin(), kinds_.end(), [this](const Kind& a, const Kind& b) {
    return policy::GivesFirst(cluster_, a.units.front().candidate.workload,
                              b.units.front().candidate.workload);
  });
}

bool NodeVictims::SolveKinds(const VictimScope& scope, const state::Shape& shape, NodeId n,
                             const Outstanding& outstanding, NodeOffer& offer) {
  MakeKinds(scope, n);
  if (!CoversRequired()) return false;
  freed_.assign(lacks_.size(), 0);
  rest_.assign(kinds_.size() + 1, freed_);
  for (std::size_t k = kinds_.size(); k-- > 0;) {
    const Freed& own = kinds_[k].choices.back().freed;
    std::transform(own.begin(), own.end(), rest_[k + 1].begin(), rest_[k].begin(), std::plus<>());
  }
  if (!MeetsLacks(freed_, rest_[0])) return false;
  chosen_.assign(kinds_.size(), 0);
  found_ = false;
  refused_cost_.reset();
  steps_ = 0;
  Combine(scope, shape, n, outstanding, 0, {}, 0);
  offer.exact = steps_ < most_steps();
  // A gang that leaves may free room on other nodes too.
  offer.convex = offer.convex && gangs_.empty() && !HoldsTwo(shape, n);
  if (!found_) return false;
  chosen_ = best_;
  offer.cost = best_cost_;
  offer.cheaper_refused = refused_cost_ && *refused_cost_ <= best_cost_;
  for (const VictimUnit* unit : ChosenUnits()) {
    offer.units.push_back(*unit);
    const WorkloadId w = unit->candidate.workload;
    offer.gangs |= !cluster_.workloads()[w].solo();
    if (!offer.first.valid() || policy::GivesFirst(cluster_, w, offer.first)) offer.first = w;
  }
  return true;
}

// What must leave may be of a gang that gives it to nobody.
bool NodeVictims::CoversRequired() const {
  std::size_t covered = 0;
  for (const Kind& kind : kinds_) {
    for (const VictimUnit& unit : kind.units) {
      for (PodId p : unit.pods) covered += IsRequired(p) ? 1 : 0;
    }
  }
  return covered == required_.size();
}

// Decides how many of kind k leave, and of all after it.
void NodeVictims::Combine(const VictimScope& scope, const state::Shape& shape, NodeId n,
                          const Outstanding& outstanding, std::size_t k, const EvictionCost& cost,
                          policy::Work lost) {
  if (++steps_ >= most_steps()) return;
  if (found_ && best_cost_ < cost) return;
  if (!MeetsLacks(freed_, rest_[k])) return;
  if (lost > outstanding.may_lose) {
    refused_by_right_ = true;
    refused_cost_ = std::min(refused_cost_.value_or(cost), cost);
    policy::Loss loss;
    for (const VictimUnit* unit : ChosenUnits()) {
      if (scope.BoundsLoss(unit->donor)) loss.Add(losses_.Of(unit->leaving()));
    }
    scope.NoteTooGreat(loss, outstanding);
    return;
  }
  if (k == kinds_.size()) {
    if (!Serves(scope, shape, n, outstanding)) {
      if (last_refused_) refused_cost_ = std::min(refused_cost_.value_or(cost), cost);
      return;
    }
    if (found_ && cost == best_cost_) {
      const auto these = ChosenUnits();
      std::swap(chosen_, best_);
      const auto those = ChosenUnits();
      std::swap(chosen_, best_);
      if (!LessInOrder(these, those)) return;
    }
    found_ = true;
    best_ = chosen_;
    best_cost_ = cost;
    return;
  }
  for (std::size_t c = kinds_[k].least; c <= kinds_[k].choices.size(); ++c) {
    chosen_[k] = c;
    EvictionCost with = cost;
    policy::Work lost_with = lost;
    const Freed before = freed_;
    if (c > 0) {
      const Choice& choice = kinds_[k].choices[c - 1];
      with.Add(choice.cost);
      lost_with += choice.lost;
      std::transform(before.begin(), before.end(), choice.freed.begin(), freed_.begin(),
                     std::plus<>());
    }
    Combine(scope, shape, n, outstanding, k + 1, with, lost_with);
    freed_ = before;
  }
  chosen_[k] = 0;
}

std::vector<const VictimUnit*> NodeVictims::ChosenUnits() const {
  std::vector<const VictimUnit*> units;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const std::uint32_t count = chosen_[k] == 0 ? 0 : kinds_[k].choices[chosen_[k] - 1].units;
    for (std::uint32_t i = 0; i < count; ++i) units.push_back(&kinds_[k].units[i]);
  }
  std::stable_sort(units.begin(), units.end(), [this](const VictimUnit* a, const VictimUnit* b) {
    return policy::GivesFirst(cluster_, a->candidate.workload, b->candidate.workload);
  });
  return units;
}

bool NodeVictims::LessInOrder(const std::vector<const VictimUnit*>& a,
                              const std::vector<const VictimUnit*>& b) const {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [this](const VictimUnit* x, const VictimUnit* y) {
        return policy::GivesFirst(cluster_, x->candidate.workload, y->candidate.workload);
      });
}

bool NodeVictims::Serves(const VictimScope& scope, const state::Shape& shape, NodeId n,
                         const Outstanding& outstanding) {
  const std::vector<const VictimUnit*> units = ChosenUnits();
  last_refused_ = !scope.MayLeave(units, outstanding);
  if (last_refused_) {
    refused_by_right_ = true;
    return false;
  }
  std::vector<policy::LeavingPods> leaving;
  leaving.reserve(units.size());
  for (const VictimUnit* unit : units) leaving.push_back(unit->leaving());
  const policy::PreemptorInTrial preemptor{.queue = scope.preemptor().queue,
                                           .request = &scope.preemptor().request,
                                           .remaining = &outstanding.request};
  if (!scope.leniency().budgets && !policy::BudgetsAllow(cluster_, leaving, preemptor)) {
    refused_by_budget_ = true;
    return false;
  }
  if (!one_by_one_) return true;
  state::Trial trial(cluster_);
  for (policy::LeavingPods pods : leaving) {
    for (PodId p : pods) trial.Evict(p);
  }
  if (pods() > 1) return PodsIn(cluster_.nodes().later(n), shape) >= pods();
  return state::Holds(cluster_.nodes().later(n), shape.fit) &&
         policy::OthersAllow(cluster_, shape, n, state::When::kLater);
}

}  // namespace fairlead::engine
