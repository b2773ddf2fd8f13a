#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.h"
#include "base/rare.h"
#include "base/time.h"
#include "intake/facts/source.h"
#include "jobs/job_kind.h"
#include "objects/objects.h"
#include "objects/stop_note.h"
#include "state/change.h"

// What single objects say that decides something, and no more: it is compared where an object comes
// again, and is all that the joins read of it.

namespace fairlead::intake {

// A moment or none, in eight bytes: every pod has two of them.
class MaybeTime {
 public:
  MaybeTime() = default;
  MaybeTime(std::optional<Time> time) : time_(time.value_or(kNone)) {}  // NOLINT
  operator std::optional<Time>() const {                                // NOLINT
    return time_ == kNone ? std::nullopt : std::optional(time_);
  }
  bool operator==(const MaybeTime&) const = default;

 private:
  static constexpr Time kNone = Time::Max();
  Time time_ = kNone;
};

struct RefusalFacts {
  Time at;
  std::string message;
  bool operator==(const RefusalFacts&) const = default;
};

// What few pods say beside.
struct RarePodFacts {
  // Of one that had scheduling gates: until when. Max(): the cluster does not show it yet.
  std::optional<Time> ungated;
  std::optional<objects::Reservation> reservation;
  std::optional<objects::Landings> landings;
  std::optional<objects::Loan> loan;
  std::optional<RefusalFacts> refusal;  // kFinished: its node's kubelet did not take it
  bool operator==(const RarePodFacts&) const = default;
};

// What the engine is told of a pod apart from the joins. A pod changed for the engine when these,
// its needs, or its family's join changed.
struct PodFacts {
  Time created;
  MaybeTime scheduled, reserved;
  NameId node = Names::kEmpty;  // where it is bound
  NameId nominated = Names::kEmpty;
  std::int32_t gpu_device = -1;
  std::int32_t index = -1;  // which of its job's pods it is; −1: it does not say
  state::PodState state = state::PodState::kPending;
  bool succeeded = false;  // kFinished: and ended well
  bool terminating = false;
  bool gated = false;
  bool gated_by_kueue = false;  // and one of its gates is Kueue's
  bool is_static = false;
  bool room_unknown = false;
  Rare<RarePodFacts> rare;
  bool operator==(const PodFacts&) const = default;
};

// A pod set of a Workload, a PodGroup or a Job.
struct PodSetFacts {
  std::string name;
  std::optional<std::int32_t> count, min_count;
  state::NeedsPtr expected;  // its template's; null: it has none
  // Of a job:
  std::int32_t step = 1;   // fewer go by so many …
  std::string unit_label;  // … and pods say by this label of which of these they are; or empty
  std::int32_t first_index = 0;  // the lowest that its pods say of themselves
  bool count_stays = false;      // admission writes none: those that it does not admit come later
  std::optional<std::int32_t> max;  // its pods come and go while it runs, so many at most
  std::int32_t left = 0;            // of `count`, those that are still to run
  objects::Labels labels;           // of its template
  std::string of_component;         // as its pods say it, where they say no pod set of the job's
  std::string scheduler;            // that its template names …
  std::string template_path;        // … and where that stands
  // What the template asks (ask_join.h), packed as in the traits of pods.
  std::string foreign, volume_claims;
  std::string topology;  // where its pods stand to each other (topology_ask.h), packed
};

// A Workload, a PodGroup, or, where no object does, what the pods of a group say of it.
struct GangFacts {
  objects::GroupApi api = objects::GroupApi::kNone;  // of a group
  bool leaves_whole = false;                         // likewise: all of its pods go, or none does
  std::string uid;
  Time created;
  std::string queue;
  std::string priority_class;  // its own, else its templates'
  std::optional<std::int32_t> priority;
  bool never_preempts = false;
  std::optional<bool> preemptible;
  bool stays_put = false;    // its pods do not move
  std::string move_invalid;  // what its annotation says of that in vain
  bool active = true;
  objects::Resize resize = objects::Resize::kAtAdmission;
  state::RunTime run_time;
  std::string run_time_invalid;  // what its annotations say of that in vain
  std::string submitter;         // as it says it (facts/submitter.h)
  std::optional<Time> waits_anew;
  std::int32_t stops = 0;
  std::optional<objects::Reservation> reservation;
  RareOptional<objects::Landings> landings;
  RareOptional<Time> moved_at;
  RareOptional<objects::Loan> loan;
  RareOptional<objects::StopNote> kept_out;  // since it ran as long as it may …
  RareOptional<Time> waits_again;            // … or since when it waits again for that
  std::vector<PodSetFacts> pod_sets;
  std::vector<objects::PodSetAssignment> admission;
  std::optional<Time> recorded_start;
  std::optional<Time> admitted_since;
  std::optional<Time> broken_since;
  bool activity_untold = false;  // its status does not say yet that it is, or is not, active
  std::string unsupported_field;
  std::string minimum_fault;  // why its minimum counts for nothing; empty: it counts
  std::string scheduler;      // that a template names; empty: none is named
  // The job that it says it stands for; null: none.
  const jobs::JobKind* owner_kind = nullptr;
  std::string owner_job, owner_uid;
  bool local_queue = false;  // `queue` names a LocalQueue where there is one
  std::string topology;      // where all of its pods stand to each other, packed
  std::string dialect_name;  // "namespace/name" of the object where the workload is named otherwise
  std::vector<std::string> passed_over;  // what it asks in vain, as field paths
  Source source;
};

// A job of some kind (job_facts.h).
struct JobFacts {
  const jobs::JobKind* kind = nullptr;
  std::string uid;
  Time created;
  std::string queue;           // named by the job itself
  bool local_queue = false;    // … as a LocalQueue, where there is one
  std::string template_queue;  // named by a template of its pods
  bool says_class = false;     // the next is named by the job itself, apart from its pods
  std::string priority_class;
  std::optional<std::int32_t> priority;
  bool never_preempts = false;
  bool preemptible = true;
  bool preemptible_itself = true;  // apart from what the job says that it made
  bool gang = false;
  bool suspend = false;
  bool let_go = false;  // it notes that a Workload let it run
  bool complete = false;
  bool ignores_disruption = false;  // a pod that was evicted is no failure of it
  state::RunTime run_time;
  std::string run_time_invalid;              // what its annotations say of that in vain
  std::string submitter;                     // as it says it (facts/submitter.h)
  std::int32_t stops = 0;                    // of its pods, where each is a workload of its own
  RareOptional<objects::StopNote> kept_out;  // likewise: none starts, as one ran as long as it may
  bool in_order = false;                     // pods of a set come when those before them run
  bool part_of_job = false;                  // another job made it, and is the one that counts
  jobs::JobRef maker;                        // … it, where its pods are that one's
  std::string cannot_suspend_for;  // a field that keeps it from being suspended; empty: none
  std::vector<PodSetFacts> pod_sets;
  std::string minimum_fault;
  std::string foreign;   // what its own keys ask, beside those of its templates
  std::string topology;  // likewise: where all of its pods stand to each other, packed
  Source source;
};

}  // namespace fairlead::intake
