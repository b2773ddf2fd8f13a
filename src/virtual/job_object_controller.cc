#include <algorithm>
#include <string>

#include "virtual/controllers.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::JobObject;
using objects::JobRow;

std::optional<std::size_t> ComponentOf(const JobObject::Replicas& set) {
  return set.component ? std::optional(set.component->at) : std::nullopt;
}

bool HasSucceeded(const JobObject& job, const Ownership& owned) {
  const auto ends_it = [](const JobObject::Replicas& set) { return set.row->ends_job; };
  const auto others_end_it = [&](const JobObject::Replicas& of) {
    return !ends_it(of) && std::ranges::any_of(job.pod_sets, [&](const JobObject::Replicas& set) {
      return ends_it(set) && ComponentOf(set) == ComponentOf(of);
    });
  };
  const std::size_t kinds = job.pod_sets.size();
  const auto groups = static_cast<std::size_t>(GroupsOf(job));
  for (std::size_t i = 0; i < kinds * groups; ++i) {
    if (others_end_it(job.pod_sets[i % kinds])) continue;
    const std::int32_t succeeded = i < owned.sets.size() ? owned.sets[i].succeeded : 0;
    if (succeeded < job.pod_sets[i % kinds].count()) return false;
  }
  return kinds * groups > 0;
}

// What the operator writes where the pod set's pods have that label.
std::string ValueFor(const JobRow::PodLabels& labels, const std::string& pod_set) {
  for (const auto& [value, named] : labels.values) {
    if (named == pod_set && value != "*") return value;
  }
  return pod_set;
}

bool Runs(const JobObject& job) { return !job.suspend && !job.complete(); }

void SyncPodSet(World& world, SlotId slot, std::size_t set) {
  const auto& job = std::get<JobObject>(world.store[slot].object);
  const JobObject::Replicas& of = job.pod_sets[set];
  objects::PodTemplate from = of.pod_template;
  const auto name = [&from](const std::string& label, const std::string& value) {
    if (!label.empty()) SetLabel(from.labels, label, value);
  };
  const JobRow::PodLabels& labels = job.row->pod_labels;
  name(labels.job, job.meta.name);
  name(labels.pod_set, ValueFor(labels, of.name));
  std::int32_t wanted = Runs(job) ? of.count() : 0;
  if (job.row->gang_if_asked && job.is_in_order()) {
    const OwnedSet& owned = world.store[slot].owned->sets[set];
    const auto here = static_cast<std::int32_t>(owned.active.size());
    if (here < wanted) wanted = HaveBegun(world, owned, here) ? here + 1 : here;
  }
  SyncReplicas(world, slot,
               {.set = static_cast<std::int32_t>(set),
                .wanted = wanted,
                .pod_template = from,
                .stem = job.row->gang_if_asked ? job.meta.name : job.meta.name + "-" + of.name,
                .only_one = of.row->only_count == 1 || of.row->count.empty(),
                .index_label = of.row->index_label,
                .unit_label = of.row->unit_label,
                .per_unit = static_cast<std::int32_t>(
                    std::max<std::int64_t>(1, std::min(of.pods_per_unit(), objects::kMostPods)))});
}

void Complete(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  objects::SetStatus(entry.object, {.complete = true});
  world.store.Changed(slot);
  world.NoteEnd(slot);
  world.Emit({.time = world.now,
              .type = EventType::kComplete,
              .kind = objects::KindOf(entry.object),
              .object = entry.key});
}

// Jobs of which one made the other have one name. Invalid: that one is not there.
SlotId OtherOf(const World& world, SlotId slot, std::string_view kind) {
  return world.store.Find(*FindKind(kind), world.store[slot].key);
}

// The job that has its pod sets is suspended while it is, and ends with it.
void SyncMade(World& world, SlotId slot) {
  auto& job = std::get<JobObject>(world.store[slot].object);
  const SlotId other = OtherOf(world, slot, job.row->makes.front().kind);
  if (!other.valid()) return;
  auto& made = std::get<JobObject>(world.store[other].object);
  if (jobs::MakerOf(world.store[other].object).kind != jobs::FindKind(job.row->kind)) return;
  if (made.complete() && !job.complete()) return Complete(world, slot);
  if (made.suspend == job.suspend) return;
  made.suspend = job.suspend;
  world.store.Changed(other);
  world.WantSync(other);
}

}  // namespace

void SyncJobObject(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  auto& job = std::get<JobObject>(entry.object);
  if (job.row->has_pod_sets_of_made) return SyncMade(world, slot);
  const jobs::JobKind* maker = jobs::MakerOf(entry.object).kind;
  if (maker != nullptr) {
    if (const SlotId by = OtherOf(world, slot, maker->kind()); by.valid()) world.WantSync(by);
  }
  const bool ends = !job.row->finished.succeeded.empty();
  if (ends && Runs(job) && HasSucceeded(job, *entry.owned)) Complete(world, slot);
  if (job.row->comes_in_groups()) return SyncGroups(world, slot);
  for (std::size_t set = 0; set < job.pod_sets.size(); ++set) {
    SyncPodSet(world, slot, set);
    if (!Runs(job) || !job.is_in_order()) continue;
    if (!HaveBegun(world, entry.owned->sets[set], job.pod_sets[set].count())) return;
  }
}

}  // namespace fairlead::virtual_cluster
