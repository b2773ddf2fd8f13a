// Worked (docs/users-and-usage.md): a and b of weight 1 ask for all there is, and a alone used the
// cluster. w is 500,000 for both, u 1,000,000 for a and 0 for b. With an influence of 0.5 a's
// weight becomes 500,000 + 0.5 × (500,000 − 1,000,000) = 250,000 and b's 500,000 + 0.5 × 500,000 =
// 750,000: of 8 GPUs a is due 2 and b 6. With 1 a would be due none.

#include "policy/usage_weight.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fairlead::policy {
namespace {

constexpr std::int64_t kParts = 1'000'000;

// The part in millionths, rounded down. REQUIRES: 0 ≤ of ≤ all, all > 0.
std::int64_t PartOf(WideInt of, WideInt all) {
  constexpr WideInt kShort = std::numeric_limits<std::int64_t>::max() / kParts;
  if (all <= kShort) return static_cast<std::int64_t>(of) * kParts / static_cast<std::int64_t>(all);
  return static_cast<std::int64_t>(of * kParts / all);
}

void WeighBand(std::span<const Sharer> sharers, std::span<const std::size_t> band,
               std::int32_t influence_milli, std::vector<UsageWeight>& weights) {
  WideInt all_weights = 0;
  WideInt all_used = 0;
  for (const std::size_t i : band) {
    all_weights += sharers[i].weight_milli;
    all_used += sharers[i].used;
  }
  if (all_weights == 0) return;
  bool any = false;
  for (const std::size_t i : band) {
    UsageWeight& of = weights[i];
    of.of_weights = PartOf(sharers[i].weight_milli, all_weights);
    of.weight = 1000 * of.of_weights;
    if (all_used == 0) continue;
    of.of_usage = PartOf(sharers[i].used, all_used);
    of.weight += influence_milli * (of.of_weights - of.of_usage);
    of.weight = sharers[i].weight_milli == 0 ? 0 : std::max<std::int64_t>(0, of.weight);
    any |= of.weight > 0;
  }
  if (any) return;
  for (const std::size_t i : band) weights[i].weight = 1000 * weights[i].of_weights;
}

}  // namespace

std::vector<UsageWeight> UsageWeights(std::span<const Sharer> sharers,
                                      std::int32_t influence_milli) {
  std::vector<UsageWeight> weights(sharers.size());
  std::vector<std::size_t> asking;
  asking.reserve(sharers.size());
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    if (sharers[i].requestable > 0) asking.push_back(i);
  }
  const auto higher = [&](std::size_t a, std::size_t b) {
    return sharers[a].priority > sharers[b].priority;
  };
  if (!std::is_sorted(asking.begin(), asking.end(), higher)) {
    std::stable_sort(asking.begin(), asking.end(), higher);
  }
  for (std::size_t from = 0; from < asking.size();) {
    std::size_t to = from;
    while (to < asking.size() && sharers[asking[to]].priority == sharers[asking[from]].priority) {
      ++to;
    }
    WeighBand(sharers, std::span(asking).subspan(from, to - from), influence_milli, weights);
    from = to;
  }
  return weights;
}

}  // namespace fairlead::policy
