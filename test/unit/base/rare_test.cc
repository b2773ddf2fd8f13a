#include "base/rare.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

struct Few {
  std::string text;
  int number = 7;
  bool operator==(const Few&) const = default;
};

TEST(Rare, ReadsAsADefaultUntilItIsEdited) {
  Rare<Few> rare;
  EXPECT_EQ(rare->number, 7);
  rare.Edit().number = 8;
  EXPECT_EQ(rare->number, 8);
  EXPECT_EQ(rare->text, "");
}

TEST(Rare, IsComparedAsWhatItReads) {
  Rare<Few> none, edited, changed;
  edited.Edit().number = 7;
  changed.Edit().number = 8;
  EXPECT_EQ(none, edited);
  EXPECT_NE(none, changed);
  EXPECT_NE(changed, edited);
}

TEST(Rare, IsCopiedAsAValue) {
  Rare<Few> rare;
  rare.Edit().text = "a";
  Rare<Few> copy = rare;
  copy.Edit().text = "b";
  EXPECT_EQ(rare->text, "a");
  rare = Rare<Few>(copy);
  EXPECT_EQ(rare->text, "b");
  copy = Rare<Few>();
  EXPECT_EQ(copy->text, "");
}

TEST(RareOptional, IsAbsentOrAValue) {
  RareOptional<Few> absent;
  EXPECT_FALSE(absent);
  EXPECT_EQ(absent.get(), nullptr);
  RareOptional<Few> there = Few{.text = "a"};
  ASSERT_TRUE(there.has_value());
  EXPECT_EQ(there->text, "a");
  EXPECT_NE(absent, there);
  absent = there;
  EXPECT_EQ(absent, there);
  absent = {.text = "b", .number = 1};
  EXPECT_NE(absent, there);
  there.reset();
  EXPECT_EQ(there, RareOptional<Few>(std::optional<Few>()));
  there = std::optional(Few{.text = "c"});
  EXPECT_EQ((*there).text, "c");
}

}  // namespace
}  // namespace fairlead
