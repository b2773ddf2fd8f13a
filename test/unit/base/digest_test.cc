#include "base/digest.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

std::string DigestOf(std::string_view first, std::string_view second) {
  Digest digest;
  digest.Add(first);
  digest.Add(second);
  return digest.Hex();
}

TEST(Digest, TellsApartWhereOneStringEnds) {
  EXPECT_NE(DigestOf("ab", "c"), DigestOf("a", "bc"));
  EXPECT_NE(DigestOf("", "a"), DigestOf("a", ""));
  EXPECT_EQ(DigestOf("ab", "c"), DigestOf("ab", "c"));
}

TEST(Digest, OfNothingIsTheStartValue) {
  EXPECT_EQ(Digest().Hex(), "cbf29ce484222325");  // FNV-1a's offset basis
}

TEST(Digest, OfANumberIsFnv1aOfItsEightBytes) {
  Digest digest;
  digest.Add(std::int64_t{0});
  EXPECT_EQ(digest.Hex(), "a8c7f832281a39c5");  // eight zero bytes: basis × prime^8
}

}  // namespace
}  // namespace fairlead
