#include "policy/reduction.h"

#include <algorithm>

namespace fairlead::policy {
namespace {

__extension__ using Wide = __int128;

std::int64_t Slack(const CountRange& range) {
  return std::int64_t{range.count} - std::int64_t{range.min_count};
}

}  // namespace

std::int64_t CutsOf(std::span<const CountRange> ranges) {
  std::int64_t cuts = 0;
  for (const CountRange& range : ranges) cuts += Slack(range);
  return cuts;
}

std::vector<std::int32_t> CountsAfter(std::span<const CountRange> ranges, std::int64_t cut,
                                      objects::Reduction how) {
  const std::int64_t cuts = CutsOf(ranges);
  std::vector<std::int32_t> counts(ranges.size());
  std::int64_t left = cut;
  for (std::size_t i = ranges.size(); i-- > 0;) {
    const CountRange& range = ranges[i];
    const std::int64_t lost = cuts == 0 ? 0
                              : how == objects::Reduction::kOrdered
                                  ? std::min(left, Slack(range))
                                  : static_cast<std::int64_t>(Wide{Slack(range)} * cut / cuts);
    left -= lost;
    const std::int64_t whole = (lost + range.step - 1) / range.step * range.step;
    counts[i] = static_cast<std::int32_t>(range.count - std::min(whole, Slack(range)));
  }
  return counts;
}

}  // namespace fairlead::policy
