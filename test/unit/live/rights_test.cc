#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "live/resources.h"
#include "objects/job_rows.h"

// The rights in deploy/ are what `run` needs: every resource that it watches may be read, every
// kind of job patched, but for those that are let go by their pods.

namespace fairlead::live {
namespace {

// "[a, b]" behind `key` in the line, in its parts; empty where the line is another.
std::vector<std::string> ListBehind(const std::string& line, const std::string& key) {
  std::vector<std::string> parts;
  const std::size_t at = line.find(key + ": [");
  if (at == std::string::npos) return parts;
  std::string part;
  for (std::size_t i = at + key.size() + 3; i < line.size(); ++i) {
    if (line[i] == ',' || line[i] == ']') parts.push_back(std::exchange(part, {}));
    if (std::string_view(",]' ").find(line[i]) == std::string_view::npos) part += line[i];
  }
  return parts;
}

// "batch jobs patch" for each right of the first ClusterRole.
std::set<std::string> RightsIn(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::set<std::string> rights;
  std::vector<std::string> groups, resources;
  for (std::string line; std::getline(file, line) && line != "---";) {
    if (auto found = ListBehind(line, "apiGroups"); !found.empty()) groups = std::move(found);
    if (auto found = ListBehind(line, "resources"); !found.empty()) resources = std::move(found);
    for (const std::string& verb : ListBehind(line, "verbs")) {
      for (const std::string& group : groups) {
        for (const std::string& resource : resources) {
          rights.insert(group + " " + resource + " " + verb);
        }
      }
    }
  }
  return rights;
}

// Those of the table: tests add kinds of their own, and whoever adds one gives the rights, too.
[[maybe_unused]] const std::size_t rows_of_the_table = objects::JobRows().size();
bool IsOfTheTable(const objects::JobRow& row) { return row.number < rows_of_the_table; }

TEST(Rights, AreThoseOfTheKindsThatAreRead) {
  for (const char* path : {"deploy/base/rbac.yaml", "deploy/helm/fairlead/templates/rbac.yaml"}) {
    const std::set<std::string> rights = RightsIn(path);
    for (const Watched& watched : AllWatched()) {
      const objects::JobRow* of_jobs = objects::FindJobRow(watched.kind);
      if (of_jobs != nullptr && !IsOfTheTable(*of_jobs)) continue;
      for (const char* verb : {"get", "list", "watch"}) {
        const std::string right =
            std::string(watched.group) + " " + std::string(watched.plural) + " " + verb;
        EXPECT_TRUE(rights.contains(right)) << path << " lacks " << right;
      }
    }
    for (const objects::JobRow& row : objects::JobRows()) {
      if (!IsOfTheTable(row)) continue;
      const std::string right = row.group + " " + row.plural + " patch";
      EXPECT_EQ(rights.contains(right), !row.is_let_go_by_pods()) << path << ": " << right;
    }
    // What is written of groups: conditions of Kubernetes' own.
    EXPECT_TRUE(rights.contains("scheduling.k8s.io podgroups/status patch")) << path;
  }
}

}  // namespace
}  // namespace fairlead::live
