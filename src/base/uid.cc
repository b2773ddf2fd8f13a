#include "base/uid.h"

#include <functional>
#include <optional>

namespace fairlead {
namespace {

constexpr std::size_t kLength = 36, kDashes[] = {8, 13, 18, 23};

bool IsDash(std::size_t at) {
  for (const std::size_t dash : kDashes) {
    if (at == dash) return true;
  }
  return false;
}

std::optional<unsigned> DigitOf(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

}  // namespace

Uid::Uid(std::string_view text) {
  if (text.empty()) return;
  std::uint64_t halves[2] = {};
  std::size_t digits = 0;
  for (std::size_t at = 0; at < text.size() && text.size() == kLength; ++at) {
    if (IsDash(at) && text[at] == '-') continue;
    const std::optional<unsigned> digit = DigitOf(text[at]);
    if (IsDash(at) || !digit) break;
    halves[digits / 16] = halves[digits / 16] << 4 | *digit;
    ++digits;
  }
  const bool stands_for_another = halves[1] == kText || (halves[0] == 0 && halves[1] == 0);
  if (digits < 32 || stands_for_another) {
    SetText(text);
    return;
  }
  high_ = halves[0];
  low_ = halves[1];
}

std::size_t Uid::Hash() const {
  if (has_text()) return std::hash<std::string>()(*text_);
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  const std::uint64_t mixed = (high_ * kOdd ^ low_) * kOdd;
  return mixed ^ mixed >> 32;
}

std::string Uid::ToString() const {
  if (empty()) return {};
  if (has_text()) return *text_;
  std::string text;
  text.reserve(kLength);
  for (int digit = 0; digit < 32; ++digit) {
    if (IsDash(text.size())) text += '-';
    const std::uint64_t half = digit < 16 ? high_ : low_;
    text += "0123456789abcdef"[half >> (60 - 4 * (digit % 16)) & 0xf];
  }
  return text;
}

}  // namespace fairlead
