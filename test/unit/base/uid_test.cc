#include "base/uid.h"

#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(Uid, SaysWhatItWasMadeOf) {
  for (const char* text : {
           "",
           "2f9d6a1e-0b1c-4c3e-9f1a-6c8a7d3b5e21",
           "2F9D6A1E-0b1c-4c3e-9f1a-6c8a7d3b5e21",  // capitals are other letters
           "00000000-0000-0000-0000-000000000000",
           "00000000-0000-0000-ffff-ffffffffffff",
           "2f9d6a1e-0b1c-4c3e-9f1a-6c8a7d3b5e2",
           "2f9d6a1e00b1c-4c3e-9f1a-6c8a7d3b5e21",
           "2f9d6a1e-0b1c-4c3e-9f1a-6c8a7d3b-e21",
           "uid-1",
       }) {
    const Uid uid(text);
    EXPECT_EQ(uid.ToString(), text);
    EXPECT_EQ(uid.empty(), *text == 0);
    Uid copy;
    copy = uid;
    EXPECT_EQ(copy, uid);
    EXPECT_EQ(copy.ToString(), text);
    EXPECT_EQ(copy.Hash(), uid.Hash());
    EXPECT_TRUE(copy == std::string_view(text));
  }
}

TEST(Uid, TellsObjectsApart) {
  EXPECT_FALSE(Uid("uid-1") == Uid("uid-2"));
  EXPECT_FALSE(Uid("uid-1") == Uid());
  EXPECT_FALSE(Uid("2f9d6a1e-0b1c-4c3e-9f1a-6c8a7d3b5e21") ==
               Uid("2f9d6a1e-0b1c-4c3e-9f1a-6c8a7d3b5e22"));
  EXPECT_FALSE(Uid("00000000-0000-0000-ffff-ffffffffffff") == Uid("uid-1"));
}

// As the virtual cluster numbers them, of which tables keep 32 bits.
TEST(Uid, HashesTellNumberedOnesApart) {
  std::set<std::uint32_t> hashes;
  for (int i = 0; i < 10'000; ++i) {
    const Uid uid(fmt::format("00000000-0000-4000-8000-{:012x}", i));
    hashes.insert(static_cast<std::uint32_t>(uid.Hash()));
  }
  EXPECT_EQ(hashes.size(), 10'000U);
}

TEST(Uid, Moves) {
  Uid uid("uid-1");
  Uid other = std::move(uid);
  EXPECT_EQ(other.ToString(), "uid-1");
  other = Uid("uid-2");
  EXPECT_EQ(other.ToString(), "uid-2");
  other = Uid();
  EXPECT_TRUE(other.empty());
}

}  // namespace
}  // namespace fairlead
