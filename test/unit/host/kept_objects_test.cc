#include "host/kept_objects.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fairlead::host {
namespace {

class KeptObjectsTest : public ::testing::Test {
 protected:
  void Told(int i) {
    objects::Node node;
    node.meta.name = fmt::format("n{}", i);
    const objects::Object object = std::move(node);
    kept_.OnObject(drive::NewsOf({}, object));
  }
  void Gone(int i) {
    const std::string name = fmt::format("n{}", i);
    kept_.OnObject({.time = {}, .kind = "Node", .name_space = "", .name = name});
  }
  KeptObjects kept_;
};

TEST_F(KeptObjectsTest, WhatIsThereOnce) {
  Told(1);
  Told(2);
  Told(1);
  ASSERT_TRUE(kept_.All());
  EXPECT_EQ(kept_.All()->size(), 2U);
  Gone(1);
  ASSERT_EQ(kept_.All()->size(), 1U);
  EXPECT_EQ(objects::MetaOf(*kept_.All()->front()).name, "n2");
}

TEST_F(KeptObjectsTest, OfTooManyNothingUntilEachIsToldOnceMore) {
  const int most = static_cast<int>(KeptObjects::kMostNodes);
  for (int i = 0; i < most; ++i) Told(i);
  EXPECT_TRUE(kept_.All());
  Told(most);
  Told(most + 1);
  EXPECT_FALSE(kept_.All());
  Gone(most + 1);
  Gone(0);
  EXPECT_FALSE(kept_.All());  // there is room, but what that one says is not known
  Told(most);
  ASSERT_TRUE(kept_.All());
  EXPECT_EQ(kept_.All()->size(), KeptObjects::kMostNodes);
}

TEST_F(KeptObjectsTest, OfTwiceTooManyNoneUntilEachIsToldOnceMore) {
  const int most = static_cast<int>(KeptObjects::kMostNodes);
  for (int i = 0; i < 2 * most; ++i) Told(i);
  for (int i = most; i < 2 * most; ++i) Gone(i);
  for (int i = 0; i < most; ++i) {
    EXPECT_FALSE(kept_.All());
    Told(i);
  }
  ASSERT_TRUE(kept_.All());
  EXPECT_EQ(kept_.All()->size(), KeptObjects::kMostNodes);
}

}  // namespace
}  // namespace fairlead::host
