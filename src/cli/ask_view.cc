#include "cli/ask_view.h"

#include "cli/remote.h"
#include "host/offline_cluster.h"
#include "server/view_api.h"

namespace fairlead::cli {

namespace json = boost::json;

std::optional<json::value> AskView(const std::string& table,
                                   const std::map<std::string, std::string>& parameters,
                                   const host::InputOptions& files, const std::string& server) {
  if (files.paths.empty()) {
    auto answer = Call(ServerUrl(server), "GET", WithQuery("/api/v1/view/" + table, parameters));
    if (answer) return std::move(*answer);
    Complain(answer.error());
    return std::nullopt;
  }
  const objects::Manifest manifest = host::ReadInput(files);
  if (!host::ReportInput(manifest)) return std::nullopt;
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  const auto answer =
      view::Answer(*offline.Look(), server::QuestionAt({"view", table}, parameters).value());
  if (answer) return json::parse(*answer);
  show::Complain(answer.error().message);
  return std::nullopt;
}

}  // namespace fairlead::cli
