#include "base/number_set.h"

#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

std::vector<std::uint32_t> AllOf(const NumberSet& numbers) {
  std::vector<std::uint32_t> all;
  EXPECT_FALSE(numbers.Any([&](std::uint32_t number) {
    all.push_back(number);
    return false;
  }));
  return all;
}

TEST(NumberSetTest, GoesThroughThemInOrder) {
  NumberSet numbers;
  EXPECT_TRUE(AllOf(numbers).empty());
  for (const std::uint32_t number : {5000U, 0U, 63U, 64U, 4096U, 63U}) numbers.Add(number);
  EXPECT_EQ(AllOf(numbers), (std::vector<std::uint32_t>{0, 63, 64, 4096, 5000}));
  numbers.Drop(64);
  numbers.Drop(64);
  numbers.Drop(1'000'000);
  EXPECT_EQ(AllOf(numbers), (std::vector<std::uint32_t>{0, 63, 4096, 5000}));
}

TEST(NumberSetTest, EndsWithTheFirstThatServes) {
  NumberSet numbers;
  for (const std::uint32_t number : {3U, 300U, 70'000U}) numbers.Add(number);
  std::vector<std::uint32_t> asked;
  EXPECT_TRUE(numbers.Any([&](std::uint32_t number) {
    asked.push_back(number);
    return number >= 300;
  }));
  EXPECT_EQ(asked, (std::vector<std::uint32_t>{3, 300}));
}

TEST(NumberSetTest, HoldsWhatASetHolds) {
  std::mt19937_64 random(7);
  NumberSet numbers;
  std::set<std::uint32_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const auto number = static_cast<std::uint32_t>(random() % 10'000);
    if (random() % 2 == 0) {
      numbers.Add(number);
      expected.insert(number);
    } else {
      numbers.Drop(number);
      expected.erase(number);
    }
  }
  EXPECT_EQ(AllOf(numbers), std::vector<std::uint32_t>(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace fairlead
