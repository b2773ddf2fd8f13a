#include "cli/describe.h"

#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/quantity.h"
#include "cli/fetch.h"
#include "host/explanation.h"
#include "show/document_text.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

// "cpu 8, gpu 1", of amounts in the order of the answer's resources.
std::string AmountsAt(const json::value& answer, const json::value& row, std::string_view key) {
  std::string text;
  const json::array& amounts = show::ItemsAt(row, key);
  const json::array& resources = show::ItemsAt(answer, "resources");
  for (std::size_t i = 0; i < amounts.size() && i < resources.size(); ++i) {
    const std::int64_t* amount = amounts[i].if_int64();
    if (amount == nullptr || *amount == 0) continue;
    const std::string_view resource = show::TextAt(resources[i], "name");
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", show::ShortResource(resource),
                        HumanAmount(resource, *amount));
  }
  return text;
}

show::Cell StateCell(std::string_view state) { return {std::string(state), show::ToneOf(state)}; }

Remote<void> DescribeNode(const std::string& name, const Scope& scope, show::Output& output) {
  const auto node = Call(ServerUrl(scope.server), "GET", ApiPath("view/nodes", "", name));
  if (!node) return tl::unexpected(node.error());
  output.Line("");
  output.Line(fmt::format("{:<13}{}", "Allocatable:", AmountsAt(*node, *node, "allocatable")));
  output.Line(fmt::format("{:<13}{}", "Allocated:", AmountsAt(*node, *node, "allocated")));
  show::Table table({"POD", "STATE", "QUEUE", "WORKLOAD", "REQUEST"});
  for (const json::value& pod : show::ItemsAt(*node, "pods")) {
    const std::string_view own = show::TextAt(pod, "pod"), work = show::TextAt(pod, "workload");
    table.Add({std::string(own), StateCell(show::TextAt(pod, "state")),
               std::string(show::TextAt(pod, "queue")), std::string(work == own ? "" : work),
               AmountsAt(*node, pod, "request")});
  }
  output.Section("Pods", table, "No pod is there.");
  return {};
}

Remote<void> DescribeQueue(const std::string& name, const Scope& scope, show::Output& output) {
  const auto all = Call(ServerUrl(scope.server), "GET",
                        WithQuery("/api/v1/view/workloads",
                                  {{"queue", name}, {"limit", "1000"}, {"sort", "-created"}}));
  if (!all) return tl::unexpected(all.error());
  show::Table table({"WORKLOAD", "KIND", "STATE", "PODS", "PRIORITY", "WAITED", "REASON"});
  for (const json::value& row : show::ItemsAt(*all, "rows")) {
    const std::string_view state = show::TextAt(row, "state");
    if (state == "Finished") continue;
    table.Add({std::string(show::TextAt(row, "workload")), std::string(show::TextAt(row, "kind")),
               StateCell(state),
               fmt::format("{}/{}", show::NumberAt(row, "running"), show::NumberAt(row, "wanted")),
               std::to_string(show::NumberAt(row, "priority")),
               show::HumanDuration(Duration::Seconds(show::NumberAt(row, "waitingSeconds"))),
               std::string(show::TextAt(show::At(row, "reason"), "message"))});
  }
  output.Section("Work in it, the oldest first", table, "Nothing waits or runs in it.");
  const auto total = show::NumberAt(*all, "matching");
  const auto shown = static_cast<std::int64_t>(show::ItemsAt(*all, "rows").size());
  if (total > shown) output.Line(fmt::format("… and {} more", show::Grouped(total - shown)));
  return {};
}

Remote<void> DescribeWork(const Target& target, const Scope& scope, show::Output& output) {
  const auto explanation =
      Call(ServerUrl(scope.server), "GET", ApiPath("explain", target.name_space, target.name));
  if (!explanation) return tl::unexpected(explanation.error());
  if (output.is_table()) {
    host::PrintExplanation(*explanation, output);
  } else {
    output.StreamDocument(*explanation);
  }
  return {};
}

}  // namespace

Remote<void> Describe(const Target& target, const Scope& scope, show::Output& output) {
  if (IsWork(*target.kind)) return DescribeWork(target, scope, output);
  const bool is_node = target.kind->kind == "Node", is_queue = target.kind->kind == "Queue";
  const auto documents = FetchDocuments(target, scope);
  const bool has_more = output.is_table() && (is_node || is_queue);
  if (!documents && (documents.error().status != kNotServed || !has_more)) {
    return tl::unexpected(documents.error());
  }
  if (documents && !output.is_table()) output.StreamDocument(documents->front());
  if (documents && output.is_table()) output.Text(show::YamlText(documents->front()));
  if (!has_more) return {};
  return is_node ? DescribeNode(target.name, scope, output)
                 : DescribeQueue(target.name, scope, output);
}

}  // namespace fairlead::cli
