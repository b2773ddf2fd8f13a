#include "host/candidates.h"

#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "engine/explain/explain_candidates.h"
#include "objects/objects.h"
#include "policy/preference.h"
#include "show/human_text.h"
#include "show/table.h"
#include "state/cluster.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;

// By policy::Preference.
constexpr std::string_view kKinds[policy::kPreferences] = {"nodeAffinity", "podAffinity", "spread",
                                                           "taints"};

json::object NodeToJson(const engine::CandidateReport& candidate) {
  json::object node{{"node", candidate.node}, {"preference", candidate.preferred}};
  for (std::size_t kind = 0; kind < policy::kPreferences; ++kind) {
    const auto preference = static_cast<policy::Preference>(kind);
    const bool counted = preference != policy::Preference::kSpread || !candidate.raw.uncounted;
    node[kKinds[kind]] = json::object{
        {"raw", counted ? json::value(candidate.raw[preference]) : json::value(nullptr)},
        {"points", candidate.points[kind]}};
  }
  return node;
}

}  // namespace

void AddCandidates(const engine::Scheduler& scheduler, std::string_view name,
                   json::value& explanation) {
  const auto report = engine::ReportCandidates(scheduler, name);
  if (!report) return;
  json::object candidates;
  if (!report->pod.empty()) candidates["pod"] = report->pod;
  candidates["preferences"] = objects::ToString(scheduler.cluster().configuration().preferences);
  json::array nodes;
  for (const engine::CandidateReport& each : report->nodes) nodes.push_back(NodeToJson(each));
  candidates["nodes"] = std::move(nodes);
  explanation.get_object()["candidates"] = std::move(candidates);
}

// "100 (80)": points, and what they are made of.
void PrintCandidates(const json::value& explanation, show::Output& output) {
  const json::value& candidates = show::At(explanation, "candidates");
  if (!candidates.is_object()) {
    output.Line("");
    output.Line("No pod of it waits for a node.");
    return;
  }
  show::Table table(
      {"NODE", "PREFERENCE", "NODE AFFINITY", "POD AFFINITY", "SPREAD", "PREFERNOSCHEDULE"});
  for (const json::value& node : show::ItemsAt(candidates, "nodes")) {
    std::vector<show::Cell> cells = {std::string(show::TextAt(node, "node")),
                                     std::to_string(show::NumberAt(node, "preference"))};
    for (const std::string_view kind : kKinds) {
      const json::value& of = show::At(node, kind);
      const json::value& raw = show::At(of, "raw");
      cells.emplace_back(fmt::format("{} ({})", show::NumberAt(of, "points"),
                                     raw.is_int64() || raw.is_uint64()
                                         ? std::to_string(show::NumberAt(of, "raw"))
                                         : "not counted"));
    }
    table.Add(std::move(cells));
  }
  const std::string_view pod = show::TextAt(candidates, "pod");
  output.Section(fmt::format("Nodes that hold {} now, the best first: points (and what they are "
                             "made of)",
                             pod.empty() ? "its next pod" : pod),
                 table, "No node holds it now.");
}

}  // namespace fairlead::host
