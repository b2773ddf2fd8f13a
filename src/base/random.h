#pragma once

#include <cstdint>

#include "base/time.h"

namespace fairlead {

// Mixes a number so that near ones come out far apart: the finaliser of SplitMix64 (Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", OOPSLA'14).
constexpr std::uint64_t Stir(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// SplitMix64: the same numbers for the same seed, everywhere. Not for secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    const std::uint64_t out = Stir(state_);
    state_ += 0x9e3779b97f4a7c15ULL;
    return out;
  }
  // 0 … below − 1, all as likely to within 2^-64 × below. REQUIRES: below > 0.
  std::uint64_t Below(std::uint64_t below) {
    return static_cast<std::uint64_t>((static_cast<__uint128_t>(Next()) * below) >> 64);
  }
  // Evenly from `low` to `high`, both included. REQUIRES: low <= high.
  Duration Between(Duration low, Duration high) {
    return low + Duration{static_cast<std::int64_t>(
                     Below(static_cast<std::uint64_t>((high - low).us) + 1))};
  }

 private:
  std::uint64_t state_;
};

}  // namespace fairlead
