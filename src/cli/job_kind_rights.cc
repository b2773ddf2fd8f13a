#include "cli/job_kind_rights.h"

#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "show/document_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

json::array RulesFor(const std::vector<objects::JobRow>& rows) {
  json::array rules;
  for (const objects::JobRow& row : rows) {
    json::array verbs{"get", "list", "watch"};
    if (!row.is_let_go_by_pods()) verbs.emplace_back("patch");  // nothing is written on the others
    rules.push_back(json::object{{"apiGroups", json::array{row.group}},
                                 {"resources", json::array{row.plural}},
                                 {"verbs", std::move(verbs)}});
  }
  return rules;
}

}  // namespace

int PrintRights(const std::vector<objects::JobRow>& job_kinds, show::Output& output) {
  constexpr std::string_view kName = "fairlead-job-kinds", kGroup = "rbac.authorization.k8s.io";
  const std::string version = fmt::format("{}/v1", kGroup);
  if (job_kinds.empty()) {
    show::Complain("the input has no jobKinds: the rights in deploy/ are all that is needed");
    return show::kBadInput;
  }
  const json::object role{{"apiVersion", version},
                          {"kind", "ClusterRole"},
                          {"metadata", json::object{{"name", kName}}},
                          {"rules", RulesFor(job_kinds)}};
  const json::object binding{
      {"apiVersion", version},
      {"kind", "ClusterRoleBinding"},
      {"metadata", json::object{{"name", kName}}},
      {"roleRef", json::object{{"apiGroup", kGroup}, {"kind", "ClusterRole"}, {"name", kName}}},
      {"subjects",
       json::array{json::object{
           {"kind", "ServiceAccount"}, {"name", "fairlead"}, {"namespace", "fairlead-system"}}}}};
  const json::object list{
      {"apiVersion", "v1"}, {"kind", "List"}, {"items", json::array{role, binding}}};
  if (output.is_table()) {
    output.Text(show::YamlText(list));
  } else {
    output.Document(list);
  }
  return show::kDone;
}

}  // namespace fairlead::cli
