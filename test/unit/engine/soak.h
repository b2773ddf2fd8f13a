#pragma once

#include <cstdint>
#include <cstdlib>

namespace fairlead::engine {

// Under sanitizers, which are ten times as slow, a twelfth of the random clusters has to do, too
// few to count what they came across.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// How many random clusters to live through, or small worlds to solve: `of_test` in `make test`,
// FAIRLEAD_SOAK times as many in `make soak`.
inline std::uint64_t Soaked(std::uint64_t of_test) {
  const char* times = std::getenv("FAIRLEAD_SOAK");
  if (kSanitized) of_test /= 12;
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

// Whether what they came across is counted: not where they are few, or named.
inline bool IsCounted() { return !kSanitized && std::getenv("FAIRLEAD_SEED") == nullptr; }

// Of what a test must have come across at least, to have tested anything: as many as of as many
// seeds, and none where that is not counted.
inline int Enough(std::uint64_t of_test) {
  return IsCounted() ? static_cast<int>(Soaked(of_test)) : -1;
}

}  // namespace fairlead::engine
