#include "engine/place/node_survey.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "engine/place/obstacles.h"
#include "objects/keys.h"
#include "policy/node_fit.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::ResourceId;

struct Lack {
  std::int64_t nodes = 0;
  NodeId last;  // of them: a device has several columns of one name
  std::int64_t requested = 0;
  std::int64_t best = 0;
};

std::string SlotsText(std::string_view slots, const Lack& lack) {
  const std::string_view driver = slots.substr(objects::kAttachPrefix.size());
  if (lack.best == 0) {
    return fmt::format(", {} may attach no further volume of {}", lack.nodes, driver);
  }
  return fmt::format(", {} may attach {} more volumes of {} at most, and it needs {}", lack.nodes,
                     lack.best, driver, lack.requested);
}

// Whether the node would serve if it were empty, but for that one demand.
// REQUIRES: `demands` are those that are asked of an empty node, `but` among them.
bool ServesBut(const policy::NodeDemand& but, const std::vector<policy::NodeDemand>& demands,
               const state::Cluster& cluster, const state::Shape& shape, NodeId n) {
  const std::int64_t* row = cluster.nodes().allocatable(n);
  return std::all_of(shape.request.begin(), shape.request.end(),
                     [&](const state::Amount& a) { return row[a.resource.value()] >= a.amount; }) &&
         std::all_of(demands.begin(), demands.end(), [&](const policy::NodeDemand& demand) {
           return &demand == &but || demand.met(cluster, shape, n);
         });
}

}  // namespace

NodeSurvey Survey(const state::Cluster& cluster, state::ShapeId s, Room room) {
  const state::Shape& shape = cluster.shapes()[s];
  std::vector<policy::NodeDemand> demands;  // that are asked
  for (const policy::NodeDemand& demand : policy::NodeDemands()) {
    const bool asked = room == Room::kFreeNow || (demand.tells_classes && !demand.by_others);
    if (asked && policy::IsMadeBy(demand, shape)) demands.push_back(demand);
  }
  std::vector<std::int64_t> unmet(demands.size(), 0);
  std::vector<std::string> what(demands.size());
  std::map<std::string, std::pair<ResourceId, Lack>> lacking;  // by name: the order people see
  std::int64_t nodes = 0;
  Obstacles obstacles(cluster, shape);
  const state::Amounts& need = room == Room::kFreeNow ? shape.fit : shape.request;
  for (NodeId n : cluster.nodes().by_name()) {
    if (!cluster.nodes().exists(n)) continue;
    ++nodes;
    const auto failed = std::find_if(demands.begin(), demands.end(), [&](const auto& demand) {
      return !demand.met(cluster, shape, n);
    });
    if (failed != demands.end()) {
      const auto i = static_cast<std::size_t>(failed - demands.begin());
      if (unmet[i]++ == 0 && failed->what != nullptr) what[i] = failed->what(cluster, shape, n);
      if (failed->names != policy::NodeDemand::Names::kNothing) {
        const bool alone =
            room == Room::kWhenEmpty && ServesBut(*failed, demands, cluster, shape, n);
        obstacles.Add(failed->names, n, alone);
      }
      continue;
    }
    const std::int64_t* row =
        room == Room::kFreeNow ? cluster.nodes().free(n) : cluster.nodes().allocatable(n);
    for (const state::Amount& a : need) {
      const std::int64_t have = row[a.resource.value()];
      if (have >= a.amount) continue;
      auto& [resource, lack] = lacking[cluster.resources().name(state::PublicOf(a.resource))];
      resource = a.resource;
      lack.requested = state::PublicAmount(a.resource, a.amount);
      lack.best = std::max({lack.best, std::int64_t{0}, state::PublicAmount(a.resource, have)});
      if (std::exchange(lack.last, n) != n) ++lack.nodes;
    }
  }

  NodeSurvey survey;
  std::string parts;
  std::int64_t most = 0;
  for (const auto& [name, entry] : lacking) {
    const Lack& lack = entry.second;
    parts += cluster.resources().IsSlots(entry.first)
                 ? SlotsText(name, lack)
                 : fmt::format(", {} with {}", lack.nodes,
                               TooLittleText(name, room == Room::kFreeNow ? "free " : ""));
    if (lack.nodes <= most) continue;
    most = lack.nodes;
    survey.scarcest = state::PublicOf(entry.first);
    survey.requested = lack.requested;
    survey.best = lack.best;
  }
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (unmet[i] == 0) continue;
    parts +=
        fmt::format(", {} {}{}", unmet[i],
                    demands[i].nodes_of != nullptr ? demands[i].nodes_of(shape) : demands[i].nodes,
                    obstacles.NamesText(demands[i].names));
    if (!what[i].empty()) parts += fmt::format(" ({})", what[i]);
  }
  if (nodes == 0) {
    survey.text = "there are no nodes";
  } else if (parts.empty()) {
    survey.text =
        nodes == 1 ? "the one node holds some" : fmt::format("each of {} nodes holds some", nodes);
  } else {
    survey.text = fmt::format("of {} node{}{}", nodes, nodes == 1 ? "" : "s", parts);
  }
  survey.line = obstacles.Line();
  return survey;
}

}  // namespace fairlead::engine
