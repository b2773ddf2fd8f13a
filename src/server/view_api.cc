#include "server/view_api.h"

#include <fmt/format.h>

namespace fairlead::server {

using About = view::Question::About;

Answer ServeView(Backend& backend, const std::vector<std::string>& segments,
                 const Request& request) {
  const std::string table = segments.size() > 1 ? segments[1] : std::string();
  const std::size_t names = segments.size() - std::min<std::size_t>(2, segments.size());
  if (table == "summary" && names == 0) return backend.View({.about = About::kSummary});
  if (table == "queues" && names == 0) return backend.View({.about = About::kQueues});
  if (table == "nodes" && names == 0) {
    return backend.View({.about = About::kNodes, .parameters = request.query});
  }
  if (table == "nodes" && names == 2 && segments[3] == "askers") {
    return backend.Askers(segments[2]);
  }
  if (table == "nodes" && names == 1) {
    return backend.View({.about = About::kNode, .name = segments[2]});
  }
  if (table == "workloads" && names == 0) {
    return backend.View({.about = About::kWorkloads, .parameters = request.query});
  }
  if (table == "workloads" && names == 2) {
    return backend.View({.about = About::kWorkload, .name = segments[2] + "/" + segments[3]});
  }
  if (table == "domains" && names == 0) {
    return backend.View({.about = About::kDomains, .parameters = request.query});
  }
  if (table == "labels" && names == 0) return backend.View({.about = About::kLabels});
  if (table == "users" && names == 0) return backend.View({.about = About::kUsers});
  if (table == "top" && names == 0) {
    return backend.View({.about = About::kTop, .parameters = request.query});
  }
  if (table == "facets" && names == 0) return backend.View({.about = About::kFacets});
  if (table == "ahead" && names == 0) return backend.View({.about = About::kAhead});
  return tl::unexpected(Refusal{
      .status = 404,
      .message = fmt::format("there is nothing at {}, expected /api/v1/view/ and summary, queues, "
                             "nodes[/NAME[/askers]], labels, domains, users, top, facets, ahead or "
                             "workloads[/NAMESPACE/NAME]",
                             request.path)});
}

}  // namespace fairlead::server
