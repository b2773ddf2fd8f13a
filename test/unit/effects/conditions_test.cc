#include "effects/conditions.h"

#include <gmock/gmock.h>

#include "unit/base/at.h"

namespace fairlead::effects {
namespace {

using objects::Condition;

Condition A(bool holds, std::optional<Time> since, std::string message = {}) {
  return {.type = "A", .holds = holds, .reason = "", .message = std::move(message), .since = since};
}

TEST(WithTimes, KeepsTheTimeOfWhatStayed) {
  objects::Condition kept{.type = "A", .holds = true, .reason = "", .message = "", .since = At(1)};
  objects::Condition turned{
      .type = "B", .holds = false, .reason = "", .message = "", .since = At(1)};
  const std::vector<objects::Condition> shown = {kept, turned};
  kept.message = "other words";
  kept.since.reset();
  turned.holds = true;
  const auto fresh = WithTimes({kept, turned}, shown, At(5));
  EXPECT_EQ(fresh[0].since, At(1));
  EXPECT_EQ(fresh[0].message, "other words");
  EXPECT_EQ(fresh[1].since, At(5));
}

TEST(SetCondition, SaysWhetherAnythingChanged) {
  std::vector<Condition> conditions;
  EXPECT_FALSE(SetCondition(A(false, {}), conditions, At(1)));  // it never held
  EXPECT_THAT(conditions, testing::IsEmpty());
  EXPECT_TRUE(SetCondition(A(true, {}), conditions, At(2)));
  EXPECT_FALSE(SetCondition(A(true, {}), conditions, At(3)));
  EXPECT_TRUE(SetCondition(A(true, {}, "other words"), conditions, At(4)));
  EXPECT_THAT(conditions, testing::ElementsAre(A(true, At(2), "other words")));
  EXPECT_TRUE(SetCondition(A(false, {}), conditions, At(5)));
  EXPECT_THAT(conditions, testing::ElementsAre(A(false, At(5))));
}

}  // namespace
}  // namespace fairlead::effects
