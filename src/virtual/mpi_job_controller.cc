#include <string>

#include "jobs/job_kind.h"
#include "virtual/controllers.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::MpiJob;

void SyncRole(World& world, SlotId slot, std::int32_t set, const MpiJob::Replicas& replicas) {
  const auto& job = std::get<MpiJob>(world.store[slot].object);
  const bool launcher = set == 0;
  const std::string role = launcher ? "launcher" : "worker";
  const jobs::JobKind& kind = *jobs::KindOf(world.store[slot].object);
  objects::PodTemplate from = replicas.pod_template;
  SetLabel(from.labels, kind.name_label(), job.meta.name);
  SetLabel(from.labels, kind.pod_set_label(), role);
  const bool runs = !job.suspend && !job.complete;
  SyncReplicas(
      world, slot,
      {.set = set,
       .wanted = runs ? replicas.replicas : 0,
       .pod_template = from,
       .stem = job.meta.name + "-" + role,
       .only_one = launcher,
       .index_label = launcher ? std::string_view() : "training.kubeflow.org/replica-index"});
}

}  // namespace

void SyncMpiJob(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  auto& job = std::get<MpiJob>(entry.object);
  if (!job.suspend && !job.complete && entry.owned->sets.front().succeeded > 0) {
    job.complete = true;
    world.store.Changed(slot);
    world.Emit({.time = world.now,
                .type = EventType::kComplete,
                .kind = objects::KindOf(entry.object),
                .object = entry.key});
  }
  SyncRole(world, slot, 0, *job.launcher);
  SyncRole(world, slot, 1, *job.worker);
}

}  // namespace fairlead::virtual_cluster
