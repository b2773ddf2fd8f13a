#include "base/wide_int.h"

#include <algorithm>

namespace fairlead {

std::string FormatWide(WideInt amount, std::size_t decimals) {
  if (amount < 0) return std::string(1, '-').append(FormatWide(-amount, decimals));
  std::string digits;
  for (WideInt rest = amount; rest > 0; rest /= 10) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  while (digits.size() <= decimals) digits.push_back('0');
  std::reverse(digits.begin(), digits.end());
  std::string text = digits.substr(0, digits.size() - decimals);
  std::string fraction = digits.substr(digits.size() - decimals);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (!fraction.empty()) text.append(1, '.').append(fraction);
  return text;
}

std::optional<WideInt> ParseWide(std::string_view text, std::size_t decimals) {
  constexpr std::size_t kMostDigits = 36;  // 10^36 < 2^127 / 100
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || whole.size() + decimals > kMostDigits || fraction.size() > decimals) {
    return std::nullopt;
  }
  if (point < text.size() && fraction.empty()) return std::nullopt;
  WideInt amount = 0;
  for (const std::string_view digits : {whole, fraction}) {
    for (const char c : digits) {
      if (c < '0' || c > '9') return std::nullopt;
      amount = amount * 10 + (c - '0');
    }
  }
  for (std::size_t i = fraction.size(); i < decimals; ++i) amount *= 10;
  return amount;
}

}  // namespace fairlead
