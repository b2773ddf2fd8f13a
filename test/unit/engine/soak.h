#pragma once

#include <cstdint>
#include <cstdlib>

namespace fairlead::engine {

// How many random clusters to live through, or small worlds to solve: `of_test` in `make test`,
// FAIRLEAD_SOAK times as many in `make soak`.
inline std::uint64_t Soaked(std::uint64_t of_test) {
  const char* times = std::getenv("FAIRLEAD_SOAK");
  return times == nullptr ? of_test : of_test * std::strtoull(times, nullptr, 10);
}

}  // namespace fairlead::engine
