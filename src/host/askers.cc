#include "host/askers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "engine/explain/explain_askers.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using engine::AskerReport;

constexpr std::size_t kMostAskers = 30;

std::string_view ToString(AskerReport::Verdict verdict) {
  constexpr std::string_view kNames[] = {"HasRoom", "Lacks", "Unfit"};
  return kNames[static_cast<std::size_t>(verdict)];
}

server::Refusal NoNode(const state::NodeTable& nodes, const std::string& name) {
  std::vector<std::string> names;
  for (const state::NodeId n : nodes.by_name()) {
    if (nodes.exists(n)) names.push_back(nodes.name(n));
  }
  return {.status = 404,
          .message = fmt::format("there is no node {}{}", name, DidYouMean(name, names))};
}

}  // namespace

server::Answer AskersOf(const engine::Scheduler& scheduler, const std::string& node, Time now) {
  const state::NodeTable& nodes = scheduler.cluster().nodes();
  const state::NodeId n = nodes.Find(node);
  if (!n.valid() || !nodes.exists(n)) return tl::unexpected(NoNode(nodes, node));
  const engine::AskersReport report = engine::ReportAskers(scheduler, n, now);
  const std::size_t shown = std::min(kMostAskers, report.askers.size());
  json::array askers;
  for (std::size_t i = 0; i < shown; ++i) {
    const AskerReport& asker = report.askers[i];
    json::object row{{"workload", asker.workload}, {"queue", asker.queue},
                     {"alike", asker.alike},       {"verdict", ToString(asker.verdict)},
                     {"lacks", asker.lacks},       {"reason", nullptr}};
    if (!asker.reason.message.empty()) {
      row["reason"] = json::object{{"code", state::ToString(asker.reason.code)},
                                   {"message", asker.reason.message}};
    }
    askers.push_back(std::move(row));
  }
  return json::serialize(json::object{{"kind", "Askers"},
                                      {"now", FormatTime(now)},
                                      {"node", node},
                                      {"waiting", report.waiting},
                                      {"unseen", report.unseen},
                                      {"more", report.askers.size() - shown},
                                      {"askers", std::move(askers)}}) +
         "\n";
}

}  // namespace fairlead::host
