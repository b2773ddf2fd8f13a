#include "bench/days/table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "account/comparison.h"

namespace fairlead::bench {

double Mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double P95(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[(values.size() * 95 + 99) / 100 - 1];
}

std::string Cell(const std::vector<double>& values, const std::vector<double>& ours, int digits) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < values.size(); ++i) differences.push_back(values[i] - ours[i]);
  const auto [least, most] = std::ranges::minmax(values);
  const account::Estimate difference = account::EstimateOf(differences);
  const bool differs = values.size() > 1 && std::abs(difference.mean) > difference.half;
  return fmt::format("{:.{}f} ± {:.{}f}{}", account::EstimateOf(values).mean, digits,
                     (most - least) / 2, digits, differs ? " *" : "");
}

}  // namespace fairlead::bench
