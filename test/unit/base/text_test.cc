#include "base/text.h"

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(Text, ReadsAsWhatItWasMadeFrom) {
  EXPECT_EQ(Text("team/web-0").view(), "team/web-0");
  EXPECT_EQ(Text(std::string(1000, 'x')).view(), std::string(1000, 'x'));
  EXPECT_EQ(Text(std::string_view("a\0b", 3)).view().size(), 3U);
  EXPECT_TRUE(Text().empty());
  EXPECT_TRUE(Text("").empty());
  EXPECT_TRUE(Text("a") == "a");
  EXPECT_TRUE(Text("a") == Text("a"));
  EXPECT_FALSE(Text("a") == std::string("b"));
  EXPECT_TRUE(Text() == "");
}

TEST(Text, CopiesShareItsCharacters) {
  const Text text("team/web-0");
  for (const Text& copy : std::vector<Text>(2, text)) {
    EXPECT_EQ(copy.view().data(), text.view().data());
    EXPECT_NE(Text(copy.view()).view().data(), text.view().data());
  }
}

TEST(Text, WhoReplacesACopyChangesNobodyElses) {
  Text text("team/web-0");
  Text copy = text;
  text = "team/web-1";
  EXPECT_EQ(copy.view(), "team/web-0");
  text = copy;
  text = *&text;
  EXPECT_EQ(text.view(), "team/web-0");
  const Text moved = std::move(copy);
  EXPECT_EQ(moved.view().data(), text.view().data());
  EXPECT_TRUE(copy.empty());  // NOLINT(bugprone-use-after-move): empty is what it is then
}

TEST(Text, IsGivenUpByThreadsInAnyOrder) {
  std::vector<std::thread> threads;
  {
    const Text text("team/web-0");
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([text] {
        std::vector<Text> copies(1000, text);
        while (!copies.empty()) {
          EXPECT_EQ(copies.back().view(), "team/web-0");
          copies.pop_back();
        }
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fairlead
