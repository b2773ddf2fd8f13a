#include "view/holders.h"

#include <algorithm>
#include <iterator>

#include "objects/key.h"

namespace fairlead::view {
namespace {

template <auto Of>
std::string_view OfWork(const Tables& tables, const PodRow& pod) {
  if (pod.workload_row == kNone) return {};
  return Of(tables.workloads[pod.workload_row]);
}

constexpr HolderKind kHolderKinds[] = {
    {"queue", OfWork<[](const WorkloadRow& row) { return TextOf(row.queue); }>},
    {"namespace", [](const Tables&,
                     const PodRow& pod) { return objects::SplitKey(TextOf(pod.name)).name_space; }},
    {"user", OfWork<[](const WorkloadRow& row) { return TextOf(row.user); }>},
    {"workload", OfWork<[](const WorkloadRow& row) { return TextOf(row.name); }>},
    {"pod", [](const Tables&, const PodRow& pod) { return TextOf(pod.name); }},
};

}  // namespace

const HolderKind* FindHolderKind(std::string_view name) {
  const auto found = std::ranges::find(kHolderKinds, name, &HolderKind::name);
  return found == std::end(kHolderKinds) ? nullptr : found;
}

std::string HolderKindNames() {
  std::string names;
  for (const HolderKind& kind : kHolderKinds) {
    names.append(names.empty() ? "" : ", ").append(kind.name);
  }
  return names;
}

}  // namespace fairlead::view
