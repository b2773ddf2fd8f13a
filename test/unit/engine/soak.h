#pragma once

#include <cstdint>
#include <cstdlib>

namespace fairlead::engine {

// How many random clusters to live through, or small worlds to solve: `of_test` in `make test`,
// FAIRLEAD_SOAK times as many in `make soak`; under sanitizers, which are ten times as slow, a
// quarter.
inline std::uint64_t Soaked(std::uint64_t of_test) {
  const char* times = std::getenv("FAIRLEAD_SOAK");
#ifdef __SANITIZE_ADDRESS__
  of_test /= 4;
#endif
  return times == nullptr ? of_test : of_test * std::strtoull(times, nullptr, 10);
}

}  // namespace fairlead::engine
