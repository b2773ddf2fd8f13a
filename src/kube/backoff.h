#pragma once

#include <cstdint>

#include "base/time.h"

namespace fairlead::kube {

// Numbers that look random, the same for the same seed (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next();
  // From 0 to `bound` − 1. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound) { return Next() % bound; }
  // Evenly from `low` to `high`, both included.
  Duration Between(Duration low, Duration high);

 private:
  std::uint64_t state_;
};

// How long to wait after failures in a row: evenly between 0 and a bound that begins at `first` and
// doubles up to `most`, so that many clients of a server that comes back do not come at once.
// `healthy` after the last failure it begins anew.
class Backoff {
 public:
  struct Limits {
    Duration first{.us = 800'000};
    Duration most = Duration::Seconds(30);
    Duration healthy = Duration::Seconds(120);
  };

  Backoff(Limits limits, std::uint64_t seed) : limits_(limits), random_(seed) {}

  // Counts a failure at `now`.
  Duration Next(Time now);
  // No failure counts any more.
  bool rested(Time now) const { return failures_ == 0 || now - last_ > limits_.healthy; }
  Random& random() { return random_; }

 private:
  Limits limits_;
  Random random_;
  int failures_ = 0;
  Time last_;
};

}  // namespace fairlead::kube
