#include "bench/backfill/draws.h"

#include <cmath>

#include "base/check.h"
#include "bench/normal.h"

namespace fairlead::bench {

double Draws::Uniform() { return bench::Uniform(random_); }

std::int64_t Draws::Between(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(high - low) + 1));
}

double Draws::Normal() { return bench::Normal(random_); }

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
