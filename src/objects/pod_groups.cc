#include "objects/pod_groups.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace fairlead::objects {
namespace {

// The native kind is of v1beta1 from Kubernetes 1.37 on, and of v1alpha2 in 1.36.
constexpr std::array<std::string_view, 3> kNativeVersions = {
    "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha3", "scheduling.k8s.io/v1alpha2"};
constexpr std::array<std::string_view, 1> kKaiVersions = {"scheduling.run.ai/v2alpha2"};
constexpr std::array<std::string_view, 1> kCoschedulingVersions = {"scheduling.x-k8s.io/v1alpha1"};
constexpr std::array<std::string_view, 1> kVolcanoVersions = {"scheduling.volcano.sh/v1beta1"};

constexpr GroupRow kGroupRows[] = {
    {GroupApi::kNative, "scheduling.k8s.io", "PodGroup.scheduling.k8s.io", kNativeVersions},
    {GroupApi::kKai, "scheduling.run.ai", "PodGroup.scheduling.run.ai", kKaiVersions},
    {GroupApi::kCoscheduling, "scheduling.x-k8s.io", "PodGroup.scheduling.x-k8s.io",
     kCoschedulingVersions},
    {GroupApi::kVolcano, "scheduling.volcano.sh", "PodGroup.scheduling.volcano.sh",
     kVolcanoVersions},
    {GroupApi::kKueuePods, "", "", {}},
};

const GroupRow* FindRow(std::string_view wanted, std::string_view GroupRow::* field) {
  const auto* found = std::ranges::find(kGroupRows, wanted, field);
  return wanted.empty() || found == std::end(kGroupRows) ? nullptr : found;
}

}  // namespace

std::span<const GroupRow> GroupRows() { return kGroupRows; }

const GroupRow& RowOf(GroupApi api) {
  CHECK(api != GroupApi::kNone);
  return kGroupRows[static_cast<std::size_t>(api) - 1];
}

const GroupRow* FindGroupRow(std::string_view group) { return FindRow(group, &GroupRow::group); }

const GroupRow* FindGroupRowOfKind(std::string_view qualified_kind) {
  return FindRow(qualified_kind, &GroupRow::qualified_kind);
}

}  // namespace fairlead::objects
