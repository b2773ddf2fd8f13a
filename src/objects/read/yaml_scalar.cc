#include "objects/read/yaml_scalar.h"

#include <algorithm>
#include <cstdint>

#include "base/integer.h"
#include "objects/read/json_scan.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kTrue[] = {"yes",  "Yes", "YES", "true", "True",
                                      "TRUE", "on",  "On",  "ON"};
constexpr std::string_view kFalse[] = {"no",    "No",  "NO",  "false", "False",
                                       "FALSE", "off", "Off", "OFF"};
constexpr std::string_view kNull[] = {"~", "null", "Null", "NULL"};
constexpr std::string_view kNotFinite[] = {".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf", "+.INF",
                                           "-.inf", "-.Inf", "-.INF", ".nan",  ".NaN",  ".NAN"};

template <std::size_t kSize>
bool OneOf(std::string_view text, const std::string_view (&words)[kSize]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

// Whether a JSON number is one that a double can hold: go-yaml takes the others for strings, and so
// "2182e980" stays the hash that it is.
bool IsFinite(std::string_view number) {
  constexpr int kMaxExponent = 308;
  const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
  const std::size_t whole_end = std::min(number.find('.'), mantissa_end);
  int exponent = 0;
  if (mantissa_end < number.size()) {
    std::string_view digits = number.substr(mantissa_end + 1);
    if (digits[0] == '+') digits.remove_prefix(1);
    const auto parsed = ParseInteger<int>(digits);
    if (!parsed) return digits.starts_with('-');
    exponent = *parsed;
  }
  const auto whole = static_cast<std::int64_t>(whole_end - (number[0] == '-' ? 1 : 0));
  return whole - 1 + exponent <= kMaxExponent;
}

// An integer with a base of its own (0x1f, 0b11, 0o17, 017) as decimal digits; empty: it is none.
std::string InDecimal(std::string_view digits) {
  if (digits.size() < 2 || digits[0] != '0') return "";
  int base = 8;
  const char letter = static_cast<char>(digits[1] | 0x20);
  if (letter == 'x') base = 16;
  if (letter == 'b') base = 2;
  digits.remove_prefix(base != 8 || letter == 'o' ? 2 : 1);
  const auto number = ParseInteger<std::uint64_t>(digits, base);
  return number ? std::to_string(*number) : "";
}

// What JSON has no form for (".5", "5.", "08") as JSON writes it; empty: it is no number.
std::string AsJson(std::string_view digits) {
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  std::string number(digits.substr(zeros));
  const bool digit_first = !number.empty() && number[0] >= '0' && number[0] <= '9';
  if (!digit_first) number.insert(number.begin(), '0');
  const std::size_t point = number.find('.');
  const std::size_t behind = point + 1;
  if (point != std::string::npos &&
      (behind == number.size() || number[behind] == 'e' || number[behind] == 'E')) {
    number.erase(point, 1);
  }
  return digits == "." || !IsJsonNumber(number) ? "" : number;
}

// Resolves what begins like a number. Not one: a string, as "1.2.3" or "10.0.0.1" is.
PlainScalar ResolveNumber(std::string_view text) {
  if (IsJsonNumber(text)) {
    return {.kind = IsFinite(text) ? Value::Kind::kNumber : Value::Kind::kString};
  }
  if (OneOf(text, kNotFinite)) return {.kind = Value::Kind::kNumber};
  std::string plain(text);
  std::erase(plain, '_');
  std::string_view digits = plain;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  std::string number = InDecimal(digits);
  if (number.empty()) number = digits.empty() ? "" : AsJson(digits);
  if (number.empty() || !IsFinite(number)) return {};
  if (negative) number.insert(number.begin(), '-');
  return {.kind = Value::Kind::kNumber, .canonical = std::move(number)};
}

}  // namespace

PlainScalar ResolvePlain(std::string_view text) {
  constexpr std::string_view kWords = "~yYnNtTfFoO";
  constexpr std::string_view kNumbers = "0123456789-+.";
  constexpr std::size_t kLongestWord = 5;
  if (text.empty()) return {.kind = Value::Kind::kNull};
  if (kNumbers.find(text[0]) != std::string_view::npos) return ResolveNumber(text);
  if (text.size() > kLongestWord || kWords.find(text[0]) == std::string_view::npos) return {};
  if (OneOf(text, kNull)) return {.kind = Value::Kind::kNull};
  if (OneOf(text, kTrue)) return {.kind = Value::Kind::kBool, .truth = true};
  if (OneOf(text, kFalse)) return {.kind = Value::Kind::kBool, .truth = false};
  return {};
}

}  // namespace fairlead::objects
