#include "base/digest.h"

namespace fairlead {
namespace {

constexpr std::uint64_t kPrime = 1099511628211ULL;

std::uint64_t AddByte(std::uint64_t hash, unsigned char byte) { return (hash ^ byte) * kPrime; }

std::uint64_t AddNumber(std::uint64_t hash, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) {
    hash = AddByte(hash, static_cast<unsigned char>(number >> shift));
  }
  return hash;
}

}  // namespace

void Digest::Add(std::string_view bytes) {
  hash_ = AddNumber(hash_, bytes.size());
  for (const char byte : bytes) hash_ = AddByte(hash_, static_cast<unsigned char>(byte));
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
