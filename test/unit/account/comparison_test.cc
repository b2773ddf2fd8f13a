#include "account/comparison.h"

#include <gmock/gmock.h>

namespace fairlead::account {
namespace {

Figure Waiting(double seconds, std::string of = "") {
  return {.name = "waiting.mean", .of = std::move(of), .unit = "s", .value = seconds};
}

// 10, 12, 14: mean 12, standard deviation 2; t(2) = 4.303, so 4.303 × 2 / √3.
TEST(Comparison, IntervalsAreStudents) {
  const Estimate estimate = EstimateOf({10, 12, 14});
  EXPECT_DOUBLE_EQ(estimate.mean, 12);
  EXPECT_NEAR(estimate.half, 4.969, 0.001);
  EXPECT_EQ(EstimateOf({5}).half, 0);
}

// The seeds differ by far more than the configurations; seed by seed the second is 1 s slower.
TEST(Comparison, DifferencesAreTakenSeedBySeed) {
  const Comparison comparison = Compare({{{Waiting(10)}, {Waiting(100)}, {Waiting(1000)}},
                                         {{Waiting(11)}, {Waiting(101)}, {Waiting(1001)}}});
  ASSERT_EQ(comparison.rows.size(), 1U);
  const ComparisonRow& row = comparison.rows[0];
  EXPECT_EQ(comparison.seeds, 3U);
  EXPECT_FALSE(row.differences[0].has_value());
  ASSERT_TRUE(row.differences[1].has_value());
  EXPECT_DOUBLE_EQ(row.differences[1]->mean, 1);
  EXPECT_NEAR(row.differences[1]->half, 0, 1e-9);
  EXPECT_GT(row.values[0]->half, 1000);
}

TEST(Comparison, WhatSomeRunLacksHasNoMean) {
  const Comparison comparison =
      Compare({{{Waiting(1), Waiting(2, "queue a")}, {Waiting(1)}}, {{Waiting(1)}, {Waiting(1)}}});
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_TRUE(comparison.rows[0].values[1].has_value());
  EXPECT_EQ(comparison.rows[1].of, "queue a");
  EXPECT_FALSE(comparison.rows[1].values[0].has_value());
  EXPECT_FALSE(comparison.rows[1].differences[1].has_value());
}

}  // namespace
}  // namespace fairlead::account
