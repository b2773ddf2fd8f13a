#pragma once

#include <cstdint>

#include "base/random.h"
#include "base/time.h"

namespace fairlead::kube {

// When to try again what the server refuses for good, until somebody mends it: rights, an admission
// webhook.
inline constexpr Duration kAfterRefusal = Duration::Seconds(30);

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
