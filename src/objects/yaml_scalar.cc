#include "objects/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "objects/json_scan.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kTrue[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                      "True", "TRUE", "on",  "On",  "ON"};
constexpr std::string_view kFalse[] = {"n",     "N",     "no",  "No",  "NO", "false",
                                       "False", "FALSE", "off", "Off", "OFF"};
constexpr std::string_view kNull[] = {"", "~", "null", "Null", "NULL"};
constexpr std::string_view kNotFinite[] = {".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf", "+.INF",
                                           "-.inf", "-.Inf", "-.INF", ".nan",  ".NaN",  ".NAN"};

template <std::size_t kSize>
bool OneOf(std::string_view text, const std::string_view (&words)[kSize]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

// An integer with a base of its own as decimal digits; empty where it is none.
std::string InDecimal(std::string_view digits, bool negative) {
  int base = 8;
  if (digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X')) base = 16;
  if (digits.size() > 2 && (digits[1] == 'b' || digits[1] == 'B')) base = 2;
  const bool letter = base != 8 || digits[1] == 'o' || digits[1] == 'O';
  digits.remove_prefix(letter ? 2 : 1);
  std::uint64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
  if (digits.empty() || stop != end || error != std::errc()) return "";
  return (negative ? "-" : "") + std::to_string(number);
}

// Resolves what begins like a number. Not one: a string, as "1.2.3" or "10.0.0.1" is.
PlainScalar ResolveNumber(std::string_view text) {
  if (IsJsonNumber(text)) return {.kind = Value::Kind::kNumber};
  if (OneOf(text, kNotFinite)) return {.kind = Value::Kind::kNumber};
  std::string plain(text);
  std::erase(plain, '_');
  std::string_view digits = plain;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  if (digits.size() > 1 && digits[0] == '0' && digits[1] != '.') {
    std::string decimal = InDecimal(digits, negative);
    if (!decimal.empty()) return {.kind = Value::Kind::kNumber, .canonical = std::move(decimal)};
  }
  // What JSON has no form for: ".5", "5.", "+5", "08", "1_000".
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  std::string number(digits.substr(zeros));
  if (number.empty() || number[0] < '0' || number[0] > '9') {
    if (zeros == 0 && (number.size() < 2 || number[0] != '.')) return {};
    number.insert(0, "0");
  }
  const std::size_t point = number.find('.');
  if (point != std::string::npos && (point + 1 == number.size() || number[point + 1] == 'e')) {
    number.erase(point, 1);
  }
  if (negative) number.insert(0, "-");
  if (!IsJsonNumber(number)) return {};
  return {.kind = Value::Kind::kNumber, .canonical = std::move(number)};
}

}  // namespace

PlainScalar ResolvePlain(std::string_view text) {
  const char first = text.empty() ? '~' : text[0];
  switch (first) {
    case '~':
    case 'y':
    case 'Y':
    case 'n':
    case 'N':
    case 't':
    case 'T':
    case 'f':
    case 'F':
    case 'o':
    case 'O':
      if (text.size() > 5) return {};
      if (OneOf(text, kNull)) return {.kind = Value::Kind::kNull};
      if (OneOf(text, kTrue)) return {.kind = Value::Kind::kBool, .truth = true};
      if (OneOf(text, kFalse)) return {.kind = Value::Kind::kBool, .truth = false};
      return {};
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
    case '-':
    case '+':
    case '.':
      return ResolveNumber(text);
    default:
      return {};
  }
}

}  // namespace fairlead::objects
