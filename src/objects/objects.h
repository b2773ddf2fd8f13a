#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/rare.h"
#include "base/wide_int.h"
#include "objects/job_rows.h"
#include "objects/kueue.h"
#include "objects/landing.h"
#include "objects/meta.h"
#include "objects/pod.h"
#include "objects/pod_groups.h"
#include "objects/reservation.h"
#include "objects/selector.h"
#include "objects/topology.h"
#include "objects/volumes.h"
#include "objects/window.h"

// The Kubernetes objects that decide something, as plain values (interface.md §1).

namespace fairlead::objects {

struct Node {
  Meta meta;
  bool unschedulable = false;
  std::vector<Taint> taints;
  ResourceList allocatable;
  bool ready = true;  // condition Ready is True, or absent (a manifest without a status)
  bool operator==(const Node&) const = default;
};

struct Namespace {
  Meta meta;
  bool operator==(const Namespace&) const = default;
};

struct PriorityClass {
  Meta meta;
  std::int32_t value = 0;
  bool global_default = false;
  bool never_preempts = false;
  bool operator==(const PriorityClass&) const = default;
};

struct Job {
  Meta meta;
  bool suspend = false;
  std::int32_t parallelism = 1;
  std::optional<std::int32_t> completions;
  bool indexed = false;
  std::optional<Duration> deadline;  // activeDeadlineSeconds
  bool ignores_disruption = false;   // podFailurePolicy: a pod that was made to go is no failure
  std::optional<std::int32_t> gang_min;                // scheduling.schedulingPolicy.gang.minCount
  std::int32_t succeeded = 0, failed = 0, active = 0;  // status
  bool complete = false;                               // condition Complete or Failed
  PodTemplate pod_template;
  bool operator==(const Job&) const = default;
};

// A job of any other kind of JobRows(): its row says which fields of its document these are.
struct JobObject {
  // An object that the job makes, of which a pod set is (JobRow::components).
  struct Component {
    std::size_t at = 0;  // of the list
    std::string api_version, kind, name;
    std::string pod_set;      // of it; empty: not known
    std::string declared_at;  // where the list itself says that its template is; empty: it does not
    bool operator==(const Component&) const = default;
  };
  struct Replicas {
    const JobRow::PodSet* row = nullptr;   // never null once read
    std::optional<std::size_t> element;    // of the list that the row's paths go through
    std::string name;                      // in lower case
    CountValues counts;                    // of row->count
    std::optional<std::int64_t> min, max;  // units
    // While the job runs they come and go, up to `max`, or to any number.
    bool elastic = false;
    // Of row->sidecars, those that the template has beside its own containers.
    std::vector<std::optional<ResourceList>> sidecars;
    RareOptional<Component> component;
    std::size_t template_at = 0;  // of row->pod_template
    PodTemplate pod_template;
    std::string template_path;

    std::int64_t units() const { return UnitsOf(*row, counts); }
    std::int64_t pods_per_unit() const { return PodsPerUnitOf(*row, counts); }
    // Of pods, kMostPods at most: more is a fault when it is read.
    std::int32_t count() const {
      return static_cast<std::int32_t>(std::min(units() * pods_per_unit(), kMostPods));
    }
    void SetUnits(std::int64_t units) { counts[WrittenValue(*row)] = units; }
    bool count_writable() const { return row->count_writable && !component; }
    bool operator==(const Replicas&) const = default;
  };
  explicit JobObject(const JobRow& of) : row(&of) {}
  const JobRow* row;           // never null
  std::size_t version_at = 0;  // of row->versions: the one that it was read in
  Meta meta;
  bool suspend = false;
  std::string priority_class;         // …
  std::size_t priority_class_at = 0;  // … at which of row->priority_class
  std::optional<std::int64_t> min_total;
  std::optional<std::int64_t> groups;
  std::string order;  // what its field of row->order holds
  std::optional<Duration> deadline;
  bool suspends_if = true;         // its field of row->suspends_if
  std::vector<Replicas> pod_sets;  // those that are there, in the row's order
  // How it ended, as its status says it (a condition's type, or the row's value); empty: not yet.
  std::string ended;
  bool complete() const { return !ended.empty(); }
  // Pods of a set come when those of the sets before it run.
  bool is_in_order() const;
  const std::string& api_version() const { return row->api_versions[version_at]; }
  bool operator==(const JobObject&) const = default;
};

struct DaemonSet {
  Meta meta;
  PodTemplate pod_template;
  bool operator==(const DaemonSet&) const = default;
};

struct IntOrPercent {
  std::int64_t value = 0;
  bool percent = false;
  bool operator==(const IntOrPercent&) const = default;
};

struct PodDisruptionBudget {
  Meta meta;
  LabelSelector selector;
  bool selects_nothing = false;  // no selector: selects nothing (policy/v1: empty selects all)
  std::optional<IntOrPercent> min_available, max_unavailable;
  std::optional<std::int32_t> disruptions_allowed;  // status
  bool operator==(const PodDisruptionBudget&) const = default;
};

// scheduler-plugins' quota: what a namespace is sure of, and what it may reach.
struct ElasticQuota {
  Meta meta;
  ResourceList min;  // absent resource: 0
  ResourceList max;  // absent resource: no limit
  // status
  ResourceList used;
  std::vector<Condition> conditions;
  bool operator==(const ElasticQuota&) const = default;
};

// What the pods of a namespace may ask together, whether they run or not: refused beyond it when
// they are made. Of interest only for what an ElasticQuota allows beside it.
struct ResourceQuota {
  Meta meta;
  ResourceList hard;  // of requests: "requests.cpu" and "cpu" are cpu, the smaller counts
  std::vector<std::string> scopes;  // not empty: it is for some of the namespace's pods only
  bool operator==(const ResourceQuota&) const = default;
};

// Share of the surplus in thousandths, 0: none by right; a default and exceptions by resource.
struct Weight {
  std::int64_t milli = 1000;
  ResourceList by_resource;
  std::int64_t Of(std::string_view resource) const;
  bool operator==(const Weight&) const = default;
};

// How much work of other queues may be lost for work that waits, as a multiple of what it asks
// (time.md §5.1): grace + waited_percent × the time that it has waited.
struct LossBound {
  Duration grace;
  std::int32_t waited_percent = 0;   // 0 … 100'000
  std::optional<Duration> deadline;  // within a guarantee: no bound once it has waited so long
  bool operator==(const LossBound&) const = default;
};
// By the right on which it reclaims. Absent: no bound.
struct MaxLoss {
  std::optional<LossBound> by_guarantee, by_share;
  bool operator==(const MaxLoss&) const = default;
};

// Of work of one priority in a queue (policy/queue_order.h).
enum class WorkOrder : std::uint8_t { kCreated, kShortestFirst };

// What each user or group may have in a queue and below it, or each of those that are named
// (time.md §7).
struct UserLimit {
  enum class Each : std::uint8_t { kNamed, kUser, kGroup };
  Each each = Each::kNamed;
  std::vector<std::string> users, groups;                // of kNamed
  ResourceList max;                                      // absent resource: no limit
  std::optional<std::int32_t> max_running, max_waiting;  // workloads
  bool operator==(const UserLimit&) const = default;
};

// What a queue used by `at`, in amounts × seconds, of which the older counts for less (time.md §7).
struct QueueUsage {
  Time at;
  std::vector<std::pair<std::string, WideInt>> resources;  // sorted by name
  bool operator==(const QueueUsage&) const = default;
};

struct Queue {
  Meta meta;
  std::string parent;                       // empty: child of the root
  ResourceList guaranteed;                  // absent resource: 0
  ResourceList limit;                       // absent resource: no limit
  std::vector<std::string> guaranteed_all;  // resources of which all that the parent has is
                                            // guaranteed (KAI's quota of -1)
  Weight weight;
  std::int32_t priority = 0;
  std::optional<Duration> preempt_min_runtime, reclaim_min_runtime;  // absent: inherit
  std::optional<MaxLoss> max_loss;                                   // likewise
  std::optional<Duration> repeat_protection;                         // likewise
  std::int32_t lend = 100;  // percent of guarantees unused below it that others may use
  WorkOrder order = WorkOrder::kCreated;
  std::optional<Duration> ageing;  // of kShortestFirst; absent: 24h
  // How long its work runs at most, and how long work that does not say it. Absent: inherit.
  std::optional<Duration> max_run_time, default_run_time;
  std::vector<UserLimit> limits;
  bool active = true;
  std::optional<QueueUsage> usage;  // status, as the next
  // How long work of it runs that says nothing: the half of what succeeded of late ran longer.
  std::optional<Duration> median_duration;
  std::string dialect_kind;  // set by a dialect: the kind it came from ("KAI Queue")
  bool operator==(const Queue&) const = default;
};

enum class Resize : std::uint8_t { kAtAdmission, kAnytime };

// What becomes of work that has run as long as it may: it is kept out until it is edited, or waits
// again.
enum class OnRunTimeLimit : std::uint8_t { kStop, kRequeue };
inline constexpr std::pair<std::string_view, OnRunTimeLimit> kOnRunTimeLimits[] = {
    {"Stop", OnRunTimeLimit::kStop}, {"Requeue", OnRunTimeLimit::kRequeue}};

struct PodSet {
  std::string name = "main";
  std::optional<std::int32_t> count;        // absent only in a PodGroup: as many pods as join
  std::optional<std::int32_t> min_count;    // absent: = count
  std::optional<PodTemplate> pod_template;  // scheduler_name empty: the configured one
  std::optional<TopologyConstraint> topology;
  bool operator==(const PodSet&) const = default;
};

struct PodSetAssignment {
  std::string name;
  std::int32_t count = 0;
  ResourceList usage;  // all that its pods ask together, when it was admitted
  Labels flavors;      // resource → Kueue's ResourceFlavor
  bool operator==(const PodSetAssignment&) const = default;
};

inline constexpr std::string_view kBrokenCondition = "Broken";  // of a Workload
inline constexpr std::string_view kMovedCondition = "Moved";    // likewise
inline constexpr std::string_view kInactiveCondition =
    "Inactive";  // likewise: spec.active is false

struct Workload {
  Meta meta;
  std::string queue_name;
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  std::optional<bool> preemptible;  // absent: true (a dialect may decide by priority)
  bool active = true;
  Resize resize = Resize::kAtAdmission;
  std::optional<Duration> expected_duration;
  std::optional<Duration> max_run_time;
  OnRunTimeLimit on_run_time_limit = OnRunTimeLimit::kStop;
  std::vector<PodSet> pod_sets;
  std::optional<TopologyConstraint> topology;  // of all pod sets together
  // status
  std::vector<PodSetAssignment> admission;  // empty: not admitted
  std::string admission_queue;
  std::optional<Time> start_time;
  std::optional<Time> preempt_protected_until, reclaim_protected_until;  // protectedUntil
  std::int32_t stops = 0;  // so often others took its room, since it last ran for a day
  std::optional<Reservation> reservation;
  Landings landings;                  // of those who moved for it
  std::vector<Condition> conditions;  // Admitted, Running, Finished, Evicted, …
  std::string dialect_kind;           // set by a dialect: the kind it came from
  // A demand of the dialect's object that is not honoured yet, as a field path; empty: none. Such
  // a workload waits and says so.
  std::string unsupported_field;
  std::vector<std::string> passed_over;  // what does not keep it from running, as field paths
  // Since when its condition Admitted is true; absent: it is not, or does not say.
  std::optional<Time> AdmittedSince() const;
  // Since when it waits again: it was stopped, or, as its condition Inactive says, is active again.
  std::optional<Time> WaitsAnewSince() const;
  // Whether its condition Inactive is true.
  bool ShowsInactive() const;
  // Since when its condition Broken is true: pods that it lost cannot come back.
  std::optional<Time> BrokenSince() const;
  // When it was moved the last time.
  std::optional<Time> MovedAt() const;
  // What its condition OnLoan says, where that is true.
  std::optional<Loan> OnLoan() const;
  bool operator==(const Workload&) const = default;
};

// A group of pods that have an object: they join it by naming it, wait for its minimum, and may be
// more. Read from the kinds PodGroup of several systems, and written back as its own.
struct PodGroup {
  GroupApi api = GroupApi::kNative;  // never kNone, nor kKueuePods
  std::string_view api_version;      // of RowOf(api).api_versions
  Meta meta;
  std::string queue_name;  // empty: as its labels or its pods say
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  bool never_preempts = false;
  std::optional<bool> preemptible;             // absent: as its api has it
  std::vector<PodSet> pod_sets;                // without counts and templates; one at least
  std::optional<TopologyConstraint> topology;  // of all of them together
  bool leaves_whole = false;                   // disruptionMode: all of its pods go, or none does
  bool basic = false;                          // schedulingPolicy: pod by pod, its minimum is one
  std::optional<Time> start_time;              // KAI's record of it
  std::vector<Condition> conditions;           // of its status, where it is the native one
  // A demand that is not honoured yet, as a field path; empty: none. Such a group waits and says
  // so.
  std::string unsupported_field;
  std::vector<std::string> passed_over;  // what does not keep it from running, as field paths
  bool operator==(const PodGroup&) const = default;
};

// Which of the nodes that fit is taken (policy/placement.h).
enum class NodeChoice : std::uint8_t {
  kBinpack,
  kSpread,
  kRandom,
  kBestFit,
  kDotProduct,
  kClustering,
  kPacking,
  kFgd,
  kFragmentation
};
// As a SchedulerConfiguration says them.
inline constexpr std::pair<std::string_view, NodeChoice> kNodeChoices[] = {
    {"binpack", NodeChoice::kBinpack},
    {"spread", NodeChoice::kSpread},
    {"random", NodeChoice::kRandom},
    {"bestFit", NodeChoice::kBestFit},
    {"dotProduct", NodeChoice::kDotProduct},
    {"clustering", NodeChoice::kClustering},
    {"packing", NodeChoice::kPacking},
    {"fgd", NodeChoice::kFgd},
    {"fragmentation", NodeChoice::kFragmentation}};
std::string_view ToString(NodeChoice choice);
// Whether it asks which pods are expected.
bool NeedsTypicalPods(NodeChoice choice);

// When preferences decide between nodes that fit (policy/preference.h).
enum class PreferenceOrder : std::uint8_t { kFirst, kTie, kOff };
inline constexpr std::pair<std::string_view, PreferenceOrder> kPreferenceOrders[] = {
    {"first", PreferenceOrder::kFirst},
    {"tie", PreferenceOrder::kTie},
    {"off", PreferenceOrder::kOff}};
std::string_view ToString(PreferenceOrder order);

// What `count` of the pods that are expected ask for: placement by fragmentation keeps room usable
// for them. Labels are those that a node must carry; none: any node.
struct TypicalPod {
  std::int64_t count = 1;
  std::int64_t cpu_milli = 0;
  std::int32_t gpus = 0;       // whole devices
  std::int32_t gpu_milli = 0;  // a share of one, where `gpus` is 0
  std::vector<Requirement> node_labels;
  bool operator==(const TypicalPod&) const = default;
};

enum class Reduction : std::uint8_t { kProportional, kOrdered };
enum class ReclaimResolve : std::uint8_t { kLca, kQueue };
// Whether disruption budgets bind for what a queue has above its guarantee.
enum class OnBorrowedRoom : std::uint8_t { kBind, kYield };
enum class VictimSelection : std::uint8_t { kSingle, kMultiple };

// What queues used counts when what is left over is divided (time.md §7).
struct UsageOverTime {
  Duration half_life = Duration::Seconds(std::int64_t{7} * 86'400);
  std::int32_t influence_milli = 0;
  bool operator==(const UsageOverTime&) const = default;
};

struct SchedulerConfiguration {
  Meta meta;  // only its source is used
  std::string scheduler_name = "fairlead";
  std::string default_queue = "default";
  Labels node_selector;
  NodeChoice gpu_placement = NodeChoice::kBinpack;
  NodeChoice cpu_placement = NodeChoice::kSpread;
  PreferenceOrder preferences = PreferenceOrder::kFirst;
  std::int64_t placement_seed = 0;       // of NodeChoice::kRandom
  std::vector<TypicalPod> typical_pods;  // of NeedsTypicalPods
  Duration preempt_min_runtime, reclaim_min_runtime;
  ReclaimResolve reclaim_resolve = ReclaimResolve::kLca;
  struct PartialAdmission {
    bool enabled = true;
    Reduction reduce = Reduction::kProportional;
    bool fill = true;
    bool operator==(const PartialAdmission&) const = default;
  } partial_admission;
  Duration pods_timeout = Duration::Seconds(300);
  struct DaemonSetPreemption {
    bool enabled = true;
    Duration start_delay = Duration::Seconds(30);
    std::vector<VictimSelection> victim_selection = {VictimSelection::kMultiple};
    std::int32_t single_max_deviation_percent = 20;
    std::int32_t multiple_max_victims = 10;
    bool respect_min_runtime = true;
    std::optional<LabelSelector> name_spaces;  // whose DaemonSets are trusted; absent: kube-system
                                               // and those labelled as infrastructure
    bool operator==(const DaemonSetPreemption&) const = default;
  } daemon_set_preemption;
  OnBorrowedRoom budgets_on_borrowed_room = OnBorrowedRoom::kBind;
  Duration max_grace_period = Duration::Seconds(3600);  // of evictions; ≥ 1 s
  bool reclaim_enabled = true;
  std::optional<MaxLoss> max_loss;  // absent: no bound
  Duration repeat_protection;       // from reclaim, of what was stopped once
  std::int32_t lend = 100;          // as a Queue's, of the root
  bool preempt_enabled = true;
  // Room that large work waits for (time.md §2).
  struct Backfill {
    std::int32_t reservations = 8;  // at once; 0: none
    Duration after = Duration::Seconds(600);
    Duration drain_after = Duration::Seconds(7200);
    std::int32_t max_drained_percent = 10;  // 0: no node is drained
    bool operator==(const Backfill&) const = default;
  } backfill;
  // Work is moved, so that other work has room (time.md §6).
  struct Consolidation {
    bool enabled = false;
    Duration cooldown = Duration::Seconds(3600);  // who started or moved stays as long, at least
    std::optional<MaxLoss> max_loss;              // of moves; absent: as of reclaim
    bool operator==(const Consolidation&) const = default;
  } consolidation;
  Duration stale_gang_grace = Duration::Seconds(600);  // of gangs that are to start anew
  std::optional<UsageOverTime> usage;                  // absent: it is not kept
  std::vector<JobRow> job_kinds;  // beside the built-in ones; known from the start on (AddJobKinds)
  bool operator==(const SchedulerConfiguration&) const = default;
};

using Object =
    std::variant<Node, Pod, Namespace, PriorityClass, Job, DaemonSet, PodDisruptionBudget, Queue,
                 Workload, SchedulerConfiguration, ElasticQuota, ResourceQuota, JobObject,
                 ClusterQueue, Cohort, LocalQueue, ResourceFlavor, PersistentVolumeClaim,
                 PersistentVolume, StorageClass, CSINode, VolumeAttachment, CSIDriver,
                 CSIStorageCapacity, PodGroup, Topology, Window, WorkloadPriorityClass, HyperNode>;

std::string_view KindOf(const Object& object);  // "Node", "Pod", …
// The same, but "PodGroup.GROUP" (pod_groups.h), and "Topology.GROUP" where that is not our own.
std::string_view QualifiedKindOf(const Object& object);
// Of `kind` in an API group.
std::string_view QualifiedKind(std::string_view kind, std::string_view group);
// By the variant's order; empty for jobs, whose rows name them.
std::span<const std::string_view> KindNames();

// What a job's controller reports of it. REQUIRES: the object is a job of some kind.
struct JobStatus {
  std::int32_t succeeded = 0, failed = 0, active = 0;  // of batch/v1 Job alone
  bool complete = false;
};
JobStatus StatusOf(const Object& job);
void SetStatus(Object& job, const JobStatus& status);

const Meta& MetaOf(const Object& object);
Meta& MetaOf(Object& object);

}  // namespace fairlead::objects
