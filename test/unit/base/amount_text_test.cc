#include "base/amount_text.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(AmountText, SaysWhatPeopleCount) {
  EXPECT_EQ(AmountText("nvidia.com/gpu", "3500m"), "3.5 GPUs");
  EXPECT_EQ(AmountText("nvidia.com/gpu", "1"), "1 GPU");
  EXPECT_EQ(AmountText("nvidia.com/gpu", "0"), "0 GPUs");
  EXPECT_EQ(AmountText("cpu", "500m"), "0.5 cores");
  EXPECT_EQ(AmountText("cpu", "2k"), "2000 cores");
  EXPECT_EQ(AmountText("cpu[spot]", "2"), "2 cores[spot]");
  EXPECT_EQ(AmountText("pods", "1"), "1 pod");
  EXPECT_EQ(AmountText("memory", "18318Gi"), "17.89 TiB of memory");
  EXPECT_EQ(AmountText("memory", "512Gi"), "512 GiB of memory");
  EXPECT_EQ(AmountText("memory", "100000000"), "95.37 MiB of memory");
  EXPECT_EQ(AmountText("memory", "7"), "7 B of memory");
  EXPECT_EQ(AmountText("ephemeral-storage", "10Gi"), "10 GiB of ephemeral-storage");
  EXPECT_EQ(AmountText("example.com/fpga", "2"), "2 example.com/fpga");
  // What is no amount is said as it is.
  EXPECT_EQ(AmountText("cpu", "-1"), "-1 cores");
}

TEST(AmountText, LeavesOutTheUnitThatWasSaid) {
  EXPECT_EQ(BareAmountText("nvidia.com/gpu", "250m"), "0.25");
  EXPECT_EQ(BareAmountText("cpu", "12"), "12");
  EXPECT_EQ(BareAmountText("memory", "16Gi"), "16 GiB");
}

TEST(AmountText, SaysWhatThereIsTooLittleOf) {
  EXPECT_EQ(TooLittleText("nvidia.com/gpu", "free "), "too few free GPUs");
  EXPECT_EQ(TooLittleText("cpu[spot]", ""), "too few cores[spot]");
  EXPECT_EQ(TooLittleText("memory", "free "), "too little free memory");
}

TEST(HumanAmount, IsShort) {
  EXPECT_EQ(HumanAmount("cpu", "22500m"), "22.5");
  EXPECT_EQ(HumanAmount("cpu", "500m"), "0.5");
  EXPECT_EQ(HumanAmount("cpu", "1001m"), "1.001");
  EXPECT_EQ(HumanAmount("cpu", "64"), "64");
  EXPECT_EQ(HumanAmount("memory", "9999Mi"), "9999Mi");
  EXPECT_EQ(HumanAmount("cpu", ""), "");
  EXPECT_EQ(HumanAmount("cpu", "2k"), "2k");
  EXPECT_EQ(HumanAmount("memory", "18318Gi"), "17.89Ti");
  // Bytes that are no whole KiB: 10,887,418,240 / 2^30 = 10.14.
  EXPECT_EQ(HumanAmount("memory", "10887418240"), "10.14Gi");
  EXPECT_EQ(HumanAmount("memory[spot]", "10887418240"), "10.14Gi");
  EXPECT_EQ(HumanAmount("memory", "9999"), "9999");
  EXPECT_EQ(HumanAmount("example.com/fpga", "10887418240"), "10887418240");
}

}  // namespace
}  // namespace fairlead
