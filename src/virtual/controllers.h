#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effects/writes.h"
#include "virtual/ownership.h"
#include "virtual/world.h"

// The controllers that own pods, as far as a scheduler can tell them from the real ones.
//
// Job        min(parallelism, completions − succeeded) pods, named JOB-0, JOB-1, … on and on; an
//            Indexed one's JOB-INDEX, its replacement JOB-INDEX-NUMBER. Without completions: no new
//            pods once one has succeeded, complete when the last has ended. Suspended: none; those
//            it has go. A pod on its way out is replaced at once.
// JobObject  for every pod set as many pods as it says, NAME-PODSET-INDEX, or NAME-PODSET where
//            there is never another; complete when those of the sets that end the job have
//            succeeded, all sets where none does: then the others go. Suspended: none; those it has
//            go. One that is let go by its pods makes them at once, in its groups, NAME-GROUP and
//            NAME-GROUP-INDEX; where it has an order, those of a set when those before it run. A
//            group that loses a pod to an eviction or a deletion goes, and is made anew.
// DaemonSet  one pod for every node that its template's selector, affinity and tolerations, the
//            standard ones with them, admit, named DAEMONSET-NODE and pinned by matchFields
//            metadata.name. Its pods never end.
// Workload   for every pod set with a template as many pods as status.admission says, named
//            WORKLOAD-PODSET-INDEX, lowest free index first; one that goes is replaced when it is
//            gone, one that succeeded is not.
// A name that is taken is passed over.

namespace fairlead::virtual_cluster {

bool IsController(std::size_t kind);

// An owner appeared, or was replaced by a submission.
void StartController(World& world, SlotId owner);

// Lets every controller look at what it asked to look at, until none has more to do.
void SyncControllers(World& world);

// The job that the Workload of that name stands for; where there is no Workload, the one that would
// get it. Invalid: none.
SlotId JobOf(const World& world, const std::string& workload);

// Carry out an admission, or the end of one, of a Workload or a job (or both: the Workload that
// stands for a job, which is written first where it is not there yet). False: there is neither.
bool AdmitWorkload(World& world, const effects::AdmitWorkload& admit);
bool StopWorkload(World& world, const effects::StopWorkload& stop);

// Takes an object that owns pods out of the store and sends its pods away.
void RemoveOwner(World& world, SlotId owner);

// Takes an object whose work is done out of the store, and its pods that have finished.
void ForgetOwner(World& world, SlotId owner);

// One look each (job_controller.cc, job_object_controller.cc, job_groups_controller.cc,
// daemon_set_controller.cc, workload_controller.cc).
void SyncJob(World& world, SlotId job);
void SyncJobObject(World& world, SlotId job);
void SyncGroups(World& world, SlotId job);  // of one that is let go by its pods
void SyncDaemonSet(World& world, SlotId daemon_set);
void SyncWorkload(World& world, SlotId workload);

// A job that is let go by its pods: how many groups it makes, 1 where its kind has none, and how
// many pods these come to.
std::int64_t GroupsOf(const objects::JobObject& job);
std::int64_t PodsOfGroups(const objects::JobObject& job);
// Where a pod stands that was submitted, as its labels and its name say it; ordinal −1: at no place
// of its own. None: it is of no group that the job has, or of no pod set.
struct GroupPlace {
  std::int32_t set = 0;  // of Ownership::sets
  std::int32_t ordinal = -1;
};
std::optional<GroupPlace> PlaceInGroups(const objects::JobObject& job, const objects::Meta& pod);

// Of `set`, not on their way out: unbound ones first, then the youngest first where that is the
// owner's rule, then by name, from the last.
enum class Leaving : std::uint8_t { kByName, kYoungestFirst };
std::vector<SlotId> InOrderOfLeaving(const World& world, const OwnedSet& set,
                                     Leaving rule = Leaving::kByName);

// Makes or sends away pods until there are `wanted` of the set; one that succeeded is not replaced,
// and one that is on its way out keeps its place until it is gone.
struct Replicas {
  std::int32_t set = 0;
  std::int32_t wanted = 0;
  const objects::PodTemplate& pod_template;
  std::string stem;                  // of their names: STEM-INDEX
  bool only_one = false;             // STEM
  std::string_view index_label;      // that holds the index; empty: none
  std::string_view unit_label = {};  // that holds the index of its unit, of so many pods; likewise
  std::int32_t per_unit = 1;
  Leaving leaving = Leaving::kByName;
};
void SyncReplicas(World& world, SlotId owner, const Replicas& replicas);
// Whether so many of the set run or have succeeded: those that come after it may come.
bool HaveBegun(const World& world, const OwnedSet& set, std::int32_t count);

// Makes a pod of `owner` from a template and shows it; the name must be free.
struct PodPlace {
  std::string name;
  std::int32_t set = 0;
  std::int32_t ordinal = -1;
};
SlotId MakePod(World& world, SlotId owner, const objects::PodTemplate& pod_template,
               const PodPlace& place);
bool IsPodNameFree(const World& world, std::string_view name_space, std::string_view name);

}  // namespace fairlead::virtual_cluster
