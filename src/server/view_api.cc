#include "server/view_api.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace fairlead::server {

using About = view::Question::About;

std::optional<view::Question> QuestionAt(const std::vector<std::string>& segments,
                                         const std::map<std::string, std::string>& parameters) {
  struct Table {
    std::string_view name;
    About about;
  };
  static constexpr Table kTables[] = {
      {"summary", About::kSummary},     {"queues", About::kQueues},   {"nodes", About::kNodes},
      {"workloads", About::kWorkloads}, {"domains", About::kDomains}, {"labels", About::kLabels},
      {"users", About::kUsers},         {"top", About::kTop},         {"facets", About::kFacets},
      {"ahead", About::kAhead},
  };
  const std::string table = segments.size() > 1 ? segments[1] : std::string();
  if (segments.size() == 2) {
    const auto found = std::ranges::find(kTables, table, &Table::name);
    if (found == std::end(kTables)) return std::nullopt;
    return view::Question{.about = found->about, .parameters = parameters};
  }
  if (table == "nodes" && segments.size() == 3) {
    return view::Question{.about = About::kNode, .name = segments[2]};
  }
  if (table == "workloads" && segments.size() == 4) {
    return view::Question{.about = About::kWorkload, .name = segments[2] + "/" + segments[3]};
  }
  return std::nullopt;
}

Answer ServeView(Backend& backend, const std::vector<std::string>& segments,
                 const Request& request) {
  if (segments.size() == 4 && segments[1] == "nodes" && segments[3] == "askers") {
    return backend.Askers(segments[2]);
  }
  if (const auto question = QuestionAt(segments, request.query)) return backend.View(*question);
  return tl::unexpected(Refusal{
      .status = 404,
      .message = fmt::format("there is nothing at {}, expected /api/v1/view/ and summary, queues, "
                             "nodes[/NAME[/askers]], labels, domains, users, top, facets, ahead or "
                             "workloads[/NAMESPACE/NAME]",
                             request.path)});
}

}  // namespace fairlead::server
