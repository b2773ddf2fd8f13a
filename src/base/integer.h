#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace fairlead {

// A whole number and nothing else: no blanks, no plus, no digits beyond what T holds.
template <typename T>
std::optional<T> ParseInteger(std::string_view text, int base = 10) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace fairlead
