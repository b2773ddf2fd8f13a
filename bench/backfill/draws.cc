#include "bench/backfill/draws.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace fairlead::bench {

// The upper 53 bits, in the middle of their interval.
double Draws::Uniform() { return (static_cast<double>(random_.Next() >> 11) + 0.5) * 0x1p-53; }

std::int64_t Draws::Between(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(high - low) + 1));
}

// Box and Muller, Annals of Mathematical Statistics 29(2), 1958.
double Draws::Normal() {
  const double radius = std::sqrt(-2 * std::log(Uniform()));
  return radius * std::cos(2 * std::numbers::pi * Uniform());
}

double Draws::Exponential(double mean) { return -mean * std::log(Uniform()); }

// Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26(3), 2000.
double Draws::Gamma(double alpha, double beta) {
  CHECK(alpha >= 1);
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = Normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(Uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return beta * d * v;
  }
}

}  // namespace fairlead::bench
