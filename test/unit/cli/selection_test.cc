#include "cli/selection.h"

#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "cli/elsewhere.h"
#include "cli/targets.h"
#include "cli/watch.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

const std::vector<json::value>& Documents() {
  static const json::value kList = json::parse(R"([
    {"metadata": {"name": "a", "labels": {"app": "web", "tier": "front"}},
     "status": {"phase": "Running"}},
    {"metadata": {"name": "b", "labels": {"app": "db"}}, "status": {"phase": "Pending"}},
    {"metadata": {"name": "c"}}])");
  static const std::vector<json::value> kDocuments(kList.get_array().begin(),
                                                   kList.get_array().end());
  return kDocuments;
}

// The names of those that are meant, or the message.
std::string Selected(std::string_view labels, std::string_view fields = "") {
  const auto selection = Selection::Parse(labels, fields);
  if (!selection) return selection.error().message;
  std::string names;
  for (const json::value& document : Documents()) {
    if (!selection->Wants(document)) continue;
    names += json::value_to<std::string>(document.at("metadata").at("name"));
  }
  return names;
}

TEST(Selection, ByLabels) {
  EXPECT_EQ(Selected(""), "abc");
  EXPECT_EQ(Selected("app=web"), "a");
  EXPECT_EQ(Selected("app==web,tier=front"), "a");
  EXPECT_EQ(Selected("app!=web"), "bc");
  EXPECT_EQ(Selected("app in (web, db)"), "ab");
  EXPECT_EQ(Selected("app notin (web)"), "bc");
  EXPECT_EQ(Selected("app"), "ab");
  EXPECT_EQ(Selected("!app"), "c");
  EXPECT_EQ(Selected("app in (web,db),!tier"), "b");
  EXPECT_EQ(
      Selected("app is web"),
      "--selector: found app is web, expected key=value, key!=value, key in (a,b), key or !key");
}

TEST(Selection, ByFields) {
  EXPECT_EQ(Selected("", "status.phase=Running"), "a");
  EXPECT_EQ(Selected("", "status.phase!=Running,metadata.name!=c"), "b");
  EXPECT_EQ(Selected("", "status.phase="), "c");
  EXPECT_EQ(Selected("", "phase"),
            "--field-selector: found phase, expected such as status.phase=Running");
}

TEST(Selection, FieldsThatNothingHas) {
  const auto of_none = [](std::string_view fields) {
    const auto selection = Selection::Parse("", fields);
    return std::string(selection->FieldOfNone(Documents()));
  };
  EXPECT_EQ(of_none("status.phase=Running,status.phaze=Running"), "status.phaze");
  EXPECT_EQ(of_none("status.phase=Gone"), "");
  // Not to have it is no mistake.
  EXPECT_EQ(of_none("status.phaze!=Running,status.phaze="), "");
  EXPECT_TRUE(AnyHas(".status.phase", Documents()));
  EXPECT_FALSE(AnyHas(".status.phaze", Documents()));
}

TEST(Selection, SortsByAPath) {
  std::vector<json::value> documents = Documents();
  ASSERT_TRUE(SortBy(".status.phase", documents));
  EXPECT_EQ(documents[0].at("metadata").at("name"), "c");
  EXPECT_EQ(documents[1].at("metadata").at("name"), "b");
  EXPECT_FALSE(SortBy(".status[", documents));
}

TEST(Selection, AgesAndNumbersAreNoTexts) {
  EXPECT_TRUE(CellBefore("59s", "1m"));
  EXPECT_TRUE(CellBefore("5m30s", "2h"));
  EXPECT_TRUE(CellBefore("23h", "1d2h"));
  EXPECT_TRUE(CellBefore("9", "10"));
  EXPECT_FALSE(CellBefore("b", "a"));
}

// "Pod vision/a", one by one; or the message.
std::string Meant(const std::vector<std::string>& words, const Scope& scope = {}) {
  const auto targets = TargetsOf(words, scope);
  if (!targets) return targets.error().message;
  std::string text;
  for (const Target& target : *targets) {
    text += (text.empty() ? "" : " ") + std::string(target.kind->kind) + ":" + target.name_space +
            "/" + target.name;
  }
  return text;
}

TEST(Targets, AsKubectlReadsThem) {
  EXPECT_EQ(Meant({"po"}), "Pod:default/");
  EXPECT_EQ(Meant({"pods,nodes"}, {.everywhere = true}), "Pod:/ Node:/");
  EXPECT_EQ(Meant({"pod", "a", "b"}, {.name_space = "vision"}), "Pod:vision/a Pod:vision/b");
  EXPECT_EQ(Meant({"pod/a", "node/n1"}), "Pod:default/a Node:/n1");
  EXPECT_EQ(Meant({"pods", "vision/a"}), "Pod:vision/a");
  EXPECT_EQ(Meant({"queues.fairlead.dev/vision"}), "Queue:/vision");
  EXPECT_EQ(Meant({"events"}), "Event:/");
}

TEST(Targets, FaultsNameTheWord) {
  EXPECT_EQ(Meant({"pod/a", "b"}), "found b beside pod/a, expected KIND/NAME everywhere");
  EXPECT_EQ(Meant({"pod/"}), "pod/ has no name behind its /");
  EXPECT_EQ(Meant({"pod", "a"}, {.everywhere = true}),
            "a name lies in one namespace: give -n, not -A");
  EXPECT_EQ(Meant({"pod", "vision/a"}, {.name_space = "nlp"}),
            "vision/a names a namespace, and -n nlp another");
}

// "a Running", one by one.
std::string Printed(RowChanges& changes, std::vector<NamedRow> rows) {
  const Rows changed =
      changes.Take({.columns = {"NAME", "STATUS", "AGE"}, .rows = std::move(rows)});
  std::string text;
  for (const NamedRow& row : changed.rows) {
    text += (text.empty() ? "" : ", ") + row.cells[0] + " " + row.cells[1];
  }
  return text;
}

TEST(RowChanges, AreWhatIsNewOrDiffersOrWent) {
  RowChanges changes;
  EXPECT_EQ(Printed(changes, {{"a", {"a", "Pending", "1s"}}, {"b", {"b", "Running", "9s"}}}),
            "a Pending, b Running");
  EXPECT_EQ(Printed(changes, {{"a", {"a", "Pending", "2s"}}, {"b", {"b", "Running", "10s"}}}), "");
  EXPECT_EQ(Printed(changes, {{"a", {"a", "Running", "3s"}}, {"c", {"c", "Pending", "0s"}}}),
            "a Running, c Pending, b Deleted");
  // Another of that name.
  EXPECT_EQ(Printed(changes, {{"a", {"a", "Running", "1s"}}, {"c", {"c", "Pending", "0s"}}}),
            "a Running");
  EXPECT_EQ(Printed(changes, {{"a", {"a", "Running", "4s"}}, {"c", {"c", "Pending", "1s"}}}), "");
}

// An event has no name: each is one of its own, and none is deleted when the log forgets it.
TEST(RowChanges, OfEvents) {
  RowChanges changes;
  EXPECT_EQ(Printed(changes, {{"", {"Bind", "a", "1s"}}, {"", {"Run", "a", "1s"}}}),
            "Bind a, Run a");
  EXPECT_EQ(Printed(changes, {{"", {"Run", "a", "2s"}}, {"", {"Gone", "a", "0s"}}}), "Gone a");
}

TEST(Elsewhere, SaysWhatDoesItHere) {
  EXPECT_EQ(CommandInsteadOf("squeue"), "fairlead get workloads -A");
  EXPECT_EQ(CommandInsteadOf("apply"), "fairlead submit -f FILE");
  EXPECT_EQ(CommandInsteadOf("plan"), "");
}

}  // namespace
}  // namespace fairlead::cli
