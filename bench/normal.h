#pragma once

#include <cmath>
#include <numbers>

#include "base/random.h"

// Draws of our own, as those of the standard library differ from one to the next.

namespace fairlead::bench {

// Evenly from (0, 1): the upper 53 bits, in the middle of their interval.
inline double Uniform(Random& random) {
  return (static_cast<double>(random.Next() >> 11) + 0.5) * 0x1p-53;
}

// Of mean 0 and variance 1: Box and Muller, Annals of Mathematical Statistics 29(2), 1958.
inline double Normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(Uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * Uniform(random));
}

}  // namespace fairlead::bench
