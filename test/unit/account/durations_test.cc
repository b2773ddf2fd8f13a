#include "account/durations.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead::account {
namespace {

TEST(Durations, NoneHaveNoSpread) { EXPECT_EQ(Durations().spread().count, 0); }

// As if all were kept and sorted.
TEST(Durations, AreAsSpreadAsTheyAre) {
  std::mt19937_64 random(11);
  for (const std::size_t count : {1U, 2U, 99U, 100U, 1024U, 5000U, 60'000U}) {
    for (const std::int64_t values : {1, 50, 3000, 1'000'000'000}) {
      Durations durations;
      std::vector<std::int64_t> all;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        all.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(values)));
        sum += all.back();
        durations.Add({all.back()});
      }
      std::ranges::sort(all);
      const Spread spread = durations.spread();
      EXPECT_EQ(spread.count, std::ssize(all));
      EXPECT_EQ(spread.mean.us, sum / std::ssize(all));
      EXPECT_EQ(spread.p50.us, all[(count * 50 + 99) / 100 - 1]);
      EXPECT_EQ(spread.p95.us, all[(count * 95 + 99) / 100 - 1]);
      EXPECT_EQ(spread.p99.us, all[(count * 99 + 99) / 100 - 1]);
      EXPECT_EQ(spread.max.us, all.back());
    }
  }
}

}  // namespace
}  // namespace fairlead::account
