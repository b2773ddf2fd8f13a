#include <algorithm>
#include <string>

#include "virtual/controllers.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::JobObject;
using objects::JobRow;

bool HasSucceeded(const JobObject& job, const Ownership& owned) {
  const auto& sets = job.row->pod_sets;
  const bool some_end_it = std::ranges::any_of(sets, &JobRow::PodSet::ends_job);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (some_end_it && !sets[i].ends_job) continue;
    if (owned.sets[i].succeeded < job.pod_sets[i].count) return false;
  }
  return true;
}

void SyncPodSet(World& world, SlotId slot, std::size_t set) {
  const auto& job = std::get<JobObject>(world.store[slot].object);
  const JobRow::PodSet& row = job.row->pod_sets[set];
  objects::PodTemplate from = job.pod_sets[set].pod_template;
  const auto name = [&from](const std::string& label, const std::string& value) {
    if (!label.empty()) SetLabel(from.labels, label, value);
  };
  name(job.row->job_label, job.meta.name);
  name(job.row->pod_set_label, row.name);
  const bool runs = !job.suspend && !job.complete;
  SyncReplicas(world, slot,
               {.set = static_cast<std::int32_t>(set),
                .wanted = runs ? job.pod_sets[set].count : 0,
                .pod_template = from,
                .stem = job.meta.name + "-" + row.name,
                .only_one = row.only_count == 1,
                .index_label = row.index_label});
}

}  // namespace

void SyncJobObject(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  auto& job = std::get<JobObject>(entry.object);
  if (!job.suspend && !job.complete && HasSucceeded(job, *entry.owned)) {
    job.complete = true;
    world.store.Changed(slot);
    world.Emit({.time = world.now,
                .type = EventType::kComplete,
                .kind = objects::KindOf(entry.object),
                .object = entry.key});
  }
  for (std::size_t set = 0; set < job.pod_sets.size(); ++set) SyncPodSet(world, slot, set);
}

}  // namespace fairlead::virtual_cluster
