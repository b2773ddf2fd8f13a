#include "base/printable.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(Printable, WhatIsTextStays) {
  for (const char* text : {"", "cpu: \"1\"", "naïve, 日本語, 🙂", "a\\nb", "▁▂▃█ …"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(Printable, WhatWouldTellATerminalSomethingIsShown) {
  EXPECT_EQ(Printable("1\n2026-01-01T00:00:00Z info: x\r\t"),
            "1\\n2026-01-01T00:00:00Z info: x\\r\\t");
  EXPECT_EQ(Printable("\x1b[2J\x1b]0;t\x07"), "\\x1b[2J\\x1b]0;t\\x07");
  EXPECT_EQ(Printable(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // the escape of eight bits
  EXPECT_EQ(Printable("a\u202eb\u2028c\u2066d"), "a\\u202eb\\u2028c\\u2066d");
}

TEST(Printable, WhatIsNoUtf8IsShown) {
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(Printable("a\xc3"), "a\\xc3");
  EXPECT_EQ(Printable("\xc0\x8a"), "\\xc0\\x8a");  // a line end, overlong
  EXPECT_EQ(Printable("\xe0\x80\x8a"), "\\xe0\\x80\\x8a");
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(Printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

}  // namespace
}  // namespace fairlead
