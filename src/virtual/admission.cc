#include <string>
#include <utility>

#include "effects/workload_status.h"
#include "jobs/job_kind.h"
#include "jobs/queued_job.h"
#include "virtual/controllers.h"

// Admission as it is carried out: on the Workload, and on the job that it stands for. As in a live
// cluster the Workload holds the original counts, and is written before the job is touched
// (semantics.md §8).

namespace fairlead::virtual_cluster {
namespace {

using jobs::JobKind;

objects::Workload& WorkloadIn(World& world, SlotId slot) {
  return std::get<objects::Workload>(world.store[slot].object);
}

// Jobs of a name, by kind.
jobs::FindJob JobsNamed(const World& world, const std::string& name) {
  return [&world, &name](std::string_view kind) -> const objects::Object* {
    const SlotId slot = world.store.Find(*FindKind(kind), name);
    return slot.valid() ? &world.store[slot].object : nullptr;
  };
}

// Of a job that waits: it asks what it asks now, whatever it asked before.
void WriteWorkloadOf(World& world, SlotId job_slot) {
  const objects::Object& job = world.store[job_slot].object;
  const JobKind& kind = *jobs::KindOf(job);
  const SlotId held = world.store.Find(kWorkloadKind, world.store[job_slot].key);
  if (held.valid() && !kind.IsSuspended(job)) return;
  const std::string& name = world.store[job_slot].key;
  objects::Workload fresh = jobs::WorkloadFor(job, kind, JobsNamed(world, name));
  if (held.valid()) {
    objects::Workload& workload = WorkloadIn(world, held);
    fresh.meta = workload.meta;
    fresh.active = workload.active;
    effects::MoveStatus(workload, fresh);
    workload = std::move(fresh);
    return;
  }
  world.Stamp(fresh.meta);
  const SlotId slot = world.store.Add(std::move(fresh));
  world.store.Insert(slot);
  StartController(world, slot);
}

void Touch(World& world, SlotId slot) {
  world.store.Changed(slot);
  world.WantSync(slot);
}

}  // namespace

SlotId JobOf(const World& world, const std::string& name) {
  const SlotId workload = world.store.Find(kWorkloadKind, name);
  const JobKind* chosen = jobs::ChooseJob(
      workload.valid() ? &world.store[workload].meta() : nullptr, JobsNamed(world, name));
  return chosen == nullptr ? SlotId() : world.store.Find(*FindKind(chosen->kind()), name);
}

bool AdmitWorkload(World& world, const effects::AdmitWorkload& admit) {
  const SlotId job = JobOf(world, admit.workload);
  if (job.valid()) WriteWorkloadOf(world, job);
  const SlotId slot = world.store.Find(kWorkloadKind, admit.workload);
  if (!slot.valid()) return false;
  objects::Workload& workload = WorkloadIn(world, slot);
  effects::Note(admit, workload.queue_name, world.now, workload);
  Touch(world, slot);
  if (!job.valid()) return true;
  objects::Object& object = world.store[job].object;
  jobs::KindOf(object)->RunWith(object, workload.admission);
  Touch(world, job);
  return true;
}

bool StopWorkload(World& world, const effects::StopWorkload& stop) {
  const SlotId job = JobOf(world, stop.workload);
  const SlotId slot = world.store.Find(kWorkloadKind, stop.workload);
  jobs::Assignments admitted, asked;
  if (slot.valid()) {
    objects::Workload& workload = WorkloadIn(world, slot);
    admitted = workload.admission;
    asked = jobs::AskedOf(workload);
    effects::NoteStopping(stop, world.now, workload);
    effects::NoteStopped(world.now, workload);
    Touch(world, slot);
  }
  if (job.valid()) {
    objects::Object& object = world.store[job].object;
    jobs::KindOf(object)->Restore(object, admitted, asked);
    Touch(world, job);
  }
  return slot.valid() || job.valid();
}

}  // namespace fairlead::virtual_cluster
