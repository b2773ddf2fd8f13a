#include "intake/facts/group_of_pod.h"

#include <fmt/format.h>

#include "objects/keys.h"

namespace fairlead::intake {
namespace {

using objects::GroupApi;
using objects::Labels;

constexpr std::string_view kByLabel = "label ", kByAnnotation = "annotation ";

// One way to name a group. In the order of GroupApi, which is that in which they count.
struct GroupKey {
  GroupApi api;
  std::string_view place;
  std::string_view key;
};
constexpr GroupKey kGroupKeys[] = {
    {GroupApi::kNative, {}, "spec.schedulingGroup.podGroupName"},
    {GroupApi::kKai, kByAnnotation, objects::kKaiPodGroupAnnotation},
    {GroupApi::kCoscheduling, kByLabel, objects::kCoschedulingLabel},
    {GroupApi::kCoscheduling, kByLabel, objects::kOldCoschedulingLabel},
    {GroupApi::kVolcano, kByAnnotation, objects::kVolcanoGroupAnnotation},
    {GroupApi::kVolcano, kByAnnotation, objects::kVolcanoOwnGroupAnnotation},
    {GroupApi::kKueuePods, kByLabel, objects::kKueueGroupLabel},
};

// Whether any key begins as one of kGroupKeys does: most pods have none that does.
bool MayName(const Labels& keys) {
  for (const auto& [key, value] : keys) {
    const char first = key.empty() ? ' ' : key.front();
    if (first != 'p' && first != 's' && first != 'k') continue;
    if (key.starts_with("pod-group") || key.starts_with("scheduling.") || key.starts_with("kueue."))
      return true;
  }
  return false;
}

std::string_view ValueOf(const Labels& keys, std::string_view key) {
  const std::string* value = objects::FindLabel(keys, key);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::string_view NameBy(const GroupKey& way, const objects::Pod& pod) {
  if (way.place.empty()) return pod.spec.rare->scheduling_group;
  return ValueOf(way.place == kByLabel ? pod.meta.labels : pod.meta.annotations, way.key);
}

std::string_view PartOf(const objects::Pod& pod, GroupApi api) {
  const objects::Meta& meta = pod.meta;
  if (const std::string_view ours = ValueOf(meta.labels, objects::kPodSetLabel); !ours.empty()) {
    return ours;
  }
  if (api == GroupApi::kKai) return ValueOf(meta.labels, objects::kKaiSubGroupLabel);
  if (api != GroupApi::kVolcano) return {};
  const std::string_view task = ValueOf(meta.annotations, objects::kVolcanoTaskKey);
  return task.empty() ? ValueOf(meta.labels, objects::kVolcanoTaskKey) : task;
}

}  // namespace

GroupOfPod FindGroupOf(const objects::Pod& pod) {
  GroupOfPod group;
  const bool may = !pod.spec.rare->scheduling_group.empty() || MayName(pod.meta.labels) ||
                   MayName(pod.meta.annotations);
  if (!may) return group;
  for (const GroupKey& way : kGroupKeys) {
    const std::string_view name = NameBy(way, pod);
    if (name.empty()) continue;
    if (group.api == GroupApi::kNone) {
      group.api = way.api;
      group.name = name;
    } else if (way.api != group.api || name != group.name) {
      group.others += fmt::format("{}{}{} ({})", group.others.empty() ? "" : ", ", way.place,
                                  way.key, name.substr(0, 64));
    }
  }
  group.part = PartOf(pod, group.api);
  if (group.api == GroupApi::kKueuePods) {
    group.total = ValueOf(pod.meta.annotations, objects::kKueueTotalAnnotation).substr(0, 64);
  }
  return group;
}

}  // namespace fairlead::intake
