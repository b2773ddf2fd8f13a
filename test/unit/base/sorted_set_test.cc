#include "base/sorted_set.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(SortedSetTest, SortsAndKeepsEachOnce) {
  std::vector<std::string> names = {"b", "a", "b", "c", "a"};
  MakeSet(names);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c"}));
  MakeSet(names, std::greater<>{});
  EXPECT_EQ(names, (std::vector<std::string>{"c", "b", "a"}));
  std::vector<int> none;
  MakeSet(none);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace fairlead
