#include "base/wide_int.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(WideInt, IsWrittenWithoutLoss) {
  EXPECT_EQ(FormatWide(0, false), "0");
  EXPECT_EQ(FormatWide(0, true), "0");
  EXPECT_EQ(FormatWide(12'500, true), "12.5");
  EXPECT_EQ(FormatWide(7, true), "0.007");
  EXPECT_EQ(FormatWide(3'000, true), "3");
  EXPECT_EQ(FormatWide(-1'500, true), "-1.5");
  EXPECT_EQ(FormatWide(WideInt{1} << 86, false), "77371252455336267181195264");
}

TEST(WideInt, IsReadAsItIsWritten) {
  for (const WideInt amount : {WideInt{0}, WideInt{1}, WideInt{999}, WideInt{12'345'678'900},
                               WideInt{1} << 64, (WideInt{1} << 86) + 1}) {
    for (const bool thousandths : {false, true}) {
      const auto read = ParseWide(FormatWide(amount, thousandths), thousandths);
      ASSERT_TRUE(read);
      EXPECT_EQ(*read, amount);
    }
  }
}

TEST(WideInt, IsNoneOfThese) {
  for (const char* text : {"", "-1", "+1", "1.", ".5", "1.2345", "1e3", "1 ", "1.5.5",
                           "1234567890123456789012345678901234"}) {
    EXPECT_FALSE(ParseWide(text, true)) << text;
  }
  EXPECT_FALSE(ParseWide("1.5", false));
}

}  // namespace
}  // namespace fairlead
