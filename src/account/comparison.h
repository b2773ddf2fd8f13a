#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "account/figures.h"

namespace fairlead::account {

// A mean over seeds, and half the width of its 95 % confidence interval by Student's t; 0 where
// there was one seed.
struct Estimate {
  double mean = 0, half = 0;
};

// One figure under every configuration. Absent: there is none in some run (nobody was evicted, so
// nobody's eviction has a percentile).
struct ComparisonRow {
  std::string name, of, unit;
  std::vector<std::optional<Estimate>> values;       // by configuration
  std::vector<std::optional<Estimate>> differences;  // to the first one, seed by seed
};

struct Comparison {
  std::size_t seeds = 0;
  std::vector<ComparisonRow> rows;  // in the order of the first configuration's figures
};

// `runs[configuration][seed]`. What was run with one seed was run on the same input, so that
// differences are taken seed by seed: what seeds have in common cancels out.
// REQUIRES: at least one configuration; the same number of seeds, at least one, for all.
Comparison Compare(const std::vector<std::vector<std::vector<Figure>>>& runs);

// Mean and interval of one figure's values.
Estimate EstimateOf(const std::vector<double>& values);

}  // namespace fairlead::account
