#include "base/wide_int.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(WideInt, IsWrittenWithoutLoss) {
  EXPECT_EQ(FormatWide(0, 0), "0");
  EXPECT_EQ(FormatWide(0, 3), "0");
  EXPECT_EQ(FormatWide(12'500, 3), "12.5");
  EXPECT_EQ(FormatWide(7, 3), "0.007");
  EXPECT_EQ(FormatWide(3'000, 3), "3");
  EXPECT_EQ(FormatWide(-1'500, 3), "-1.5");
  EXPECT_EQ(FormatWide(200'000'050, 9), "0.20000005");
  EXPECT_EQ(FormatWide(WideInt{1} << 86, 0), "77371252455336267181195264");
}

TEST(WideInt, IsReadAsItIsWritten) {
  for (const WideInt amount : {WideInt{0}, WideInt{1}, WideInt{999}, WideInt{12'345'678'900},
                               WideInt{1} << 64, (WideInt{1} << 86) + 1}) {
    for (const std::size_t decimals : {0, 3, 9}) {
      const auto read = ParseWide(FormatWide(amount, decimals), decimals);
      ASSERT_TRUE(read);
      EXPECT_EQ(*read, amount);
    }
  }
}

TEST(WideInt, IsNoneOfThese) {
  for (const char* text : {"", "-1", "+1", "1.", ".5", "1.2345", "1e3", "1 ", "1.5.5",
                           "1234567890123456789012345678901234"}) {
    EXPECT_FALSE(ParseWide(text, 3)) << text;
  }
  EXPECT_FALSE(ParseWide("1.5", 0));
}

}  // namespace
}  // namespace fairlead
