#include "policy/device_prices.h"

#include <gmock/gmock.h>

namespace fairlead::policy {
namespace {

using testing::AllOf;
using testing::Gt;
using testing::Lt;

constexpr std::int64_t kTenth = DevicePrices::kWorth / 10;

objects::TypicalPod Share(std::int32_t milli, std::int64_t count) {
  return {.count = count, .cpu_milli = 1000, .gpus = 0, .gpu_milli = milli, .node_labels = {}};
}

DevicePrices PricesOf(const std::vector<objects::TypicalPod>& typical) {
  DevicePrices prices;
  prices.Make(typical);
  return prices;
}

// A device that two shares fill is worth a device, and each part of it what its share asks.
TEST(DevicePrices, SharesThatFillADeviceAreWorthWhatTheyAsk) {
  const DevicePrices prices = PricesOf({Share(600, 5), Share(400, 5)});
  EXPECT_THAT(prices.WorthOf(1000), AllOf(Gt(9 * kTenth), Lt(10 * kTenth + 1)));
  EXPECT_THAT(prices.WorthOf(400), Gt(3 * kTenth));
  EXPECT_EQ(prices.WorthOf(300), 0) << "too little for any";
  EXPECT_EQ(prices.WorthOf(500), prices.WorthOf(400));
}

// Where only 0.6 is expected nobody fills the rest.
TEST(DevicePrices, TheRestThatNobodyAsksForIsWorthNothing) {
  const DevicePrices prices = PricesOf({Share(600, 5)});
  EXPECT_EQ(prices.WorthOf(1000), prices.WorthOf(600));
  EXPECT_EQ(prices.WorthOf(400), 0);
}

// There are few that fill what many leave: a place for one of the few is worth less than it asks,
// as there are more places than pods.
TEST(DevicePrices, WhatIsRareIsWorthLessThanItAsks) {
  const DevicePrices prices = PricesOf({Share(600, 50), Share(400, 1)});
  EXPECT_THAT(prices.WorthOf(400), Lt(2 * kTenth));
  EXPECT_THAT(prices.WorthOf(600), Gt(5 * kTenth));
}

TEST(DevicePrices, WorthGrowsWithWhatIsFree) {
  const DevicePrices prices =
      PricesOf({Share(70, 9), Share(230, 4), Share(460, 7), Share(810, 2), Share(333, 5)});
  for (std::int64_t milli = 1; milli <= DevicePrices::kWhole; ++milli) {
    EXPECT_LE(prices.WorthOf(milli - 1), prices.WorthOf(milli)) << milli;
    EXPECT_LE(prices.WorthOf(milli), milli * DevicePrices::kWorth / DevicePrices::kWhole) << milli;
  }
}

TEST(DevicePrices, OfWholeDevicesAloneThereAreNone) {
  const DevicePrices prices =
      PricesOf({{.count = 3, .cpu_milli = 1000, .gpus = 1, .gpu_milli = 0, .node_labels = {}}});
  EXPECT_EQ(prices.WorthOf(1000), 0);
}

}  // namespace
}  // namespace fairlead::policy
