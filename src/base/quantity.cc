#include "base/quantity.h"

#include <limits>
#include <optional>

#include "base/ascii.h"

// A quantity is  mantissa × 10^ten × 2^two, exactly:  "1.5Gi" is 15 × 10^-1 × 2^30. The amount in a
// scale's unit is that times 10^0 or 10^3, divided out once and rounded away from zero. Twenty
// significant digits are kept (10^20 × 2^60 still fits 128 bits); of those behind them only whether
// one is not zero matters, since 20 digits reach below the last unit of any amount that fits int64.

namespace fairlead {
namespace {

using Wide = unsigned __int128;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr int kSignificantDigits = 20;
constexpr int kExponentBound = 1000;  // beyond it every amount overflows, or is below the last unit

struct Number {
  bool negative = false;
  Wide mantissa = 0;
  bool more = false;  // digits that are not zero were dropped behind the mantissa
  int ten = 0;
  int two = 0;
};

tl::unexpected<Error> NotAQuantity(std::string_view text) {
  return Fail("found \"" + std::string(text.substr(0, 64)) +
              "\", expected a quantity such as 500m, 2 or 16Gi");
}

// Takes sign, digits and fraction off the front of `text`. False: there is no digit.
bool TakeNumber(std::string_view& text, Number& number) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    number.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int significant = 0;
  bool any = false;
  bool fraction = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text[0];
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!IsDigit(c)) break;
    any = true;
    if (significant == 0 && c == '0') {
      if (fraction && number.ten > -kExponentBound) --number.ten;
      continue;
    }
    if (significant < kSignificantDigits) {
      number.mantissa = number.mantissa * 10 + static_cast<unsigned>(c - '0');
      ++significant;
      if (fraction && number.ten > -kExponentBound) --number.ten;
    } else {
      number.more |= c != '0';
      if (!fraction && number.ten < kExponentBound) ++number.ten;
    }
  }
  return any;
}

// The exponent behind e or E; nothing where it is not one.
std::optional<int> ParseExponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  int exponent = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    if (exponent < kExponentBound) exponent = exponent * 10 + (c - '0');
  }
  if (exponent > kExponentBound) exponent = kExponentBound;
  return negative ? -exponent : exponent;
}

// Adds what `suffix` multiplies by. False: not a suffix.
bool ApplySuffix(std::string_view suffix, Number& number) {
  if (suffix.empty()) return true;
  if (suffix.size() == 1) {
    switch (suffix[0]) {
      case 'n':
        number.ten -= 9;
        return true;
      case 'u':
        number.ten -= 6;
        return true;
      case 'm':
        number.ten -= 3;
        return true;
      case 'k':
        number.ten += 3;
        return true;
      case 'M':
        number.ten += 6;
        return true;
      case 'G':
        number.ten += 9;
        return true;
      case 'T':
        number.ten += 12;
        return true;
      case 'P':
        number.ten += 15;
        return true;
      case 'E':
        number.ten += 18;
        return true;
      default:
        return false;
    }
  }
  if (suffix.size() == 2 && suffix[1] == 'i') {
    switch (suffix[0]) {
      case 'K':
        number.two = 10;
        return true;
      case 'M':
        number.two = 20;
        return true;
      case 'G':
        number.two = 30;
        return true;
      case 'T':
        number.two = 40;
        return true;
      case 'P':
        number.two = 50;
        return true;
      case 'E':
        number.two = 60;
        return true;
      default:
        return false;
    }
  }
  if (suffix[0] != 'e' && suffix[0] != 'E') return false;
  const std::optional<int> exponent = ParseExponent(suffix.substr(1));
  if (!exponent) return false;
  number.ten += *exponent;
  return true;
}

// mantissa × 10^ten × 2^two rounded up; nothing where that is beyond int64.
std::optional<std::int64_t> Magnitude(const Number& number) {
  if (number.mantissa == 0) return 0;
  Wide value = number.mantissa << number.two;
  bool rest = number.more;
  for (int i = 0; i < number.ten; ++i) {
    if (value > static_cast<Wide>(kMax)) return std::nullopt;
    value *= 10;
  }
  for (int i = 0; i > number.ten && (value != 0 || !rest); --i) {
    rest |= value % 10 != 0;
    value /= 10;
  }
  if (rest) ++value;
  if (value > static_cast<Wide>(kMax)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string FormatScaled(std::int64_t amount, std::int64_t base, const char* const* suffixes) {
  int step = 0;
  while (step < 6 && amount != 0 && amount % base == 0) {
    amount /= base;
    ++step;
  }
  return std::to_string(amount) + suffixes[step];
}

}  // namespace

Scale ScaleOf(std::string_view resource) {
  return resource == "cpu" || resource == "nvidia.com/gpu" ? Scale::kMilli : Scale::kUnit;
}

Suffixes SuffixesOf(std::string_view resource) {
  const bool binary = resource == "memory" || resource == "ephemeral-storage" ||
                      resource.substr(0, 10) == "hugepages-";
  return binary ? Suffixes::kBinary : Suffixes::kDecimal;
}

Result<std::int64_t> ParseQuantity(std::string_view text, Scale scale) {
  Number number;
  std::string_view suffix = text;
  if (!TakeNumber(suffix, number) || !ApplySuffix(suffix, number)) return NotAQuantity(text);
  if (scale == Scale::kMilli) number.ten += 3;
  const std::optional<std::int64_t> magnitude = Magnitude(number);
  if (!magnitude) {
    return Fail("found \"" + std::string(text.substr(0, 64)) +
                "\", expected a quantity below 2^63" +
                (scale == Scale::kMilli ? " thousandths" : ""));
  }
  return number.negative ? -*magnitude : *magnitude;
}

std::string FormatQuantity(std::int64_t amount, Scale scale, Suffixes suffixes) {
  static constexpr const char* kDecimal[] = {"", "k", "M", "G", "T", "P", "E"};
  static constexpr const char* kBinary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (scale == Scale::kMilli) {
    if (amount % 1000 != 0) return std::to_string(amount) + "m";
    amount /= 1000;
  }
  return suffixes == Suffixes::kBinary ? FormatScaled(amount, 1024, kBinary)
                                       : FormatScaled(amount, 1000, kDecimal);
}

std::string FormatResource(std::string_view resource, std::int64_t amount) {
  resource = resource.substr(0, resource.find('['));
  return FormatQuantity(amount, ScaleOf(resource), SuffixesOf(resource));
}

}  // namespace fairlead
