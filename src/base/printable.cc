#include "base/printable.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace fairlead {
namespace {

struct Character {
  std::size_t length = 1;  // in bytes
  std::uint32_t point = 0;
  bool valid = false;
};

// What `text`, which is not empty, begins with.
Character FirstOf(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {.length = 1, .point = first, .valid = true};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t point = first & (0xffU >> (length + 1));
  bool valid = first >= 0xc2 && first <= 0xf4;
  for (std::size_t i = 1; i < length; ++i) {
    valid = valid && (byte(i) & 0xc0U) == 0x80U;
    point = point << 6U | (byte(i) & 0x3fU);
  }
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  valid = valid && point >= kLeast[length] && point <= 0x10ffff && !surrogate;
  return {.length = valid ? length : 1, .point = valid ? point : first, .valid = valid};
}

bool IsPrintable(std::uint32_t point) {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return false;
  if (point == 0x2028 || point == 0x2029) return false;  // line ends of their own
  return (point < 0x202a || point > 0x202e) && (point < 0x2066 || point > 0x2069);
}

std::string Escape(const Character& character) {
  switch (character.point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return character.point < 0x100 ? fmt::format("\\x{:02x}", character.point)
                                     : fmt::format("\\u{:04x}", character.point);
  }
}

}  // namespace

std::string Printable(std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (plain) return std::string(text);
  std::string shown;
  while (!text.empty()) {
    const Character first = FirstOf(text);
    if (first.valid && IsPrintable(first.point)) {
      shown += text.substr(0, first.length);
    } else {
      shown += Escape(first);
    }
    text.remove_prefix(first.length);
  }
  return shown;
}

}  // namespace fairlead
