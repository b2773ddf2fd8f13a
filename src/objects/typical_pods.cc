#include "objects/typical_pods.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "objects/keys.h"

namespace fairlead::objects {
namespace {

constexpr std::int64_t kPopularPercent = 95;

TypicalPod KindOf(const PodNeeds& needs) {
  TypicalPod kind;
  kind.cpu_milli = AmountOf(needs.request, "cpu");
  kind.gpus = static_cast<std::int32_t>(AmountOf(needs.request, kGpuResource) / 1000);
  kind.gpu_milli = kind.gpus > 0 ? 0 : needs.gpu_milli;
  if (needs.required_terms.size() == 1) kind.node_labels = needs.required_terms.front().labels;
  return kind;
}

}  // namespace

bool PodKinds::Before::operator()(const TypicalPod& a, const TypicalPod& b) const {
  const auto labels = [](const TypicalPod& pod) {
    std::vector<std::pair<std::string_view, std::vector<std::string>>> out;
    for (const Requirement& wanted : pod.node_labels) out.emplace_back(wanted.key, wanted.values);
    return out;
  };
  const auto amounts = [](const TypicalPod& pod) {
    return std::make_tuple(pod.cpu_milli, pod.gpus > 0 ? 1000 : pod.gpu_milli, pod.gpus);
  };
  return std::make_pair(amounts(a), labels(a)) < std::make_pair(amounts(b), labels(b));
}

void PodKinds::Add(const PodNeeds& needs, std::int64_t pods) { kinds_[KindOf(needs)] += pods; }

std::vector<TypicalPod> PodKinds::Popular() const {
  std::vector<TypicalPod> typical;
  std::int64_t all = 0;
  for (const auto& [kind, count] : kinds_) {
    typical.push_back(kind);
    typical.back().count = count;
    all += count;
  }
  std::reverse(typical.begin(), typical.end());
  std::stable_sort(typical.begin(), typical.end(),
                   [](const TypicalPod& a, const TypicalPod& b) { return a.count > b.count; });
  std::int64_t counted = 0;
  std::size_t kept = 0;
  while (kept < typical.size() && counted * 100 < all * kPopularPercent) {
    counted += typical[kept++].count;
  }
  typical.resize(kept);
  return typical;
}

bool LacksTypicalPods(const SchedulerConfiguration& configuration) {
  return configuration.typical_pods.empty() && (NeedsTypicalPods(configuration.gpu_placement) ||
                                                NeedsTypicalPods(configuration.cpu_placement));
}

}  // namespace fairlead::objects
