#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "account/metrics_report.h"
#include "base/time.h"

namespace fairlead::account {

// Durations of which only their spread is asked for. Equal ones are counted: a log in whole seconds
// has few that differ, however long it is.
// Cost: amortised O(log n) each; 16 bytes for each that differs from all others, for a moment twice
// that.
class Durations {
 public:
  void Add(Duration duration);
  void Add(const Durations& others);
  Spread spread() const;

 private:
  using Counted = std::vector<std::pair<std::int64_t, std::int64_t>>;  // µs, how often; by µs
  static Counted Merged(const Counted& a, const Counted& b);
  static Counted CountedOf(std::vector<std::int64_t> fresh);
  void Settle();

  Counted counted_;
  std::vector<std::int64_t> fresh_;  // not yet among them
};

}  // namespace fairlead::account
