#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead::objects {

// What may stand between JSON's tokens.
inline constexpr std::string_view kJsonSpace = " \t\r\n";

// Whether `text` begins a JSON object or array: YAML's flow style also begins with a brace, but
// there keys need no quotes.
bool LooksLikeJson(std::string_view text);

// Where the JSON document at the front of `text` ends, found by brackets and strings alone.
struct JsonExtent {
  std::size_t end = 0;    // behind its last bracket
  std::size_t fault = 0;  // where `problem` is
  std::string problem;    // empty: none
};
JsonExtent FindJsonExtent(std::string_view text);

// Whether `text` is a number by JSON's grammar.
bool IsJsonNumber(std::string_view text);

}  // namespace fairlead::objects
