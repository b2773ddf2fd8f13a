#pragma once

#include <string>
#include <string_view>

// Letters and digits of ASCII, whatever the locale is.

namespace fairlead {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

inline std::string UpperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

}  // namespace fairlead
