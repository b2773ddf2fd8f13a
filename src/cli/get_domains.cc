#include "cli/get_domains.h"

#include <map>
#include <optional>
#include <utility>

#include <boost/json.hpp>

#include "cli/remote.h"
#include "host/offline_cluster.h"
#include "show/domains_view.h"
#include "view/answer.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr int kMostWorkloads = 1000;  // named in a domain

Result<json::value> DomainsOfFiles(const objects::Manifest& manifest,
                                   const view::Question& question) {
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  const auto answer = view::Answer(*offline.Look(), question);
  if (!answer) return Fail(answer.error().message);
  return json::parse(*answer);
}

}  // namespace

int GetDomains(const DomainsQuestion& question, const std::string& server, show::Output& output) {
  std::map<std::string, std::string> parameters = {{"most", std::to_string(kMostWorkloads)}};
  if (!question.by.empty()) parameters["by"] = question.by;
  if (!question.topology.empty()) parameters["topology"] = question.topology;
  if (question.input.paths.empty()) {
    const auto answer =
        Call(ServerUrl(server), "GET", WithQuery("/api/v1/view/domains", parameters));
    if (!answer) return Complain(answer.error());
    show::PrintDomains(*answer, output);
    return show::kDone;
  }
  const objects::Manifest manifest = host::ReadInput(question.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  const Result<json::value> answer = DomainsOfFiles(
      manifest, {.about = view::Question::About::kDomains, .parameters = std::move(parameters)});
  if (!answer) {
    show::Complain(answer.error().message);
    return show::kBadInput;
  }
  show::PrintDomains(*answer, output);
  return show::kDone;
}

}  // namespace fairlead::cli
