#include "objects/read/field_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "objects/read/document_builder.h"

namespace fairlead::objects {
namespace {

TEST(NearestName, FindsSlipsOnly) {
  const std::string_view names[] = {"guaranteed", "limit", "weight", "priority"};
  struct Case {
    std::string_view name, nearest;
  };
  const Case cases[] = {
      {"guarantee", "guaranteed"},
      {"garanteed", "guaranteed"},
      {"Limit", "limit"},
      {"limits", "limit"},
      {"wieght", "weight"},
      {"prio", ""},
      {"zzz", ""},
      {"", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(NearestName(c.name, names), c.nearest) << c.name;
  EXPECT_EQ(NearestName(std::string(1000, 'x'), names), "");
}

TEST(LineIndex, CountsInAnyOrder) {
  const std::string text = "a\nbb\n\nccc\n";
  const LineIndex lines(text);
  const auto slow = [&](std::uint32_t offset) {
    return static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + offset, '\n')) + 1;
  };
  for (std::uint32_t step = 1; step < 11; ++step) {
    for (std::uint32_t i = 0; i < 30; ++i) {
      const std::uint32_t offset = (i * step) % 11;
      EXPECT_EQ(lines.LineAt(offset), slow(offset)) << offset;
    }
  }
  EXPECT_EQ(lines.LineAt(1000), 5u);
}

TEST(FindDuplicate, FindsThemInSmallAndLargeMappings) {
  for (const std::size_t size : {2u, 5u, 31u, 32u, 33u, 200u}) {
    Arena arena;
    DocumentBuilder builder(arena, nullptr);
    for (std::size_t i = 0; i < size; ++i) {
      const auto line = static_cast<std::uint32_t>(i + 1);
      const std::string key = "key" + std::to_string(i);
      builder.AddMember(builder.Keep(key), line, builder.Scalar(Value::Kind::kNull, "", line));
    }
    EXPECT_EQ(builder.FindDuplicate(0).second, nullptr);
    builder.AddMember("key1", 999, builder.Scalar(Value::Kind::kNull, "", 999));
    ASSERT_NE(builder.FindDuplicate(0).second, nullptr);
    EXPECT_EQ(builder.FindDuplicate(0).first->place, 2u);
    EXPECT_EQ(builder.FindDuplicate(0).second->place, 999u);
  }
}

TEST(Arena, GivesMemoryBack) {
  Arena arena;
  const std::string_view first = arena.Copy("first");
  const Arena::Mark mark = arena.mark();
  const char* place = arena.Copy("second").data();
  arena.Allocate<char>(10 << 20);
  arena.Allocate<char>(1 << 20);
  arena.Rewind(mark);
  EXPECT_EQ(arena.Copy("third").data(), place);
  EXPECT_EQ(first, "first");
  // Large pieces lie in blocks of their own, and small ones go on behind them.
  for (int i = 0; i < 3; ++i) {
    arena.Rewind(mark);
    for (std::size_t j = 0; j < 100; ++j)
      EXPECT_EQ(arena.Copy(std::string(j * 5000u, 'x')).size(), j * 5000u);
  }
}

}  // namespace
}  // namespace fairlead::objects
