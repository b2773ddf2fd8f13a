#pragma once

#include <cstdint>

#include "base/random.h"

namespace fairlead::bench {

// Draws from the distributions of workload models. Of our own, as those of the standard library
// differ from one to the next.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  double Uniform();                                           // evenly from (0, 1)
  std::int64_t Between(std::int64_t low, std::int64_t high);  // both included
  double Normal();                                            // of mean 0 and variance 1
  double Exponential(double mean);
  // Of mean alpha × beta and variance alpha × beta². REQUIRES: alpha >= 1.
  double Gamma(double alpha, double beta);

 private:
  Random random_;
};

}  // namespace fairlead::bench
