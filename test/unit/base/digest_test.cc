#include "base/digest.h"

#include <fmt/format.h>
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

// However many of its bytes are zero, and wherever: FNV-1a of all eight, the lowest first.
TEST(Digest, OfAnyNumberIsFnv1aOfItsEightBytes) {
  for (const std::uint64_t number :
       {0x1ULL, 0xffULL, 0x100ULL, 0xff00ff00ULL, 0x0100000000000000ULL, 0xffffffffffffffffULL}) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ ((number >> (8 * byte)) & 0xff)) * 1099511628211ULL;
    }
    Digest digest;
    digest.Add(static_cast<std::int64_t>(number));
    EXPECT_EQ(digest.Hex(), fmt::format("{:016x}", hash));
  }
}

}  // namespace
}  // namespace fairlead
