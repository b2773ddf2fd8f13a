#include "objects/selector.h"

#include <string>

#include <gtest/gtest.h>

namespace fairlead::objects {
namespace {

TEST(Requirement, FollowsKubernetesRule) {
  struct Case {
    Requirement requirement;
    const char* value;  // null: the key is absent
    bool matches;
  };
  const Case cases[] = {
      {{"k", Operator::kIn, {"a", "b"}}, "b", true},
      {{"k", Operator::kIn, {"a", "b"}}, "c", false},
      {{"k", Operator::kIn, {"a"}}, nullptr, false},
      {{"k", Operator::kIn, {""}}, "", true},
      {{"k", Operator::kNotIn, {"a"}}, "a", false},
      {{"k", Operator::kNotIn, {"a"}}, "b", true},
      {{"k", Operator::kNotIn, {"a"}}, nullptr, true},
      {{"k", Operator::kExists, {}}, "", true},
      {{"k", Operator::kExists, {}}, nullptr, false},
      {{"k", Operator::kDoesNotExist, {}}, nullptr, true},
      {{"k", Operator::kDoesNotExist, {}}, "a", false},
      {{"k", Operator::kGt, {"5"}}, "6", true},
      {{"k", Operator::kGt, {"5"}}, "5", false},
      {{"k", Operator::kGt, {"-5"}}, "-4", true},
      {{"k", Operator::kGt, {"5"}}, "10", true},  // as numbers, not as text
      {{"k", Operator::kGt, {"5"}}, "x", false},
      {{"k", Operator::kGt, {"5"}}, nullptr, false},
      {{"k", Operator::kGt, {"5", "6"}}, "7", false},
      {{"k", Operator::kGt, {"5"}}, "99999999999999999999", false},
      {{"k", Operator::kLt, {"5"}}, "4", true},
      {{"k", Operator::kLt, {"5"}}, "5", false},
      {{"k", Operator::kLt, {"x"}}, "4", false},
  };
  for (const Case& c : cases) {
    const std::string value = c.value == nullptr ? "" : c.value;
    EXPECT_EQ(Matches(c.requirement, c.value == nullptr ? nullptr : &value), c.matches)
        << static_cast<int>(c.requirement.op) << " " << value;
  }
}

TEST(LabelSelector, MustHoldWhole) {
  const Labels labels = {{"a", "1"}, {"b", "2"}};
  EXPECT_TRUE(Matches(LabelSelector{}, labels));
  EXPECT_TRUE(Matches(LabelSelector{}, {}));
  EXPECT_TRUE(Matches(
      LabelSelector{{{"a", Operator::kIn, {"1"}}, {"c", Operator::kDoesNotExist, {}}}}, labels));
  EXPECT_FALSE(
      Matches(LabelSelector{{{"a", Operator::kIn, {"1"}}, {"b", Operator::kIn, {"1"}}}}, labels));
}

TEST(NodeSelectorTerm, SelectsNothingWhenEmpty) {
  const Labels labels = {{"a", "1"}};
  EXPECT_FALSE(Matches(NodeSelectorTerm{}, labels, "n1"));
  const Requirement on_n1{"metadata.name", Operator::kIn, {"n1"}};
  EXPECT_TRUE(Matches(NodeSelectorTerm{.labels = {}, .fields = {on_n1}}, labels, "n1"));
  EXPECT_FALSE(Matches(NodeSelectorTerm{.labels = {}, .fields = {on_n1}}, labels, "n2"));
  const Requirement not_a{"a", Operator::kDoesNotExist, {}};
  EXPECT_FALSE(Matches(NodeSelectorTerm{.labels = {not_a}, .fields = {on_n1}}, labels, "n1"));
}

TEST(Toleration, FollowsKubernetesRule) {
  const Taint taint{"a", "1", TaintEffect::kNoSchedule};
  struct Case {
    Toleration toleration;
    bool tolerates;
  };
  const Case cases[] = {
      {{.key = "", .exists = true, .value = "", .effect = std::nullopt}, true},
      {{.key = "a", .exists = true, .value = "", .effect = std::nullopt}, true},
      {{.key = "b", .exists = true, .value = "", .effect = std::nullopt}, false},
      {{.key = "a", .exists = false, .value = "1", .effect = std::nullopt}, true},
      {{.key = "a", .exists = false, .value = "2", .effect = std::nullopt}, false},
      {{.key = "a", .exists = false, .value = "1", .effect = TaintEffect::kNoSchedule}, true},
      {{.key = "a", .exists = false, .value = "1", .effect = TaintEffect::kNoExecute}, false},
      {{.key = "", .exists = false, .value = "1", .effect = std::nullopt}, false},
  };
  for (const Case& c : cases) EXPECT_EQ(Tolerates(c.toleration, taint), c.tolerates);
}

TEST(FindLabel, FindsInSortedLists) {
  const Labels labels = {{"a", "1"}, {"c", "2"}};
  EXPECT_EQ(*FindLabel(labels, "c"), "2");
  EXPECT_EQ(FindLabel(labels, "b"), nullptr);
  EXPECT_EQ(FindLabel({}, "b"), nullptr);
  const ResourceList amounts = {{"cpu", 5}, {"memory", 7}};
  EXPECT_EQ(AmountOf(amounts, "memory"), 7);
  EXPECT_EQ(AmountOf(amounts, "pods"), 0);
}

}  // namespace
}  // namespace fairlead::objects
