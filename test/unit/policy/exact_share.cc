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
void FillBand(const std::vector<Claim>& claims, std::int32_t priority, Fraction& left,
              std::vector<Fraction>& shares) {
  for (;;) {
    Fraction total_weight = 0;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const bool asks = shares[i] < claims[i].requestable && claims[i].weight_milli > 0;
      if (claims[i].priority != priority || !asks) continue;
      open.push_back(i);
      total_weight += claims[i].weight_milli;
    }
    if (open.empty() || left <= 0) return;
    Fraction given = 0;
    bool satisfied = false;
    for (std::size_t i : open) {
      const Fraction part = left * claims[i].weight_milli / total_weight;
      const Fraction asks = claims[i].requestable - shares[i];
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
std::vector<std::int64_t> Rounded(const std::vector<Claim>& claims, std::int64_t unit,
                                  const std::vector<Fraction>& shares) {
  std::vector<std::int64_t> whole(claims.size());
  std::vector<Fraction> remainders(claims.size());
  std::vector<std::size_t> order(claims.size());
  Fraction left = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const cpp_int units = Floor(shares[i] / unit);
    whole[i] = static_cast<std::int64_t>(units) * unit;
    remainders[i] = shares[i] - whole[i];
    left += remainders[i];
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (remainders[a] != remainders[b]) return remainders[a] > remainders[b];
    if (claims[a].created != claims[b].created) return claims[a].created < claims[b].created;
    return *claims[a].name < *claims[b].name;
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
                                      const std::vector<Claim>& claims) {
  std::vector<Fraction> shares(claims.size());
  Fraction left = amount;
  std::set<std::int32_t, std::greater<>> bands;
  for (std::size_t i = 0; i < claims.size(); ++i) {  // 1.
    shares[i] = std::min(claims[i].guaranteed, claims[i].requestable);
    left -= shares[i];
    bands.insert(claims[i].priority);
  }
  for (std::int32_t band : bands) {
    if (left > 0) FillBand(claims, band, left, shares);
  }
  return Rounded(claims, unit, shares);
}

}  // namespace fairlead::policy
