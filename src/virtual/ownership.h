#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jobs/job_kind.h"
#include "virtual/slot.h"
#include "virtual/world.h"

namespace fairlead::virtual_cluster {

// The pods of one pod set (a Job and a DaemonSet have one, other jobs those of their row).
struct OwnedSet {
  std::vector<SlotId> active;       // stored and not finished, terminating ones included
  std::vector<bool> used;           // by ordinal: an active or a succeeded pod has it
  std::size_t first_free_hint = 0;  // no ordinal below it is free
  std::int32_t succeeded = 0;       // owned pods that have succeeded
  // What checkpoints saved of pods that were stopped: those that come in their place go on there.
  std::vector<Duration> saved;

  std::int32_t LowestFree();  // the lowest ordinal that is not used
  void Use(std::int32_t ordinal);
  void Free(std::int32_t ordinal);
};

// What a controller remembers of its object.
struct Ownership {
  std::vector<OwnedSet> sets;

  // Of a job: what admission may change of it, as it was submitted.
  jobs::Written submitted;

  // Where what has ended is forgotten: pods that are to be forgotten with it.
  std::vector<Handle> finished;

  // Of a Job: its pods are numbered on and on.
  std::int32_t next_number = 0;
  std::optional<std::int32_t> succeeded_before;  // of status.succeeded: pods never seen here

  // Of a DaemonSet: its pod for each node.
  std::map<std::string, SlotId, std::less<>> by_node;
};

// Who owns what, kept as pods come, end and go. An owner is the job, DaemonSet or Workload that a
// pod's controller reference names; a pod without one that carries a Workload's label is owned by
// it where its pod set has a template. Uids are not compared: manifests rarely have them.

// A pod appeared: finds its owner, or remembers it for when that comes.
void AttachPod(World& world, SlotId pod);
// An owner appeared: takes the pods that waited for it.
void AttachOwner(World& world, SlotId owner);
// A pod finished, or left the store. Its owner will look after it.
void PodFinished(World& world, SlotId pod);
void PodLeft(World& world, SlotId pod);

}  // namespace fairlead::virtual_cluster
