#include "base/digest.h"

#include <array>

namespace fairlead {
namespace {

constexpr std::uint64_t kPrime = 1099511628211ULL;

std::uint64_t AddByte(std::uint64_t hash, unsigned char byte) { return (hash ^ byte) * kPrime; }

// kPrime to the power of 0 … 8.
constexpr std::array<std::uint64_t, 9> kPowers = [] {
  std::array<std::uint64_t, 9> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * kPrime;
  return powers;
}();

// Eight bytes, the lowest first. To add a byte of zero is to multiply, and most numbers are small:
// the zeroes above them are added as one.
std::uint64_t AddNumber(std::uint64_t hash, std::uint64_t number) {
  if (number < 256) return AddByte(hash, static_cast<unsigned char>(number)) * kPowers[7];
  std::size_t bytes = 0;
  for (; number != 0; number >>= 8, ++bytes) {
    hash = AddByte(hash, static_cast<unsigned char>(number));
  }
  return hash * kPowers[8 - bytes];
}

}  // namespace

void Digest::Add(std::string_view bytes) {
  hash_ = AddNumber(hash_, bytes.size());
  std::uint64_t hash = hash_;
#pragma GCC unroll 8
  for (const char byte : bytes) hash = AddByte(hash, static_cast<unsigned char>(byte));
  hash_ = hash;
}

void Digest::Add(std::int64_t number) {
  hash_ = AddNumber(hash_, static_cast<std::uint64_t>(number));
}

std::string Digest::Hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex(16, '0');
  for (int i = 0; i < 16; ++i) hex[i] = kDigits[(hash_ >> (60 - 4 * i)) & 0xf];
  return hex;
}

}  // namespace fairlead
