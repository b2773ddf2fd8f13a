#include "cli/get_domains.h"

#include <map>

#include "cli/ask_view.h"
#include "show/domains_view.h"

namespace fairlead::cli {
namespace {

constexpr int kMostWorkloads = 1000;  // named in a domain

}  // namespace

int GetDomains(const DomainsQuestion& question, const std::string& server, show::Output& output) {
  std::map<std::string, std::string> parameters = {{"most", std::to_string(kMostWorkloads)}};
  if (!question.by.empty()) parameters["by"] = question.by;
  if (!question.topology.empty()) parameters["topology"] = question.topology;
  const auto answer = AskView("domains", parameters, question.input, server);
  if (!answer) return show::kBadInput;
  show::PrintDomains(*answer, output);
  return show::kDone;
}

}  // namespace fairlead::cli
