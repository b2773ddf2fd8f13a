#pragma once

#include <cstdint>
#include <cstdlib>

namespace fairlead::engine {

// How many random clusters to live through, or small worlds to solve: `of_test` in `make test`,
// FAIRLEAD_SOAK times as many in `make soak`; under sanitizers, which are ten times as slow, a
// twelfth.
inline std::uint64_t Soaked(std::uint64_t of_test) {
  const char* times = std::getenv("FAIRLEAD_SOAK");
#ifdef __SANITIZE_ADDRESS__
  of_test /= 12;
#endif
  return times == nullptr ? of_test : of_test * std::strtoull(times, nullptr, 10);
}

// The seeds 1 to Soaked(of_test); or the one or the range ("3", "1-1500") that FAIRLEAD_SEED names.
struct Seeds {
  std::uint64_t first = 1, last = 0;
};
inline Seeds SeedsOf(std::uint64_t of_test) {
  const char* only = std::getenv("FAIRLEAD_SEED");
  if (only == nullptr) return {.first = 1, .last = Soaked(of_test)};
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(only, &rest, 10);
  return {.first = first, .last = *rest == '-' ? std::strtoull(rest + 1, nullptr, 10) : first};
}

// Of what a test must have come across at least, to have tested anything: as many as of as many
// seeds, and none where these are named.
inline int Enough(std::uint64_t of_test) {
  return std::getenv("FAIRLEAD_SEED") != nullptr ? -1 : static_cast<int>(Soaked(of_test));
}

}  // namespace fairlead::engine
