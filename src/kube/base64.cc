#include "kube/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fairlead::kube {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto kValues = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}();

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  std::size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    ++digits;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value < 0 || padding != 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    // Every digit but the first of four completes a byte.
    const std::size_t place = digits % 4;
    if (place == 1) continue;
    const int left = place == 2 ? 4 : place == 3 ? 2 : 0;
    bytes += static_cast<char>(bits >> left & 0xff);
  }
  if (digits % 4 != 0 || padding > 2) return std::nullopt;
  return bytes;
}

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const unsigned char byte = j < count ? static_cast<unsigned char>(bytes[i + j]) : 0;
      bits = bits << 8 | byte;
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= count ? kAlphabet[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

}  // namespace fairlead::kube
