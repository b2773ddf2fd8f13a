#include "unit/policy/exact_share.h"

#include <algorithm>
#include <set>

#include <boost/multiprecision/cpp_int.hpp>

namespace fairlead::policy {
namespace {

using Fraction = boost::multiprecision::cpp_rational;
using boost::multiprecision::cpp_int;

cpp_int Floor(const Fraction& f) { return numerator(f) / denominator(f); }  // f ≥ 0

// 2. "repeatedly give each unsatisfied queue `left × weight / Σ weight`, at most what it still
// asks"
void FillBand(const std::vector<Sharer>& sharers, std::int32_t priority, Fraction& left,
              std::vector<Fraction>& shares) {
  for (;;) {
    Fraction total_weight = 0;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < sharers.size(); ++i) {
      const bool asks = shares[i] < sharers[i].requestable && sharers[i].weight_milli > 0;
      if (sharers[i].priority != priority || !asks) continue;
      open.push_back(i);
      total_weight += sharers[i].weight_milli;
    }
    if (open.empty() || left <= 0) return;
    Fraction given = 0;
    bool satisfied = false;
    for (std::size_t i : open) {
      const Fraction part = left * sharers[i].weight_milli / total_weight;
      const Fraction asks = sharers[i].requestable - shares[i];
      satisfied |= asks <= part;
      shares[i] += std::min(asks, part);
      given += std::min(asks, part);
    }
    left -= given;
    if (!satisfied) return;  // everybody took their part: nothing is left
  }
}

// 3. "what rounding leaves goes one unit each by largest remainder, then the older queue, then the
// name"
std::vector<std::int64_t> Rounded(const std::vector<Sharer>& sharers, std::int64_t unit,
                                  const std::vector<Fraction>& shares) {
  std::vector<std::int64_t> whole(sharers.size());
  std::vector<Fraction> remainders(sharers.size());
  std::vector<std::size_t> order(sharers.size());
  Fraction left = 0;
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    const cpp_int units = Floor(shares[i] / unit);
    whole[i] = static_cast<std::int64_t>(units) * unit;
    remainders[i] = shares[i] - whole[i];
    left += remainders[i];
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (remainders[a] != remainders[b]) return remainders[a] > remainders[b];
    if (sharers[a].created != sharers[b].created) return sharers[a].created < sharers[b].created;
    return *sharers[a].name < *sharers[b].name;
  });
  for (std::size_t i : order) {
    if (left < unit || remainders[i] == 0) break;
    whole[i] += unit;
    left -= unit;
  }
  return whole;
}

}  // namespace

std::vector<std::int64_t> ExactShares(std::int64_t amount, std::int64_t unit,
                                      const std::vector<Sharer>& sharers) {
  std::vector<Fraction> shares(sharers.size());
  Fraction left = amount;
  std::set<std::int32_t, std::greater<>> bands;
  for (std::size_t i = 0; i < sharers.size(); ++i) {  // 1.
    shares[i] = std::min(sharers[i].guaranteed, sharers[i].requestable);
    left -= shares[i];
    bands.insert(sharers[i].priority);
  }
  for (std::int32_t band : bands) {
    if (left > 0) FillBand(sharers, band, left, shares);
  }
  return Rounded(sharers, unit, shares);
}

}  // namespace fairlead::policy
