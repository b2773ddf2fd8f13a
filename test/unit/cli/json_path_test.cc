#include "cli/json_path.h"

#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace fairlead::cli {
namespace {

namespace json = boost::json;

const json::value& List() {
  static const json::value list = json::parse(R"({"items": [
    {"metadata": {"name": "a", "labels": {"example.com/rack": "r1"}},
     "status": {"phase": "Running"},
     "spec": {"priority": 9}},
    {"metadata": {"name": "b"}, "status": {"phase": "Pending"}, "spec": {"priority": 10}}]})");
  return list;
}

// What stands there, apart by blanks; or the message.
std::string At(std::string_view path) {
  const auto values = ValuesAt(List(), path);
  if (!values) return values.error().message;
  std::string text;
  for (const json::value* value : *values) text += (text.empty() ? "" : " ") + PlainText(*value);
  return text;
}

TEST(JsonPath, Steps) {
  EXPECT_EQ(At(".items[*].metadata.name"), "a b");
  EXPECT_EQ(At("{.items[*].metadata.name}"), "a b");
  EXPECT_EQ(At("$.items[0].metadata.name"), "a");
  EXPECT_EQ(At("items[-1].metadata['name']"), "b");
  EXPECT_EQ(At(".items[0:1].metadata.name"), "a");
  EXPECT_EQ(At(".items[1:].metadata.name"), "b");
  EXPECT_EQ(At(".items[7].metadata.name"), "");
  EXPECT_EQ(At("..phase"), "Running Pending");
  EXPECT_EQ(At(".items[0].metadata.labels.example\\.com/rack"), "r1");
  EXPECT_EQ(At(".items[0].metadata.labels"), R"({"example.com/rack":"r1"})");
  EXPECT_EQ(At(".items[0].nothing.there"), "");
}

TEST(JsonPath, Filters) {
  EXPECT_EQ(At(R"(.items[?(@.status.phase=="Pending")].metadata.name)"), "b");
  EXPECT_EQ(At(".items[?(@.status.phase != 'Pending')].metadata.name"), "a");
  EXPECT_EQ(At(".items[?(@.spec.priority>=10)].metadata.name"), "b");  // as numbers: 9 < 10
  EXPECT_EQ(At(".items[?(@.metadata.labels)].metadata.name"), "a");
}

TEST(JsonPath, FaultsSayWhere) {
  EXPECT_EQ(At(".items[0"), "path .items[0: found \"[0\", expected a ] for it");
  EXPECT_EQ(At(".items[x]"),
            "path .items[x]: found \"x\", expected a number, 1:3, *, a name in quotes or ?(…)");
  EXPECT_EQ(At(".items..[0]"), "path .items..[0]: found \"[0]\", expected a field's name");
}

std::string Filled(std::string_view text) {
  const auto filled = FillTemplate(List(), text);
  return filled ? *filled : filled.error().message;
}

TEST(JsonTemplate, IsKubectls) {
  EXPECT_EQ(Filled("names: {.items[*].metadata.name}."), "names: a b.");
  EXPECT_EQ(Filled(R"({range .items[*]}{.metadata.name}={.status.phase}{"\n"}{end})"),
            "a=Running\nb=Pending\n");
  EXPECT_EQ(Filled("{range .nothing[*]}x{end}end"), "end");
  EXPECT_EQ(Filled("{.items"), "template: {.items has no closing brace");
  EXPECT_EQ(Filled("{range .items[*]}x"), "template: a {range} without its {end}");
  EXPECT_EQ(Filled("{end}"), "template: an {end} without its {range}");
}

}  // namespace
}  // namespace fairlead::cli
