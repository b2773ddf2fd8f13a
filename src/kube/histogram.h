#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace fairlead::kube {

// How often something took how long: counts by upper bound, as Prometheus wants them.
class Histogram {
 public:
  // Microseconds: from 10 µs to 100 s, three to a decade.
  static constexpr std::array<std::int64_t, 22> kBounds = {
      10,        20,        50,         100,        200,        500,        1'000,   2'000,
      5'000,     10'000,    20'000,     50'000,     100'000,    200'000,    500'000, 1'000'000,
      2'000'000, 5'000'000, 10'000'000, 20'000'000, 50'000'000, 100'000'000};

  void Add(Duration took) {
    std::size_t i = 0;
    while (i < kBounds.size() && took.us > kBounds[i]) ++i;
    ++counts_[i];
    ++count_;
    sum_us_ += took.us;
  }

  // Of those that took at most kBounds[i], not cumulated; the last one: longer than all.
  const std::array<std::uint64_t, kBounds.size() + 1>& counts() const { return counts_; }
  std::uint64_t count() const { return count_; }
  std::int64_t sum_us() const { return sum_us_; }

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_ = {};
  std::uint64_t count_ = 0;
  std::int64_t sum_us_ = 0;
};

}  // namespace fairlead::kube
