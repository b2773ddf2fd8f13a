#include "cli/ask_view.h"

#include "cli/remote.h"
#include "host/offline_cluster.h"

namespace fairlead::cli {

namespace json = boost::json;

std::optional<json::value> AskView(const ViewQuestion& question, const host::InputOptions& files,
                                   const std::string& server) {
  if (files.paths.empty()) {
    auto answer = Call(ServerUrl(server), "GET",
                       WithQuery("/api/v1/view/" + question.table, question.parameters));
    if (answer) return std::move(*answer);
    Complain(answer.error());
    return std::nullopt;
  }
  const objects::Manifest manifest = host::ReadInput(files);
  if (!host::ReportInput(manifest)) return std::nullopt;
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  const auto answer =
      view::Answer(*offline.Look(), {.about = question.about, .parameters = question.parameters});
  if (answer) return json::parse(*answer);
  show::Complain(answer.error().message);
  return std::nullopt;
}

}  // namespace fairlead::cli
