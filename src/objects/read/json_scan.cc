#include "objects/read/json_scan.h"

#include "base/ascii.h"

namespace fairlead::objects {
namespace {

std::size_t CountDigits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  return count;
}

// The place behind the string that begins at `at`, or npos with `extent`'s problem set.
std::size_t EndOfString(std::string_view text, std::size_t at, JsonExtent& extent) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') {
      ++i;
    } else if (static_cast<unsigned char>(text[i]) < 0x20) {
      extent.fault = i;
      extent.problem = text[i] == '\n' || text[i] == '\r'
                           ? "the line ends inside a string, expected a closing quote"
                           : "found a control character inside a string, expected an escape";
      return std::string_view::npos;
    }
  }
  extent.fault = at;
  extent.problem = "found a string without an end, expected a closing quote";
  return std::string_view::npos;
}

}  // namespace

bool LooksLikeJson(std::string_view text) {
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return false;
  if (text[0] == '[') return true;
  const std::size_t next = text.find_first_not_of(kJsonSpace, 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

JsonExtent FindJsonExtent(std::string_view text) {
  JsonExtent extent;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    switch (text[i]) {
      case '"':
        i = EndOfString(text, i, extent);
        if (i == std::string_view::npos) return extent;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth <= 1) {
          extent.end = i + 1;
          return extent;
        }
        --depth;
        break;
      default:
        break;
    }
    ++i;
  }
  extent.fault = text.size();
  extent.problem = "the text ends inside an object or array, expected a closing bracket";
  return extent;
}

bool IsJsonNumber(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  const std::size_t whole = CountDigits(text);
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  text.remove_prefix(whole);
  if (!text.empty() && text[0] == '.') {
    const std::size_t fraction = CountDigits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    const std::size_t exponent = CountDigits(text);
    if (exponent == 0) return false;
    text.remove_prefix(exponent);
  }
  return text.empty();
}

}  // namespace fairlead::objects
