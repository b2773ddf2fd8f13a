#include "state/tally.h"

#include <gtest/gtest.h>

// When a minimum is placed, and when all of a gang has succeeded.

namespace fairlead::state {
namespace {

using Sets = std::vector<TalliedSet>;

TEST(Tally, AMinimumIsPlacedOrHasSucceeded) {
  EXPECT_FALSE(HasMinimum(Sets{}));
  EXPECT_FALSE(HasMinimum(Sets{{.min_count = 2, .placed = 1}}));
  EXPECT_TRUE(HasMinimum(Sets{{.min_count = 2, .placed = 2}}));
  EXPECT_TRUE(HasMinimum(Sets{{.min_count = 2, .succeeded = 1, .placed = 1}}));
  // Of all sets; one that needs none may have none.
  EXPECT_FALSE(HasMinimum(Sets{{.min_count = 1, .placed = 1}, {.min_count = 1}}));
  EXPECT_TRUE(HasMinimum(Sets{{.min_count = 1, .placed = 1}, {.count = 3}}));
  // Nothing runs of what has succeeded whole.
  EXPECT_FALSE(HasMinimum(Sets{{.min_count = 2, .succeeded = 2}}));
}

TEST(Tally, AGangSucceedsWithWhatItIsAdmittedWith) {
  EXPECT_FALSE(HasSucceeded(Sets{}));
  EXPECT_FALSE(HasSucceeded(Sets{{.count = 3, .succeeded = 2}}));
  EXPECT_TRUE(HasSucceeded(Sets{{.count = 3, .succeeded = 3}}));
  EXPECT_TRUE(HasSucceeded(Sets{{.count = 3, .admitted = 2, .succeeded = 2}}));
  EXPECT_TRUE(HasSucceeded(Sets{{.count = 3, .admitted = 2, .succeeded = 2}, {.count = 4}}));
}

TEST(Tally, SetsComeAndGo) {
  Sets sets;
  CountPod(sets, 2, +1);  // before its gang's object
  EXPECT_EQ(sets.size(), 3U);
  EXPECT_TRUE(HasMinimum(sets));
  const std::vector<PodSetChange> asked = {{.name = "a", .count = 2, .min_count = 1}};
  Ask(sets, asked);
  EXPECT_EQ(sets.size(), 3U);  // a pod of the last is there
  EXPECT_FALSE(HasMinimum(sets));
  CountPod(sets, -1, +1);  // of no set that it names: the first
  EXPECT_TRUE(HasMinimum(sets));
  CountPod(sets, 2, -1);
  Ask(sets, asked);
  EXPECT_EQ(sets.size(), 1U);
  EXPECT_EQ(PlacedOf(sets), 1);
}

}  // namespace
}  // namespace fairlead::state
