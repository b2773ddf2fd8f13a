#include "intake/join/topology_join.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "intake/facts/pod_traits.h"
#include "intake/tables/hold_reasons.h"

namespace fairlead::intake {

// What is asked, before it is known what it means.
struct TopologyJoin::Asks {
  struct OfSets {
    TopologyAsk ask;
    std::vector<std::int32_t> pod_sets;
  };
  std::optional<TopologyAsk> whole;
  std::vector<OfSets> of_sets;  // by the first of their pod sets
  std::string fault;            // pod sets of one group that ask different things
};

namespace {

std::vector<std::int32_t> AllSetsOf(const GangRow& gang) {
  std::vector<std::int32_t> all(gang.pod_sets().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  return all;
}

// The workload's own, packed; of a job that has a Workload of ours, what either says.
std::string_view WholeOf(const GangRow& gang) {
  const bool of_job = gang.source == GangSource::kJob || gang.StandsForJob();
  if (of_job && !gang.job->topology.empty()) return gang.job->topology;
  const GangFacts* facts = gang.facts();
  return facts == nullptr ? std::string_view() : std::string_view(facts->topology);
}

bool AsksDifferently(const objects::TopologyConstraint& a, const objects::TopologyConstraint& b) {
  return !a.empty() && !b.empty() && !(a == b);
}

}  // namespace

std::vector<std::string_view> TopologyJoin::AsksOfPods(const GangRow& gang) const {
  std::vector<std::string_view> asks(gang.pod_sets().size());
  for (const FamilyId id : gang.families) {
    const Family& family = tables_.families[id];
    if (!family.asks_topology || !IsOf(tables_, family, gang)) continue;
    const std::string_view topology = UnpackTraits(family.name).topology;
    std::string_view& ask = asks[family.join.pod_set];
    if (ask.empty() || topology < ask) ask = topology;
  }
  return asks;
}

TopologyJoin::Asks TopologyJoin::AsksOf(const GangRow& gang) const {
  Asks asks;
  if (const std::string_view whole = WholeOf(gang); !whole.empty()) {
    asks.whole = UnpackTopology(whole);
  }
  const std::vector<PodSetFacts>& sets = gang.pod_sets();
  const std::vector<std::string_view> of_pods = AsksOfPods(gang);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string_view packed = sets[i].topology.empty() ? of_pods[i] : sets[i].topology;
    if (packed.empty()) continue;
    TopologyAsk ask = UnpackTopology(packed);
    const bool by_key = sets[i].topology.empty() || gang.group() == objects::GroupApi::kNone;
    if (ask.by == AskedBy::kKai && by_key) {
      TopologyAsk whole = ask;
      whole.said.slice_size = 0;
      whole.said.slice_required.clear();
      if (!asks.whole && !whole.said.empty()) asks.whole = std::move(whole);
      ask.said.required.clear();
      ask.said.preferred.clear();
    }
    const auto place = static_cast<std::int32_t>(i);
    const std::string& group = ask.said.group;
    const auto same_group = [&](const Asks::OfSets& each) { return each.ask.said.group == group; };
    const auto at =
        group.empty() ? asks.of_sets.end() : std::ranges::find_if(asks.of_sets, same_group);
    if (at == asks.of_sets.end()) {
      asks.of_sets.push_back({.ask = std::move(ask), .pod_sets = {place}});
      continue;
    }
    if (AsksDifferently(at->ask.said, ask.said) && asks.fault.empty()) {
      asks.fault = fmt::format(
          "pod sets {} and {} are of the topology group {} and ask different "
          "things of it",
          sets[at->pod_sets.front()].name, sets[i].name, group);
    }
    at->pod_sets.push_back(place);
    if (at->ask.said.empty() && at->ask.fault.empty()) at->ask = std::move(ask);
  }
  return asks;
}

TopologyJoined TopologyJoin::Of(const GangRow& gang, std::string_view queue) const {
  const Asks asks = AsksOf(gang);
  TopologyJoined joined;
  const auto hold = [&](state::Reason reason) {
    if (!joined.hold) joined.hold = std::move(reason);
  };
  if (!asks.fault.empty()) hold(TopologyNotFound(asks.fault));
  const auto add = [&](const TopologyAsk& ask, std::vector<std::int32_t> pod_sets) {
    if (ask.said.empty() && ask.fault.empty()) return;
    Topologies::Resolved resolved = topologies_.Resolve(ask, OfFlavors(queue));
    if (!resolved) return hold(std::move(resolved.error()));
    if (resolved->levels.empty()) return;  // as near as it goes, and there is nothing to go by
    resolved->pod_sets = std::move(pod_sets);
    const bool is_said =
        std::ranges::find(joined.constraints, *resolved) != joined.constraints.end();
    if (!is_said) joined.constraints.push_back(std::move(*resolved));
  };
  if (asks.whole) add(*asks.whole, AllSetsOf(gang));
  for (const Asks::OfSets& each : asks.of_sets) add(each.ask, each.pod_sets);
  return joined;
}

TopologyJoin::Alone TopologyJoin::OfPod(std::string_view topology, std::string_view queue) const {
  Alone alone;
  if (topology.empty()) return alone;
  const TopologyAsk ask = UnpackTopology(topology);
  if (ask.said.empty() && ask.fault.empty()) return alone;
  Topologies::Resolved resolved = topologies_.Resolve(ask, OfFlavors(queue));
  if (!resolved) {
    alone.hold = std::move(resolved.error());
  } else if (resolved->required >= 0) {
    const auto end = resolved->levels.begin() + resolved->required + 1;
    alone.node_labels.assign(resolved->levels.begin(), end);
  }
  return alone;
}

std::span<const std::string> TopologyJoin::OfFlavors(std::string_view queue) const {
  const KueueLeaf* leaf = kueue_.FindLeaf(queue);
  if (leaf == nullptr) return {};
  return leaf->topologies;
}

state::NeedsPtr WithNodeLabels(const Tables& tables, const state::NeedsPtr& needs,
                               const std::vector<std::string>& keys) {
  if (keys.empty() || needs == nullptr) return needs;
  objects::PodNeeds with = *needs;
  if (!with.has_required_terms) with.required_terms.emplace_back();
  for (objects::NodeSelectorTerm& term : with.required_terms) {
    const bool selects_nothing =
        with.has_required_terms && term.labels.empty() && term.fields.empty();
    if (selects_nothing) continue;
    for (const std::string& key : keys) {
      term.labels.push_back({.key = key, .op = objects::Operator::kExists, .values = {}});
    }
  }
  with.has_required_terms = true;
  return tables.needs.Intern(with);
}

}  // namespace fairlead::intake
