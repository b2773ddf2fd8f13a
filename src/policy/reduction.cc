#include "policy/reduction.h"

#include <algorithm>

#include "base/wide_int.h"

namespace fairlead::policy {
namespace {

std::int64_t Slack(const CountRange& range) {
  return std::int64_t{range.count} - std::int64_t{range.min_count};
}

// slack * cut / cuts, rounded down. Asked for every set of every count that is tried, and 128 bits
// are slow to divide.
std::int64_t PartOf(std::int64_t slack, std::int64_t cut, std::int64_t cuts) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(slack, cut, &product)) return product / cuts;
  return static_cast<std::int64_t>(WideInt{slack} * cut / cuts);
}

// The least multiple of `step` that is no less.
std::int64_t InSteps(std::int64_t count, std::int32_t step) {
  return step == 1 ? count : (count + step - 1) / step * step;
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
                                  : PartOf(Slack(range), cut, cuts);
    left -= lost;
    counts[i] =
        static_cast<std::int32_t>(range.count - std::min(InSteps(lost, range.step), Slack(range)));
  }
  return counts;
}

}  // namespace fairlead::policy
