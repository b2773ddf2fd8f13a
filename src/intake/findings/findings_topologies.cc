#include <algorithm>

#include <fmt/format.h>

#include "intake/facts/job_facts.h"
#include "intake/facts/topology_ask.h"
#include "intake/findings/findings_pass.h"
#include "objects/keys.h"

// What is wrong with Topologies: nodes that stand in none of their domains, and levels in the wrong
// order. Equal values below two domains are two domains, and no fault.

namespace fairlead::intake {
namespace {

using ValuesByValue = std::map<std::string_view, std::set<std::string_view>>;

bool IsOneEach(const ValuesByValue& values) {
  return std::ranges::all_of(values, [](const auto& each) { return each.second.size() == 1; });
}

}  // namespace

void FindingsPass::OfTopologies() {
  if (pool_nodes_ == 0) return;
  known_.topologies.ForEach([&](const objects::Topology& topology) {
    NodesWithoutLevels(topology);
    OrderOfLevels(topology);
  });
}

// Labels that no node carries yet are nobody's loss while nobody asks for them.
void FindingsPass::NodesWithoutLevels(const objects::Topology& topology) {
  bool is_used = false;
  tables_.gangs.ForEach([&](GangId, const GangRow& gang) {
    is_used |= gang.given != nullptr && std::ranges::count(gang.given->topology, topology.levels,
                                                           &state::TopologyConstraint::levels) > 0;
  });
  for (const std::string& key : topology.levels) {
    std::size_t without = 0;
    std::string_view first;
    tables_.nodes.ForEach([&](NodeId, const NodeRow& row) {
      if (!row.in_pool || objects::FindLabel(row.change.labels, key) != nullptr) return;
      ++without;
      if (first.empty() || row.name < first) first = row.name;
    });
    if (without == 0 || (without == pool_nodes_ && !is_used)) continue;
    Add("Topology " + topology.meta.name, topology.meta.source, "NodesWithoutLevel",
        without == pool_nodes_
            ? fmt::format("no node carries the label {}: work that asks for this level waits", key)
            : fmt::format("{} of {} nodes, {} the first, carry no label {}: they are in no domain "
                          "of this level",
                          without, pool_nodes_, first, key));
  }
}

// Where each value of the wider level has one of the narrower, and these have several of it, the
// narrower one is the wider.
void FindingsPass::OrderOfLevels(const objects::Topology& topology) {
  for (std::size_t i = 0; i + 1 < topology.levels.size(); ++i) {
    const std::string& wider = topology.levels[i];
    const std::string& narrower = topology.levels[i + 1];
    ValuesByValue above, below;  // by the narrower one's values, by the wider one's
    tables_.nodes.ForEach([&](NodeId, const NodeRow& row) {
      const std::string* const wide = objects::FindLabel(row.change.labels, wider);
      const std::string* const narrow = objects::FindLabel(row.change.labels, narrower);
      if (!row.in_pool || wide == nullptr || narrow == nullptr) return;
      above[*narrow].insert(*wide);
      below[*wide].insert(*narrow);
    });
    if (IsOneEach(above) || !IsOneEach(below)) continue;
    Add("Topology " + topology.meta.name, topology.meta.source, "LevelsOutOfOrder",
        fmt::format("{} stands before {}, whose domains hold several of its: write the wider one "
                    "first",
                    wider, narrower));
  }
}

void FindingsPass::NotTogether(const std::string& object, const std::string& source,
                               const JobFacts& job) {
  const auto asks = [](const std::string& packed) {
    return !packed.empty() && !UnpackTopology(packed).said.empty();
  };
  const bool any =
      asks(job.topology) || std::ranges::any_of(job.pod_sets, asks, &PodSetFacts::topology);
  if (!any || PodsLeft(job) < 2) return;
  Add(object, source, "NotTogether",
      fmt::format("it asks that its pods stand near each other, and they are scheduled one by one: "
                  "annotate it `{}: \"true\"`{}",
                  objects::kGangKey,
                  job.kind->is_let_go_by_pods() ? "" : ", or submit it suspended, with a queue"));
}

}  // namespace fairlead::intake
