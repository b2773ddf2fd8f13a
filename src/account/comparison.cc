#include "account/comparison.h"

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace fairlead::account {
namespace {

// Two-sided 95 % quantiles of Student's t for 1, 2, … degrees of freedom; beyond, the normal's.
constexpr std::array<double, 30> kStudent = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
constexpr double kNormal = 1.960;

using Key = std::pair<std::string, std::string>;    // of a figure: its name, and whose it is
using Values = std::map<Key, std::vector<double>>;  // by seed

struct Found {
  Values values;
  std::vector<Figure> order;  // each figure once
};

Found Collect(const std::vector<std::vector<Figure>>& seeds) {
  Found found;
  for (const std::vector<Figure>& figures : seeds) {
    for (const Figure& figure : figures) {
      auto [at, is_new] = found.values.try_emplace({figure.name, figure.of});
      if (is_new) found.order.push_back(figure);
      at->second.push_back(figure.value);
    }
  }
  return found;
}

}  // namespace

Estimate EstimateOf(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() < 2) return {.mean = mean};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const std::size_t freedom = values.size() - 1;
  const double t = freedom <= kStudent.size() ? kStudent[freedom - 1] : kNormal;
  return {.mean = mean, .half = t * std::sqrt(squares / static_cast<double>(freedom) / count)};
}

Comparison Compare(const std::vector<std::vector<std::vector<Figure>>>& runs) {
  CHECK(!runs.empty() && !runs.front().empty());
  Comparison comparison{.seeds = runs.front().size(), .rows = {}};
  std::vector<Found> all;
  for (const auto& seeds : runs) all.push_back(Collect(seeds));
  // The first one's figures, then those that only later ones have.
  std::map<Key, bool> listed;
  for (const Found& found : all) {
    for (const Figure& figure : found.order) {
      const Key key(figure.name, figure.of);
      if (std::exchange(listed[key], true)) continue;
      ComparisonRow row{.name = figure.name,
                        .of = figure.of,
                        .unit = figure.unit,
                        .values = {},
                        .differences = {}};
      const std::vector<double>* first = nullptr;
      for (const Found& other : all) {
        const auto at = other.values.find(key);
        const bool whole = at != other.values.end() && at->second.size() == comparison.seeds;
        row.values.push_back(whole ? std::optional(EstimateOf(at->second)) : std::nullopt);
        row.differences.emplace_back();
        if (&other == &all.front() && whole) first = &at->second;
        if (&other == &all.front() || !whole || first == nullptr) continue;
        std::vector<double> differences;
        for (std::size_t i = 0; i < first->size(); ++i) {
          differences.push_back(at->second[i] - (*first)[i]);
        }
        row.differences.back() = EstimateOf(differences);
      }
      comparison.rows.push_back(std::move(row));
    }
  }
  return comparison;
}

}  // namespace fairlead::account
