// A JobObject that is let go by its pods, in one or more groups. The pods of a group are numbered
// through all of its pod sets: NAME-GROUP is the first, NAME-GROUP-1 the next, as a LeaderWorkerSet
// names its leader and its workers. Without groups NAME stands for NAME-GROUP.
//
// Of what it owns, set `s` of group `g` is number g × (pod sets) + s.

#include <algorithm>
#include <string>
#include <vector>

#include "base/integer.h"
#include "virtual/controllers.h"
#include "virtual/kubelet.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::JobObject;
using objects::JobRow;

std::string StemOf(const JobObject& job, std::int64_t group) {
  return job.row->pod_labels.group.empty() ? job.meta.name
                                           : job.meta.name + "-" + std::to_string(group);
}

// What the pods of a set say where their index in the group does not.
struct SetLabelOf {
  std::string value;
  bool is_index = false;
};
SetLabelOf LabelOfSet(const JobRow::PodLabels& labels, const std::string& pod_set) {
  bool any_other = false;
  for (const auto& [value, named] : labels.values) {
    if (named != pod_set) continue;
    if (value != "*") return {.value = value};
    any_other = true;
  }
  return {.value = pod_set, .is_index = any_other};
}

// A group whose pods go is made anew when they are gone: one that lost some is of no use.
bool SendTheRestAway(World& world, std::vector<SlotId> pods) {
  const auto goes = [&](SlotId pod) { return world.store[pod].meta().deletion_time.has_value(); };
  if (std::ranges::none_of(pods, goes)) return false;
  for (const SlotId pod : pods) TerminatePod(world, pod);
  return true;
}

void SyncGroup(World& world, SlotId slot, std::int64_t group) {
  const auto& job = std::get<JobObject>(world.store[slot].object);
  std::vector<OwnedSet>& sets = world.store[slot].owned->sets;
  const std::size_t first = static_cast<std::size_t>(group) * job.pod_sets.size();
  std::vector<SlotId> pods;
  for (std::size_t s = 0; s < job.pod_sets.size(); ++s) {
    const std::vector<SlotId>& active = sets[first + s].active;
    pods.insert(pods.end(), active.begin(), active.end());
  }
  if (SendTheRestAway(world, std::move(pods))) return;

  const JobRow::PodLabels& labels = job.row->pod_labels;
  std::int32_t begin = 0;
  for (std::size_t s = 0; s < job.pod_sets.size(); ++s) {
    const JobObject::Replicas& of = job.pod_sets[s];
    OwnedSet& set = sets[first + s];
    if (set.used.size() < static_cast<std::size_t>(begin)) {
      for (std::int32_t before = 0; before < begin; ++before) set.Use(before);
    }
    objects::PodTemplate from = of.pod_template;
    const auto name = [&from](const std::string& label, const std::string& value) {
      if (!label.empty()) SetLabel(from.labels, label, value);
    };
    const SetLabelOf of_set = LabelOfSet(labels, of.name);
    name(labels.job, job.meta.name);
    name(labels.group, std::to_string(group));
    name(labels.pod_set, of_set.value);
    SyncReplicas(world, slot,
                 {.set = static_cast<std::int32_t>(first + s),
                  .wanted = job.complete() ? 0 : of.count(),
                  .pod_template = from,
                  .stem = StemOf(job, group),
                  .only_one = true,
                  .index_label = of_set.is_index ? labels.pod_set : std::string_view()});
    if (job.is_in_order() && !HaveBegun(world, set, of.count())) return;
    begin += of.count();
  }
}

}  // namespace

std::int64_t GroupsOf(const JobObject& job) {
  return job.row->groups.empty() ? 1 : job.groups.value_or(1);
}

std::int64_t PodsOfGroups(const JobObject& job) {
  std::int64_t pods = 0;
  for (const JobObject::Replicas& set : job.pod_sets) pods += set.count();
  return std::min(pods, objects::kMostPods) * GroupsOf(job);
}

std::optional<GroupPlace> PlaceInGroups(const JobObject& job, const objects::Meta& pod) {
  const jobs::JobOfPod named = jobs::FindJobOfPod(pod, pod.Controller());
  std::int64_t group = 0;
  if (!job.row->pod_labels.group.empty()) {
    group = ParseInteger<std::int64_t>(named.group).value_or(-1);
    if (group < 0 || group >= GroupsOf(job)) return std::nullopt;
  }
  const auto set = std::ranges::find(job.pod_sets, named.pod_set, &JobObject::Replicas::name);
  if (set == job.pod_sets.end()) return std::nullopt;
  const std::string stem = StemOf(job, group);
  std::int32_t index = pod.name == stem ? 0 : -1;
  if (pod.name.starts_with(stem + "-")) {
    const std::string_view rest = std::string_view(pod.name).substr(stem.size() + 1);
    index = ParseInteger<std::int32_t>(rest).value_or(-1);
  }
  return GroupPlace{.set = static_cast<std::int32_t>(group * std::ssize(job.pod_sets) +
                                                     (set - job.pod_sets.begin())),
                    .ordinal = static_cast<std::int64_t>(index) < PodsOfGroups(job) ? index : -1};
}

void SyncGroups(World& world, SlotId slot) {
  const auto& job = std::get<JobObject>(world.store[slot].object);
  const std::int64_t groups = GroupsOf(job);
  const auto wanted = static_cast<std::size_t>(groups) * job.pod_sets.size();
  std::vector<OwnedSet>& sets = world.store[slot].owned->sets;
  if (sets.size() < wanted) sets.resize(wanted);
  for (std::int64_t group = 0; group < groups; ++group) SyncGroup(world, slot, group);
  for (std::size_t i = wanted; i < sets.size(); ++i) {
    for (const SlotId pod : sets[i].active) TerminatePod(world, pod);
  }
}

}  // namespace fairlead::virtual_cluster
