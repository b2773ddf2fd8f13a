#include <algorithm>
#include <string>
#include <utility>

#include "virtual/controllers.h"
#include "virtual/kubelet.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::Job;

Job& JobIn(World& world, SlotId slot) { return std::get<Job>(world.store[slot].object); }

// The name of the next pod, and for an Indexed job its index.
PodPlace NextPlace(const World& world, const Job& job, Ownership& owned) {
  PodPlace place;
  if (job.indexed) {
    place.ordinal = owned.sets.front().LowestFree();
    place.name = job.meta.name + "-" + std::to_string(place.ordinal);
    if (IsPodNameFree(world, job.meta.name_space, place.name)) return place;
  }
  const std::string stem = job.indexed ? place.name + "-" : job.meta.name + "-";
  do {
    place.name = stem + std::to_string(owned.next_number++);
  } while (!IsPodNameFree(world, job.meta.name_space, place.name));
  return place;
}

// How many pods are to run now, of which `live` do.
std::int32_t Wanted(const Job& job, std::int32_t succeeded, std::int32_t live) {
  if (job.suspend || job.complete) return 0;
  if (job.completions) {
    return std::max(0, std::min(job.parallelism, *job.completions - succeeded));
  }
  // A work queue: once one pod says that the work is done, the others end and none is added.
  return succeeded > 0 ? std::min(live, job.parallelism) : job.parallelism;
}

bool IsDone(const Job& job, std::int32_t succeeded, std::size_t active) {
  if (job.suspend || job.complete) return false;
  if (job.completions) return succeeded >= *job.completions;
  return succeeded > 0 && active == 0;
}

// Writes status.succeeded and status.active where they changed, and the end of it all.
void WriteStatus(World& world, SlotId slot, std::int32_t succeeded, std::int32_t live) {
  Entry& entry = world.store[slot];
  auto& job = std::get<Job>(entry.object);
  const bool done = IsDone(job, succeeded, entry.owned->sets.front().active.size());
  if (job.succeeded == succeeded && job.active == live && !done) return;
  job.succeeded = succeeded;
  job.active = live;
  job.complete |= done;
  world.store.Changed(slot);
  if (done) {
    world.NoteEnd(slot);
    world.Emit({.time = world.now,
                .type = EventType::kComplete,
                .kind = objects::KindOf(entry.object),
                .object = entry.key});
  }
}

}  // namespace

void SyncJob(World& world, SlotId slot) {
  const objects::OwnerReference* maker = JobIn(world, slot).meta.Controller();
  if (maker != nullptr && jobs::FindKind(maker->kind) != nullptr)
    return;  // its pods are that job's
  Ownership& owned = *world.store[slot].owned;
  OwnedSet& set = owned.sets.front();
  if (!owned.succeeded_before) {
    owned.succeeded_before = std::max(0, JobIn(world, slot).succeeded - set.succeeded);
  }
  const std::int32_t succeeded = *owned.succeeded_before + set.succeeded;
  std::int32_t live = 0;
  for (const SlotId pod : set.active) {
    Entry& entry = world.store[pod];
    if (!entry.meta().deletion_time) {
      ++live;
    } else if (JobIn(world, slot).indexed) {
      // Replaced while it goes: its index is free for the replacement.
      set.Free(std::exchange(entry.ordinal, -1));
    }
  }
  const std::int32_t wanted = Wanted(JobIn(world, slot), succeeded, live);
  for (; live < wanted; ++live) {
    const Job& job = JobIn(world, slot);
    const PodPlace place = NextPlace(world, job, owned);
    const SlotId pod = MakePod(world, slot, job.pod_template, place);
    if (place.ordinal < 0) continue;
    const std::string index = std::to_string(place.ordinal);
    objects::Meta& meta = world.store[pod].meta();
    SetLabel(meta.annotations, "batch.kubernetes.io/job-completion-index", index);
    SetLabel(meta.labels, "batch.kubernetes.io/job-completion-index", index);
  }
  if (live > wanted) {
    for (const SlotId pod : InOrderOfLeaving(world, set)) {
      if (live == wanted) break;
      TerminatePod(world, pod);
      --live;
    }
  }
  WriteStatus(world, slot, succeeded, live);
}

}  // namespace fairlead::virtual_cluster
