#include "policy/usage_weight.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead::policy {
namespace {

const std::string kName = "q";

Sharer Asks(std::int64_t requestable, std::int64_t weight_milli, std::int64_t used,
            std::int32_t priority = 0) {
  return {.requestable = requestable,
          .weight_milli = weight_milli,
          .priority = priority,
          .name = &kName,
          .used = used};
}

std::vector<std::int64_t> WeightsOf(const std::vector<Sharer>& sharers, std::int32_t influence) {
  std::vector<std::int64_t> weights;
  for (const UsageWeight& of : UsageWeights(sharers, influence)) weights.push_back(of.weight);
  return weights;
}

using Weights = std::vector<std::int64_t>;

// w = 0.5 each; u = 1 and 0. 0.5 ± influence × 0.5, in 10^-9.
TEST(UsageWeight, TwoOfEqualWeightAndOneUsedAll) {
  const std::vector<Sharer> sharers = {Asks(8, 1000, 3'490'287'844), Asks(8, 1000, 0)};
  EXPECT_EQ(WeightsOf(sharers, 500), (Weights{250'000'000, 750'000'000}));
  EXPECT_EQ(WeightsOf(sharers, 1000), (Weights{0, 1'000'000'000}));
  EXPECT_EQ(WeightsOf(sharers, 3000), (Weights{0, 2'000'000'000}));
  EXPECT_EQ(WeightsOf(sharers, 1), (Weights{499'500'000, 500'500'000}));
}

// w = 0.75 and 0.25; u = 0.4 and 0.6. 0.75 + 0.2 × 0.35 = 0.82; 0.25 − 0.2 × 0.35 = 0.18.
TEST(UsageWeight, WeightsCount) {
  const std::vector<Sharer> sharers = {Asks(8, 3000, 40), Asks(8, 1000, 60)};
  EXPECT_EQ(WeightsOf(sharers, 200), (Weights{820'000'000, 180'000'000}));
  const std::vector<UsageWeight> all = UsageWeights(sharers, 200);
  EXPECT_EQ(all[0].of_weights, 750'000);
  EXPECT_EQ(all[0].of_usage, 400'000);
  EXPECT_EQ(all[1].of_weights, 250'000);
  EXPECT_EQ(all[1].of_usage, 600'000);
}

// Who asks for nothing, or is of another band, is no sibling: the third used most and asks nothing.
TEST(UsageWeight, AmongThoseOfTheBandThatAsk) {
  const std::vector<Sharer> sharers = {Asks(8, 1000, 30), Asks(8, 1000, 10), Asks(0, 1000, 1000),
                                       Asks(8, 1000, 500, 1)};
  EXPECT_EQ(WeightsOf(sharers, 400), (Weights{400'000'000, 600'000'000, 0, 1'000'000'000}));
}

TEST(UsageWeight, WhereNothingWasUsedOrNobodyHasAWeight) {
  EXPECT_EQ(WeightsOf({Asks(8, 3000, 0), Asks(8, 1000, 0)}, 700),
            (Weights{750'000'000, 250'000'000}));
  EXPECT_EQ(WeightsOf({Asks(8, 0, 5), Asks(8, 0, 1)}, 700), (Weights{0, 0}));
  EXPECT_EQ(WeightsOf({Asks(8, 0, 0), Asks(8, 1000, 9)}, 700),
            (Weights{0, 700'000'000 + 300'000'000}));
}

}  // namespace
}  // namespace fairlead::policy
