// Worked: a gang of 8 GPUs, required rack; racks r1 to r3 are full. In r1 a gang of 16 runs, in r2
// eight single pods, in r3 four of two GPUs. r1 costs one workload and 16 pods' work, r2 eight
// workloads, r3 four: r1 is the answer. Without racks a single search would have taken r1's and
// r3's youngest together, and nobody would have fitted anywhere.

#include "engine/room/topology_room.h"

#include <algorithm>
#include <utility>

namespace fairlead::engine {

using state::DomainId;
using state::DomainTree;
using state::GangTopology;
using state::Trial;
using state::When;

namespace {

constexpr std::size_t kMostPutBack = 64;  // victims that are each tried once more

}  // namespace

// Of all sets, and nothing inside it: the step is in one domain, or in no wider one than it
// prefers.
bool TopologyRoom::IsOneDemand(const RoomStep& step) const {
  const state::Gang& gang = GangOf(step);
  return gang.asks_one_topology() && gang.topology.front().slice_size <= 1;
}

FieldAnswer TopologyRoom::Search(const VictimScope& scope, const RoomStep& step, Trial& trial) {
  const GangTopology& first = GangOf(step).topology.front();
  if (!GangOf(step).is_of_all(first) || first.required == GangTopology::kNoLevel) {
    return IsOneDemand(step) ? SearchAnywhere(scope, step, trial) : SearchIn(scope, step, trial);
  }
  TopologyGang placing(placer_, cluster_, step.workload, step.parts, When::kLater, trial);
  return SearchDomains(scope, step, first.tree, placing.WidestDomains(first), trial);
}

FieldAnswer TopologyRoom::SearchAnywhere(const VictimScope& scope, const RoomStep& step,
                                         Trial& trial) {
  const std::size_t mark = trial.Mark();
  FieldAnswer answer = search_.Search(scope, step, trial);
  if (answer.found) NarrowDown(scope, step, mark, trial, answer);
  return answer;
}

// The same victims, and the step placed near each other, in place of what was done since `mark`.
// Where that finds no arrangement they stand as they were found.
void TopologyRoom::NarrowDown(const VictimScope& scope, const RoomStep& step, std::size_t mark,
                              Trial& trial, FieldAnswer& answer) {
  trial.UndoTo(mark);
  FieldAnswer same;
  if (search_.TrySet(scope, step, answer.victims, trial, same)) return;
  const bool proven = answer.proven;
  answer = search_.Search(scope, step, trial);
  answer.proven = answer.proven && proven;
}

// search(): of the step, as long as nodes are confined to one of the domains.
template <typename SearchHere>
std::optional<TopologyRoom::Offer> TopologyRoom::CheapestOf(
    const VictimScope& scope, const RoomStep& step, state::TreeId tree,
    const std::vector<DomainId>& domains, Trial& trial, SearchHere search, FieldAnswer& answer) {
  std::optional<Offer> best;
  const std::size_t mark = trial.Mark();
  for (const DomainId d : domains) {
    const Confinement confinement(cluster_, placer_.classes(), tree, d);
    const std::optional<policy::EvictionCost> least = search_.costs().Least(scope, step);
    // Domains come by name.
    if (best && least && (*least > best->cost || (*least == best->cost && best->ideal))) continue;
    if (!search_.CouldServe(scope, step)) continue;
    FieldAnswer here = search();
    trial.UndoTo(mark);
    const policy::EvictionCost cost = CostOf(here.victims);
    answer.proven = answer.proven && (here.proven || (here.found && least == cost));
    if (!here.found) continue;
    Offer offer{.domain = d, .cost = cost, .victims = std::move(here.victims)};
    if (best && !IsBetter(step, offer, *best, trial)) continue;
    best = std::move(offer);
    best->ideal = IsIdeal(step, *best, trial);
  }
  return best;
}

FieldAnswer TopologyRoom::SearchDomains(const VictimScope& scope, const RoomStep& step,
                                        state::TreeId tree, const std::vector<DomainId>& domains,
                                        Trial& trial) {
  const bool is_one = IsOneDemand(step);
  FieldAnswer answer;
  std::optional<Offer> best = CheapestOf(
      scope, step, tree, domains, trial,
      [&] { return is_one ? search_.Search(scope, step, trial) : SearchIn(scope, step, trial); },
      answer);
  if (!best) return answer;
  const Confinement confinement(cluster_, placer_.classes(), tree, best->domain);
  answer.found = true;
  answer.victims = std::move(best->victims);
  NarrowDown(scope, step, trial.Mark(), trial, answer);
  return answer;
}

// At equal cost the domain that would be chosen if they had left already.
bool TopologyRoom::IsBetter(const RoomStep& step, const Offer& a, const Offer& b, Trial& trial) {
  if (a.cost != b.cost) return a.cost < b.cost;
  const std::vector<GangTopology>& demands = GangOf(step).topology;
  const std::size_t mark = trial.Mark();
  Evict(a, trial);
  Evict(b, trial);
  TopologyGang placing(placer_, cluster_, step.workload, step.parts, When::kLater, trial);
  const bool better = placing.IsChosenBefore(demands.front(), a.domain, b.domain);
  trial.UndoTo(mark);
  return better;
}

bool TopologyRoom::IsIdeal(const RoomStep& step, const Offer& offer, Trial& trial) {
  if (!IsOneDemand(step)) return false;
  const std::size_t mark = trial.Mark();
  Evict(offer, trial);
  TopologyGang placing(placer_, cluster_, step.workload, step.parts, When::kLater, trial);
  const bool ideal = placing.IsIdeal(GangOf(step).topology.front(), offer.domain);
  trial.UndoTo(mark);
  return ideal;
}

// Two domains' victims may be pods of one gang.
void TopologyRoom::Evict(const Offer& offer, Trial& trial) {
  for (const VictimUnit& unit : offer.victims) {
    for (const state::PodId p : unit.pods) {
      if (!cluster_.pods()[p].leaves()) trial.Evict(p);
    }
  }
}

// Part by part ------------------------------------------------------------------------------------

// Slices, and pod sets with a demand of their own, each by itself; then who asks nothing.
std::vector<TopologyRoom::Part> TopologyRoom::PartsOf(const RoomStep& step, Trial& trial) const {
  const state::Gang& gang = GangOf(step);
  std::vector<Part> all;
  std::vector<GangPart> rest = step.parts;
  for (const GangTopology& demand : gang.topology) {
    if (&demand == gang.outer_topology()) continue;
    std::vector<GangPart> parts = engine::PartsOf(demand, rest);
    if (parts.empty()) continue;
    std::erase_if(rest, [&](const GangPart& part) { return demand.IsOf(part.pod_set); });
    const TopologyGang placing(placer_, cluster_, step.workload, parts, When::kLater, trial);
    const auto add = [&](std::int32_t level, std::optional<DomainId> home,
                         std::vector<GangPart> of) {
      Part& part = all.emplace_back();
      part.tree = demand.tree;
      part.level = level;
      part.home = home;
      part.step = WithParts(cluster_, step, std::move(of));
    };
    if (demand.slice_size > 1 && gang.is_of_all(demand)) {
      for (TopologyGang::Slice& slice : placing.SlicesOf(demand)) {
        add(demand.slice_level, slice.home, std::move(slice.parts));
      }
    } else {
      add(demand.required, placing.HomeOf(demand), parts);
    }
  }
  if (!rest.empty()) all.emplace_back().step = WithParts(cluster_, step, std::move(rest));
  return all;
}

FieldAnswer TopologyRoom::SearchIn(const VictimScope& scope, const RoomStep& step, Trial& trial) {
  const std::size_t mark = trial.Mark();
  FieldAnswer answer{.found = false, .proven = false};
  std::vector<VictimUnit> victims;
  const std::vector<Part> parts = PartsOf(step, trial);
  bool exact = parts.size() == 1;
  for (const Part& part : parts) {
    FieldAnswer of_part = SearchPart(scope, part, trial);
    exact = exact && of_part.proven;
    if (!of_part.found) {
      trial.UndoTo(mark);
      // What no single part finds, with nobody before it, the whole does not either.
      answer.proven = of_part.proven && victims.empty() && trial.steps().size() == mark;
      return answer;
    }
    std::move(of_part.victims.begin(), of_part.victims.end(), std::back_inserter(victims));
  }
  trial.UndoTo(mark);
  answer.found = search_.TrySet(scope, step, victims, trial, answer);
  if (answer.found) PutBack(scope, step, mark, trial, answer);
  answer.proven = answer.found && exact;
  return answer;
}

// In the domain of its level, of those that may be looked at, that costs least.
FieldAnswer TopologyRoom::SearchPart(const VictimScope& scope, const Part& part, Trial& trial) {
  if (part.level == DomainTree::kRoot) return search_.Search(scope, part.step, trial);
  if (!part.home) return {};
  const Reach* reach = placer_.classes().reach();
  const bool is_confined = reach != nullptr && reach->tree == part.tree;
  const std::vector<DomainId> domains =
      part.home->valid() ? std::vector{*part.home}
                         : cluster_.trees()[part.tree].Within(
                               is_confined ? reach->domain : DomainTree::Root(), part.level);
  FieldAnswer answer;
  const std::optional<Offer> best = CheapestOf(
      scope, part.step, part.tree, domains, trial,
      [&] { return search_.Search(scope, part.step, trial); }, answer);
  if (!best) return answer;
  const Confinement confinement(cluster_, placer_.classes(), part.tree, best->domain);
  return search_.Search(scope, part.step, trial);
}

// Who is not needed after all: the parts' searches did not know of each other.
void TopologyRoom::PutBack(const VictimScope& scope, const RoomStep& step, std::size_t mark,
                           Trial& trial, FieldAnswer& answer) {
  if (answer.victims.size() > kMostPutBack) return;
  const auto try_set = [&](const std::vector<VictimUnit>& units) {
    trial.UndoTo(mark);
    FieldAnswer found;
    const bool serves = search_.TrySet(scope, step, units, trial, found);
    if (serves) answer.victims = std::move(found.victims);
    return serves;
  };
  std::vector<VictimUnit> kept = answer.victims;
  for (std::size_t i = kept.size(); i-- > 0;) {
    if (!IsLastOfItsWorkload(kept, i)) continue;
    std::vector<VictimUnit> without = kept;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (!try_set(without)) continue;
    kept = answer.victims;
    i = std::min(i, kept.size());
  }
  if (!try_set(kept)) answer.found = false;
}

bool FitWhenEmpty(const state::Cluster& cluster, Placer& placer,
                  const std::vector<GangPart>& parts) {
  return std::ranges::all_of(parts, [&](const GangPart& part) {
    return cluster.shapes()[part.shape].placeable &&
           placer.RoomWhenEmpty(part.shape) >= part.count();
  });
}

bool MightEverFit(state::Cluster& cluster, Placer& placer, const RoomStep& step) {
  if (!FitWhenEmpty(cluster, placer, step.parts)) return false;
  if (!AsksTopology(cluster, step.workload)) return true;
  state::Trial trial(cluster);
  return TopologyGang(placer, cluster, step.workload, step.parts, state::When::kLater, trial)
      .MightEverFit();
}

}  // namespace fairlead::engine
