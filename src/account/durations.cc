#include "account/durations.h"

#include <algorithm>
#include <iterator>

#include "base/wide_int.h"

namespace fairlead::account {
namespace {

// Of so many in all, the ⌈percent·n/100⌉-th smallest.
Duration NearestRank(const std::vector<std::pair<std::int64_t, std::int64_t>>& counted,
                     std::int64_t count, std::int64_t percent) {
  std::int64_t left = (count * percent + 99) / 100;
  for (const auto& [us, times] : counted) {
    left -= times;
    if (left <= 0) return {us};
  }
  return {counted.back().first};
}

}  // namespace

void Durations::Add(Duration duration) {
  constexpr std::size_t kFewest = 1024;
  fresh_.push_back(duration.us);
  if (fresh_.size() >= std::max(kFewest, counted_.size())) Settle();
}

void Durations::Add(const Durations& others) {
  counted_ = Merged(counted_, Merged(others.counted_, CountedOf(others.fresh_)));
}

void Durations::Settle() {
  counted_ = Merged(counted_, CountedOf(std::move(fresh_)));
  fresh_.clear();
}

Durations::Counted Durations::CountedOf(std::vector<std::int64_t> fresh) {
  std::ranges::sort(fresh);
  Counted counted;
  for (const std::int64_t us : fresh) {
    if (counted.empty() || counted.back().first != us) counted.emplace_back(us, 0);
    ++counted.back().second;
  }
  return counted;
}

Durations::Counted Durations::Merged(const Counted& a, const Counted& b) {
  if (b.empty()) return a;
  Counted both;
  both.reserve(a.size() + b.size());
  auto at = a.begin(), of = b.begin();
  while (at != a.end() && of != b.end()) {
    if (at->first < of->first) {
      both.push_back(*at++);
    } else if (of->first < at->first) {
      both.push_back(*of++);
    } else {
      both.emplace_back(at->first, at->second + of->second);
      ++at;
      ++of;
    }
  }
  std::copy(at, a.end(), std::back_inserter(both));
  std::copy(of, b.end(), std::back_inserter(both));
  return both;
}

Spread Durations::spread() const {
  const Counted counted = Merged(counted_, CountedOf(fresh_));
  Spread spread;
  if (counted.empty()) return spread;
  WideInt sum = 0;
  for (const auto& [us, times] : counted) {
    spread.count += times;
    sum += static_cast<WideInt>(us) * times;
  }
  spread.mean = {static_cast<std::int64_t>(sum / spread.count)};
  spread.p50 = NearestRank(counted, spread.count, 50);
  spread.p95 = NearestRank(counted, spread.count, 95);
  spread.p99 = NearestRank(counted, spread.count, 99);
  spread.max = {counted.back().first};
  return spread;
}

}  // namespace fairlead::account
