#include "base/check.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(Check, EndsTheProcessAndSaysWhere) {
  CHECK(1 + 1 == 2);
  EXPECT_DEATH(CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: check failed: 1 \\+ 1 == 3");
}

#ifndef NDEBUG
TEST(Bug, EndsTheProcessInTests) {
  EXPECT_EQ(BugCount(), 0u);
  EXPECT_DEATH(BUG("sums differ"), "check_test.cc:[0-9]+: bug: sums differ");
}
#endif

}  // namespace
}  // namespace fairlead
