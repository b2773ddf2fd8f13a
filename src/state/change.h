#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/rare.h"
#include "base/text.h"
#include "base/time.h"
#include "base/uid.h"
#include "objects/objects.h"
#include "objects/shared_labels.h"
#include "objects/submitter.h"
#include "state/of_daemon_set.h"
#include "state/reason.h"

// What intake tells the engine: the joined, dialect-free facts of the cluster, one value per row.
// Every change is an upsert or a removal by name; to repeat one is harmless. They may come in any
// order: a pod may name a node, a workload or a queue that is not there yet.

namespace fairlead::state {

using NeedsPtr = std::shared_ptr<const objects::PodNeeds>;  // equal needs should share one pointer

// A volume that is nobody's yet, which claims that are not bound may take.
struct VolumeChange {
  std::string name;
  std::int64_t bytes = 0;
  std::vector<std::uint64_t> wishes;  // objects::VolumeWish::number of those that it serves, sorted
  // Where it can be had: of each list one term must hold.
  std::vector<std::vector<objects::NodeSelectorTerm>> reach;
  bool operator==(const VolumeChange&) const = default;
};

// A claim that is to be bound for a pod's node, before the pod is.
struct ClaimToBind {
  std::string claim;   // its name in the pod's namespace
  std::string volume;  // that it gets; empty: one that the engine takes, or one that is made
  objects::VolumeWishPtr wish;  // null: it is bound to `volume`, or one is made for it
  bool operator==(const ClaimToBind&) const = default;
};

struct NodeChange {
  std::string name;
  objects::SharedLabels labels;
  std::vector<objects::Taint> taints;  // as the object has them; cordon and readiness are apart
  objects::SharedResources allocatable;
  bool schedulable = true;  // not cordoned
  bool ready = true;
  std::string misread_pod;  // "namespace/name" of a pod there whose resources cannot be read
  // Slots for volumes that no pod of the node uses: they become free by themselves.
  objects::ResourceList slots_leaving;
  // Not of the pool: nothing goes there, and it has no room. It is told for its labels, by which
  // pods there count for what others demand.
  bool outside = false;
};

// Whom a queue's work may ask to give way.
enum class Donors : std::uint8_t { kNobody, kLowerPriority, kAnybody };
struct Asks {
  Donors by_guarantee = Donors::kAnybody;  // reclaim within what the queue is guaranteed
  Donors by_share = Donors::kAnybody;      // reclaim beyond it, within its fair share
  // Reclaim by share: only from priorities up to this one.
  std::int32_t by_share_up_to = std::numeric_limits<std::int32_t>::max();
  bool preempts = true;  // lower priorities of the queue itself
  bool operator==(const Asks&) const = default;
};

struct QueueChange {
  std::string name;
  std::string parent;  // empty: child of the root
  objects::ResourceList guaranteed, limit;
  // Resources that neither of them names may not be used at all (`pods` aside).
  bool limits_all = false;
  std::vector<std::string> guaranteed_all;
  objects::Weight weight;
  std::int32_t priority = 0;
  std::optional<Duration> preempt_min_runtime, reclaim_min_runtime;
  RareOptional<objects::MaxLoss> max_loss;
  std::optional<Duration> repeat_protection;
  std::int32_t lend = 100;
  objects::WorkOrder order = objects::WorkOrder::kCreated;
  RareOptional<Duration> ageing;
  RareOptional<Duration> median_duration;  // as the cluster shows it
  std::vector<objects::UserLimit> user_limits;
  RareOptional<objects::QueueUsage> usage;  // as the cluster shows it
  bool active = true;
  std::string why_inactive;  // where its spec.active does not say it
  Asks asks;
  Time created;
  // What stands for it where no Queue does: "ElasticQuota a/q", "ElasticQuotas" (their parent),
  // "ClusterQueue a", "Cohort b".
  std::string derived_from;
};

// A limit of a workload's run time that is ours to keep: then all of it is stopped.
struct OwnLimit {
  enum class By : std::uint8_t { kItself, kQueue, kQueueDefault };
  Duration after;
  By by = By::kItself;
  std::string queue;  // whose it is, where it is not the work's own
  bool operator==(const OwnLimit&) const = default;
};
using RareOwnLimit = RareOptional<OwnLimit>;

// How long a workload runs, from its start time on, as far as it is known beforehand.
struct RunTime {
  std::optional<Duration> limit;     // somebody ends it then: we, its job's or its pod's deadline
  std::optional<Duration> expected;  // a guess
  // What a stop loses is at most the work since its last checkpoint: it makes one so often, or says
  // when it made one.
  std::optional<Duration> checkpoint_every;
  std::optional<Time> checkpointed_at;
  RareOwnLimit own_limit;    // `limit` or more: Kubernetes may end it before
  bool waits_again = false;  // then; else it is kept out until it is edited
  bool known() const { return limit || expected || checkpoints(); }
  bool checkpoints() const { return checkpoint_every || checkpointed_at; }
  // How long it is said to run, by whoever knows best.
  std::optional<Duration> said() const { return expected ? expected : limit; }
  // The least of what is said of that; empty: nothing is.
  std::optional<Duration> least() const {
    return limit && expected ? std::min(*limit, *expected) : said();
  }
  // What of the work since `start` a stop at `now` loses. A checkpoint that is claimed for the
  // future, or for before it started, counts for nothing.
  Duration LostSince(Time start, Time now) const {
    Duration lost = now - start;
    if (checkpoint_every) lost.us %= checkpoint_every->us;
    if (checkpointed_at && *checkpointed_at >= start && *checkpointed_at <= now) {
      lost = std::min(lost, now - *checkpointed_at);
    }
    return lost;
  }
  bool operator==(const RunTime&) const = default;
};

// What is decided about a workload as a whole. For a pod that is a workload of its own it comes
// inside its PodChange.
struct WorkloadTraits {
  std::string queue;
  std::int32_t priority = 0;
  bool preemptible = true;
  bool never_preempts = false;
  bool active = true;
  Time created;
  bool drained = false;             // its queue stops what it has admitted
  objects::SubmitterPtr submitter;  // null: nobody knows
  Rare<RunTime> run_time;
  // Since then it waits again: it was stopped, or was not active. Max(): the cluster does not show
  // yet since when.
  RareOptional<Time> waits_anew;
  std::int32_t stops = 0;     // so often others took its room
  RareOptional<Reason> hold;  // it must not start, and why (found while joining objects)
  RareOptional<objects::Reservation> reservation;  // as the cluster shows it
  RareOptional<objects::Landings> landings;        // likewise
  RareOptional<objects::Loan> loan;                // likewise
  RareOptional<Time> moved_at;                     // likewise; of a gang
};

struct PodSetChange {
  std::string name;
  std::int32_t count = 1;      // pods asked
  std::int32_t min_count = 1;  // ≤ count
  std::int32_t step = 1;       // fewer than `count` go by so many, down to min_count
  std::int32_t succeeded = 0;  // ended well: they count towards the minimum
  NeedsPtr expected_needs;    // pods that do not exist yet but will, once admitted; null: none come
  std::int32_t admitted = 0;  // what the cluster shows as admitted
};

// Something that the owner of a job should know of it.
struct JobProblem {
  std::string kind;  // of the job, which has the workload's name
  std::string code, message;
  bool operator==(const JobProblem&) const = default;
};

// Pods of one workload that are to be near each other (demands.md §7).
struct TopologyConstraint {
  static constexpr std::int32_t kNoLevel = -1;
  // Label keys, widest first. Levels are places in it; a domain is its path from the widest on.
  std::vector<std::string> levels;
  std::int32_t required = kNoLevel;   // all of them in one domain of this level
  std::int32_t preferred = kNoLevel;  // no wider than `required`: as narrow as it goes, from here
  // Pods [k·size, (k+1)·size), by index, are each in one domain of the level; size 0: no slices.
  std::int32_t slice_size = 0;
  std::int32_t slice_level = kNoLevel;
  std::vector<std::int32_t> pod_sets;  // whose pods they are: indices run through them in order
  bool restarts_when_broken = false;
  bool operator==(const TopologyConstraint&) const = default;
};

// A Workload object, a group of pods, or a Job that is one workload.
struct WorkloadChange {
  std::string name;  // "namespace/name"
  std::string kind;  // of what counts under that name, for people: "Workload", "Job", "PodGroup"
  std::string uid;
  WorkloadTraits traits;
  objects::Resize resize = objects::Resize::kAtAdmission;
  std::vector<PodSetChange> pod_sets;
  // One of all pod sets together comes first: those after it hold inside its domain.
  std::vector<TopologyConstraint> topology;
  std::optional<Time> recorded_start;  // believed only where it is possible (semantics.md §1)
  std::optional<Time> admitted_since;  // where the cluster shows it as admitted, and since when
  // Its status is to say that it is not active, or is so again, and does not yet.
  bool activity_untold = false;
  std::optional<Time> broken_since;  // … as lacking pods that cannot come back, and since when
  bool announces_admission = true;   // give `Admit` when its minimum is first placed
  bool comes_in_order = false;       // pods of later sets are made when the earlier ones run
  bool is_suspended = false;         // pods that are there are of its last run, and go
  bool leaves_whole = false;         // all of its pods go, or none: those above its minimum too
  // For those who tell of it, the engine passes them over:
  bool job_is_over = false;  // the job that it stands for says that it has succeeded or failed
  RareOptional<JobProblem> problem;
  bool shows_conditions =
      false;  // its object has conditions of how it is placed (effects/writes.h)
};

enum class PodState : std::uint8_t {
  kPending,   // not bound
  kBound,     // on a node, running or about to
  kFinished,  // succeeded or failed: takes nothing
};

// A kubelet did not take the pod that was bound to its node: it has Failed.
struct KubeletRefusal {
  NeedsPtr needs;  // as those of a pod like it that waits
  Time at;
  std::string message;
};

struct PodChange {
  Text name;  // "namespace/name"
  Uid uid;
  NeedsPtr needs;
  PodState state = PodState::kPending;
  std::string node;              // where it is bound
  std::int32_t gpu_device = -1;  // the device of a shared GPU, where known
  bool terminating = false;
  bool gated = false;    // has scheduling gates: neither placed nor requested
  bool foreign = false;  // of another scheduler: takes room, is never a victim
  OfDaemonSet of_daemon_set = OfDaemonSet::kNo;
  bool opted_out = false;  // asks to make room for a DaemonSet's pod only as the last
  bool owns_pods = false;  // a live pod has an ownerReference to it
  bool may_move = false;   // its controller makes another in its place, and it may be elsewhere
  SharedOptional<std::string> made_by;  // of a workload of its own: "KIND/NAMESPACE/NAME"
  bool is_static = false;
  std::int32_t priority = 0;
  Time created;
  std::optional<Time> scheduled_time;  // PodScheduled=True since
  std::optional<Time> reserved_time;   // NodeReserved since
  // Since when it has no scheduling gates any more. Max(): the cluster does not show it yet.
  RareOptional<Time> ungated;
  std::string nominated_node;
  std::vector<std::string> budgets;  // names of those that select it, sorted; nearly always none
  RareOptional<std::vector<ClaimToBind>> volumes;
  // It must not start although its workload may (NotInAdmittedCount).
  RareOptional<Reason> hold;
  RareOptional<KubeletRefusal> refusal;  // kFinished

  // Exactly one of these says what it belongs to (neither, for foreign pods):
  std::string workload;      // "namespace/name" of a WorkloadChange …
  std::int32_t pod_set = 0;  // … and the index of its pod set …
  // … and which of the set's pods it is, from 0 on; −1: it does not say, or nobody asks.
  std::int32_t index = -1;
  // … or it is a workload of one pod, named after itself. Pods that are alike share it.
  SharedOptional<WorkloadTraits> solo;
};

// A PodDisruptionBudget. Which pods it selects stands in their PodChanges.
struct BudgetChange {
  std::string name;                                                     // "namespace/name"
  std::optional<objects::IntOrPercent> min_available, max_unavailable;  // one of them, or neither
  std::optional<std::int32_t> status_allowed;                           // status.disruptionsAllowed
  bool operator==(const BudgetChange&) const = default;
};

// Something that the owner of an object about quota should know of it.
struct ObjectProblem {
  std::string code, message;
  bool operator==(const ObjectProblem&) const = default;
};

// An ElasticQuota, for those who write its status. The engine knows it by its queue.
struct QuotaChange {
  std::string name;                    // "namespace/name"
  std::string queue;                   // whose work uses it; empty: another of its namespace counts
  std::vector<std::string> resources;  // that its min or max names, sorted
  std::vector<ObjectProblem> problems;  // by code
  bool operator==(const QuotaChange&) const = default;
};

// What is wrong with one of Kueue's objects, for those who tell its owner: all of it, nothing once
// it is mended or gone. The engine passes it over, and knows what stands for it by its queues.
struct KueueChange {
  std::string kind;                     // "ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor"
  std::string name;                     // "name", or "namespace/name"
  std::vector<ObjectProblem> problems;  // in the order in which they are found
  bool operator==(const KueueChange&) const = default;
};

enum class RowKind : std::uint8_t {
  kNode,
  kQueue,
  kWorkload,
  kPod,
  kBudget,
  kQuota,
  kVolume,
  kWindow
};
struct Removal {
  RowKind kind = RowKind::kPod;
  std::string name;
};

// The writer could not carry out a Bind: the pod is pending again.
struct BindFailed {
  // No volume could be had for it on that node, and why.
  struct Refusal {
    std::string node;
    Time at;
    std::string message;
    bool operator==(const Refusal&) const = default;
  };
  std::string pod;
  std::optional<Refusal> refusal = std::nullopt;
};

// The writer could not evict a pod, and gave up: it stays.
struct EvictFailed {
  std::string pod;
};

// It was decided that a gang is kept out from now on, until its object says it or is edited. The
// engine tells itself.
struct KeptOut {
  std::string workload;
  RareOptional<Reason> why;  // never absent
};

// Nodes that are for nobody, or for some queues alone, for a time. Which nodes: as they are
// labelled by now.
struct WindowChange {
  RareOptional<objects::Window> window;  // never absent
};

struct ConfigurationChange {
  std::shared_ptr<const objects::SchedulerConfiguration> configuration;
};

using Change = std::variant<NodeChange, QueueChange, WorkloadChange, PodChange, Removal, BindFailed,
                            EvictFailed, ConfigurationChange, BudgetChange, QuotaChange,
                            KueueChange, VolumeChange, KeptOut, WindowChange>;
// There may be as many of them under way as there are pods.
static_assert(sizeof(PodChange) <= 336 && sizeof(Change) <= 400);

}  // namespace fairlead::state
