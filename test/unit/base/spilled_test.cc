#include "base/spilled.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

struct Row {
  std::int64_t number = 0;
  std::int32_t half = 0;
};

// More than the part that stays in memory, and not a whole number of pieces.
constexpr std::int64_t kRows = 3'000'001;

void FillAndCheck() {
  SpilledRows<Row> rows;
  EXPECT_TRUE(rows.empty());
  for (std::int64_t i = 0; i < kRows; ++i) {
    rows.push_back({.number = i, .half = static_cast<std::int32_t>(i / 2)});
  }
  // Rows of long ago can be changed.
  rows[17].half = -1;
  rows[2'000'000].half = -2;
  const SpilledRows<Row> moved = std::move(rows);
  ASSERT_EQ(moved.size(), static_cast<std::size_t>(kRows));
  std::int64_t next = 0;
  for (const Row& row : moved) {
    ASSERT_EQ(row.number, next);
    const std::int64_t half = next == 17 ? -1 : next == 2'000'000 ? -2 : next / 2;
    ASSERT_EQ(row.half, half);
    ++next;
  }
  EXPECT_EQ(next, kRows);
  EXPECT_EQ(moved[5].number, 5);  // once more, after all of it was passed
  EXPECT_EQ(moved[kRows - 1].number, kRows - 1);
}

TEST(SpilledRows, AreWhatWasAdded) { FillAndCheck(); }

TEST(SpilledRows, AreInMemoryWhereNoFileCanBeMade) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  FillAndCheck();
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

std::string TextOf(int i) {
  return std::to_string(i) + std::string(static_cast<std::size_t>(i % 50), 'x');
}

TEST(SpilledTexts, AreWhatWasAdded) {
  constexpr int kTexts = 800'000;
  const std::string longer_than_a_piece(3 * SpilledPieces::kBytes + 1, 'y');
  SpilledTexts texts;
  for (int i = 0; i < kTexts; ++i) ASSERT_EQ(texts.Add(TextOf(i)), static_cast<std::uint32_t>(i));
  texts.Add(longer_than_a_piece);
  texts.Add("");
  texts.Add("last");
  ASSERT_EQ(texts.size(), std::size_t{kTexts} + 3);
  EXPECT_EQ(texts[kTexts], longer_than_a_piece);
  EXPECT_EQ(texts[kTexts + 1], "");
  EXPECT_EQ(texts[kTexts + 2], "last");
  EXPECT_EQ(texts[12'345], TextOf(12'345));
  int next = 0;
  texts.ForEach([&next](std::string_view text) {
    EXPECT_EQ(text, TextOf(next));
    return ++next < kTexts;
  });
  EXPECT_EQ(next, kTexts);
}

}  // namespace
}  // namespace fairlead
