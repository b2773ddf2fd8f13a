#include "intake/join/told.h"

#include <algorithm>

#include "base/sorted_set.h"

namespace fairlead::intake {

std::optional<ToldPod> Told::Find(std::string_view pod) const {
  const PodId id = tables_.pods.Find(pod);
  return id.valid() ? pods_.Told(tables_.pods[id]) : std::nullopt;
}

const state::WorkloadChange* Told::FindWorkload(std::string_view name) const {
  const GangId id = tables_.gangs.Find(name);
  return id.valid() ? tables_.gangs[id].given.get() : nullptr;
}

std::vector<std::string_view> Told::PodsOf(std::string_view workload) const {
  std::vector<std::string_view> names;
  const GangId id = tables_.gangs.Find(workload);
  if (id.valid()) {
    const GangRow& gang = tables_.gangs[id];
    for (const FamilyId family : gang.families) {
      if (!IsOf(tables_, tables_.families[family], gang)) continue;
      for (const PodId member : tables_.families[family].members) {
        const PodRow& row = tables_.pods[member];
        const std::optional<ToldPod> told = pods_.Told(row);
        if (told && told->workload == workload) names.emplace_back(row.name);
      }
    }
    std::ranges::sort(names);
  }
  if (!names.empty() || (id.valid() && tables_.gangs[id].given != nullptr)) return names;
  const PodId alone = tables_.pods.Find(workload);
  if (!alone.valid()) return names;
  const std::optional<ToldPod> told = pods_.Told(tables_.pods[alone]);
  if (told && told->alone) names.emplace_back(tables_.pods[alone].name);
  return names;
}

std::vector<std::string> Told::Names() const {
  std::vector<std::string> names;
  tables_.pods.ForEach([&](PodId, const PodRow& row) {
    if (row.given) names.emplace_back(row.name);
  });
  tables_.gangs.ForEach([&](GangId, const GangRow& gang) {
    if (gang.given != nullptr) names.push_back(gang.name);
  });
  MakeSet(names);
  return names;
}

std::optional<ShownPod> Told::FindShown(std::string_view pod) const {
  const PodId id = tables_.pods.Find(pod);
  if (!id.valid()) return std::nullopt;
  const PodRow& row = tables_.pods[id];
  return ShownPod{.uid = row.uid.ToString(),
                  .bound = row.facts.node != Names::kEmpty,
                  .terminating = row.facts.terminating,
                  .grace = Duration::Seconds(row.grace_seconds)};
}

}  // namespace fairlead::intake
