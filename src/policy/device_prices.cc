// Prices of shares, from a linear program that is never solved exactly. As many devices as the
// typical pods' shares would fill, if nothing were lost, are packed with them:
//
//   maximize   Σ what is packed of each share × its size
//   subject to no more of each than is expected, and each device holds a pattern of shares
//
// The price p of a share is what one more place for it would earn. The dual in p alone is
//
//   minimize   devices × (the most that one pattern earns) + Σ expected × max(0, size − p)
//
// and a subgradient of it for a share is devices × (how often the best pattern has it) − expected.
// kSteps steps along it, shorter and shorter; the mean of the prices on the way is the answer.
//
// Worked: as many pods ask 0.6 as ask 0.4 of a device. Together they fill one, so both are worth
// what they ask. If all ask 0.6, a place for one is worth a device: prices are cut at the size, and
// the other 0.4 are worth nothing.

#include "policy/device_prices.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "base/wide_int.h"

namespace fairlead::policy {
namespace {

constexpr int kSteps = 400;
constexpr std::int64_t kStep = 3 * DevicePrices::kWorth / 10;

struct Share {
  std::int64_t size = 0;      // in units
  std::int64_t expected = 0;  // pods
  std::int64_t most = 0;      // its price at most: what it asks
  std::int64_t price = 0;
  std::int64_t sum = 0;  // of its prices so far
  std::int64_t in_best = 0;
};

// The most that shares earn on so many units and on fewer: by units.
void EarnMost(std::span<const Share> shares, std::vector<std::int64_t>& earns,
              std::vector<std::size_t>& last) {
  for (std::size_t r = 0; r < earns.size(); ++r) {
    earns[r] = r == 0 ? 0 : earns[r - 1];
    last[r] = shares.size();
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const auto size = static_cast<std::size_t>(shares[s].size);
      if (size > r || earns[r - size] + shares[s].price <= earns[r]) continue;
      earns[r] = earns[r - size] + shares[s].price;
      last[r] = s;
    }
  }
}

void CountBest(std::span<Share> shares, std::span<const std::size_t> last) {
  for (Share& share : shares) share.in_best = 0;
  for (std::size_t r = last.size() - 1; r > 0;) {
    if (last[r] == shares.size()) {
      --r;
      continue;
    }
    Share& taken = shares[last[r]];
    ++taken.in_best;
    r -= static_cast<std::size_t>(taken.size);
  }
}

}  // namespace

void DevicePrices::Make(std::span<const objects::TypicalPod> typical) {
  if (std::ranges::equal(typical, typical_)) return;
  typical_.assign(typical.begin(), typical.end());
  worth_ = {};
  std::map<std::int64_t, std::int64_t> expected;
  std::int64_t unit = kWhole;
  std::int64_t all = 0;  // thousandths that are expected
  for (const objects::TypicalPod& pod : typical) {
    if (pod.gpu_milli <= 0 || pod.gpu_milli >= kWhole) continue;
    expected[pod.gpu_milli] += pod.count;
    unit = std::gcd(unit, pod.gpu_milli);
    all += pod.gpu_milli * pod.count;
  }
  if (all == 0) return;
  std::vector<Share> shares;
  for (const auto& [milli, pods] : expected) {
    const std::int64_t most = milli * (kWorth / kWhole);
    shares.push_back({.size = milli / unit, .expected = pods, .most = most, .price = most});
  }
  const auto units = static_cast<std::size_t>(kWhole / unit);
  std::vector<std::int64_t> earns(units + 1);
  std::vector<std::size_t> last(units + 1);
  for (int step = 1; step <= kSteps; ++step) {
    EarnMost(shares, earns, last);
    CountBest(shares, last);
    for (Share& share : shares) {
      // Per device: how much more often the best pattern has it than it is expected.
      const auto too_many =
          static_cast<WideInt>(share.in_best) * all - static_cast<WideInt>(share.expected) * kWhole;
      const auto length = static_cast<std::int64_t>(kStep * too_many / all / (step + 10));
      share.price = std::clamp<std::int64_t>(share.price - length, 0, share.most);
      share.sum += share.price;
    }
  }
  for (Share& share : shares) share.price = share.sum / kSteps;
  EarnMost(shares, earns, last);
  for (std::int64_t milli = 0; milli <= kWhole; ++milli) {
    worth_[static_cast<std::size_t>(milli)] = earns[static_cast<std::size_t>(milli / unit)];
  }
}

}  // namespace fairlead::policy
