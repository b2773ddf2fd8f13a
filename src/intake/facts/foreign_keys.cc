#include "intake/facts/foreign_keys.h"

#include <algorithm>
#include <array>

// Names and meanings are those of the systems' documents and sources in 2026. Plain names ("queue")
// are in no namespace: only those that stand here count.

namespace fairlead::intake {
namespace {

using enum KeyAsks;
using enum KeyPlace;

constexpr std::string_view kUseGang =
    "give its Job the label fairlead.dev/queue and `suspend: true`, or "
    "fairlead.dev/gang: \"true\"; or use a Workload and the label fairlead.dev/workload";
constexpr std::string_view kUseQueue = "use the label fairlead.dev/queue";
constexpr std::string_view kUseClass = "use spec.priorityClassName of the pods";
constexpr std::string_view kUsePreemptible = "use the label fairlead.dev/preemptible: \"false\"";
constexpr std::string_view kUseTopology = "use fairlead.dev/topology-required";
constexpr std::string_view kUseSlices =
    "use kueue.x-k8s.io/podset-slice-required-topology and kueue.x-k8s.io/podset-slice-size";
constexpr std::string_view kUseBudget = "use a PodDisruptionBudget";
constexpr std::string_view kUseUser = "use fairlead.dev/user";
constexpr std::string_view kUseBoundQueue =
    "write a Queue with that `limit`, and label the namespace `fairlead.dev/queue: QUEUE`";
constexpr std::string_view kUseShare = "use one share, or whole devices as nvidia.com/gpu";

constexpr std::string_view kGroup = "a group of pods that starts together";
constexpr std::string_view kDomain = "all of its pods in one domain of a topology";
constexpr std::string_view kSlices = "each slice of its pods in one domain of a topology";
constexpr std::string_view kNear = "its pods near each other, where that goes";
constexpr std::string_view kQueueOf = "a queue";
constexpr std::string_view kQuotaOf = "a limit of its namespace";
constexpr std::string_view kNone = {};

constexpr ForeignKey kRows[] = {
    {"applicationId", kLabel, kNothing, "an application of YuniKorn", kNone},
    {"gpu-fraction", kAnnotation, kKept, "a share of one device"},
    {"gpu-fraction-container-name", kAnnotation, kNothing, "which container gets the share"},
    {"gpu-fraction-num-devices", kAnnotation, kDemand, "a share of several devices", kUseShare,
     "1"},
    {"gpu-fraction.limit", kAnnotation, kNothing, "how far it may go beyond its share"},
    {"gpu-memory", kAnnotation, kKept, "a share of one device, by its memory"},
    {"gpu-memory.limit", kAnnotation, kNothing, "how far it may go beyond its share"},
    {"gpu-sm-cores", kAnnotation, kNothing, "a part of a device's cores"},
    {"gpu-sm-percentage", kAnnotation, kNothing, "a part of a device's cores"},
    {"kai.scheduler/batch-min-member", kAnnotation, kDemand, kGroup, kUseGang, "0 1", MetBy::kGang},
    {"kai.scheduler/ignore-workload-api", kEither, kRecord, kNone},
    {"kai.scheduler/last-eviction-timestamp", kAnnotation, kRecord, kNone},
    {"kai.scheduler/last-start-timestamp", kAnnotation, kKept, "when it started"},
    {"kai.scheduler/min-member", kAnnotation, kDemand, kGroup, kUseGang, "0 1", MetBy::kGang},
    {"kai.scheduler/node-pool", kLabel, kDemand, "nodes of one pool", "use a nodeSelector"},
    {"kai.scheduler/numa-memory-groups-observed", kAnnotation, kRecord, kNone},
    {"kai.scheduler/numa-memory-groups-predicted", kAnnotation, kRecord, kNone},
    {"kai.scheduler/numa-placement-observed", kAnnotation, kRecord, kNone},
    {"kai.scheduler/numa-placement-predicted", kAnnotation, kRecord, kNone},
    {"kai.scheduler/preemptibility", kLabel, kDemand, "protection from preemption", kUsePreemptible,
     "preemptible", MetBy::kGang},
    {"kai.scheduler/preemption-delay", kAnnotation, kNothing, "a delay before it is preempted",
     "use preemptMinRuntime of its queue"},
    {"kai.scheduler/queue", kLabel, kKept, kQueueOf},
    {"kai.scheduler/segment-size", kAnnotation, kKept, "the size of a slice of its pods"},
    {"kai.scheduler/segment-topology-preferred-placement", kAnnotation, kNothing, kNear},
    {"kai.scheduler/segment-topology-required-placement", kAnnotation, kKept, kSlices},
    {"kai.scheduler/skip-podgrouper", kAnnotation, kRecord, kNone},
    {"kai.scheduler/stale-podgroup-timestamp", kAnnotation, kRecord, kNone},
    {"kai.scheduler/subgroup-name", kLabel, kOfPods, "a group within its group"},
    {"kai.scheduler/top-owner-metadata", kAnnotation, kRecord, kNone},
    {"kai.scheduler/topology", kAnnotation, kKept, "a topology"},
    {"kai.scheduler/topology-preferred-placement", kAnnotation, kKept, kNear},
    {"kai.scheduler/topology-required-placement", kAnnotation, kKept, kDomain},
    {"kueue.x-k8s.io/component-workload-index", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/elastic-job", kAnnotation, kNothing, "to grow while it runs",
     "use a Workload with resize: Anytime", "false"},
    {"kueue.x-k8s.io/elastic-job-scale-up-strategy", kAnnotation, kNothing, "to grow while it runs",
     "use a Workload with resize: Anytime"},
    {"kueue.x-k8s.io/is-group-workload", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/job-completions-equal-parallelism", kAnnotation, kKept, "fewer completions"},
    {"kueue.x-k8s.io/job-min-parallelism", kAnnotation, kKept, "fewer pods"},
    {"kueue.x-k8s.io/job-owner-gvk", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/job-owner-name", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/job-uid", kLabel, kRecord, kNone},
    {"kueue.x-k8s.io/managed", kLabel, kRecord, kNone},
    {"kueue.x-k8s.io/max-exec-time-seconds", kLabel, kKept, "its end after some time"},
    {"kueue.x-k8s.io/multikueue-origin", kLabel, kRecord, kNone},
    {"kueue.x-k8s.io/multikueue-origin-uid", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/original-node-selectors", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/original-pod-sets-info", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/parent-workload", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/pod-group-fast-admission", kAnnotation, kNothing,
     "its group to be admitted with its first pod"},
    {"kueue.x-k8s.io/pod-group-name", kLabel, kOfPods, kGroup},
    {"kueue.x-k8s.io/pod-group-pod-index", kLabel, kRecord, kNone},
    {"kueue.x-k8s.io/pod-group-pod-index-label", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/pod-group-serving", kAnnotation, kNothing, "a group that serves"},
    {"kueue.x-k8s.io/pod-group-total-count", kAnnotation, kOfPods, "the size of its group"},
    {"kueue.x-k8s.io/pod-index-offset", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/pod-suspending-parent", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/podset", kLabel, kRecord, kNone},
    {"kueue.x-k8s.io/podset-group-name", kAnnotation, kOfPods, "pod sets near each other"},
    {"kueue.x-k8s.io/podset-preferred-topology", kAnnotation, kOfPods, kNear},
    {"kueue.x-k8s.io/podset-required-topology", kAnnotation, kOfPods, kDomain},
    {"kueue.x-k8s.io/podset-slice-required-topology", kAnnotation, kOfPods, kSlices},
    {"kueue.x-k8s.io/podset-slice-required-topology-constraints", kAnnotation, kDemand,
     "slices within slices", kUseSlices},
    {"kueue.x-k8s.io/podset-slice-size", kAnnotation, kOfPods, "the size of a slice of its pods"},
    {"kueue.x-k8s.io/podset-unconstrained-topology", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/prebuilt-workload-name", kLabel, kDemand, "a Workload that is there already",
     "leave it out: the Job gets a Workload of its own"},
    {"kueue.x-k8s.io/priority-class", kLabel, kKept, "a priority"},
    {"kueue.x-k8s.io/queue-name", kLabel, kKept, kQueueOf},
    {"kueue.x-k8s.io/retriable-in-group", kAnnotation, kNothing, "an end of its group"},
    {"kueue.x-k8s.io/role-hash", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/workload", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/workload-slice-name", kAnnotation, kRecord, kNone},
    {"kueue.x-k8s.io/workload-slice-replacement-for", kAnnotation, kRecord, kNone},
    {"mps", kAnnotation, kNothing, "a device shared by MPS"},
    {"pod-group-name", kAnnotation, kOfPods, kGroup},
    {"pod-group.scheduling.sigs.k8s.io", kLabel, kOfPods, kGroup},
    {"pod-group.scheduling.sigs.k8s.io/min-available", kLabel, kRecord, kNone},
    {"pod-group.scheduling.sigs.k8s.io/name", kLabel, kDemand, kGroup, kUseGang, kNone,
     MetBy::kGang},
    {"priorityClassName", kLabel, kDemand, "another priority than its spec", kUseClass, kNone,
     MetBy::kGang},
    {"provreq.kueue.x-k8s.io/", kAnnotation, kNothing, "a parameter of a ProvisioningRequest"},
    {"queue", kLabel, kDemand, "a queue of YuniKorn", kUseQueue, kNone, MetBy::kQueue},
    {"runai/shared-gpu-configmap", kAnnotation, kRecord, kNone},
    {"scheduling.k8s.io/group-name", kAnnotation, kOfPods, kGroup},
    {"scheduling.volcano.sh/group-min-member", kAnnotation, kDemand, kGroup, kUseGang, "0 1",
     MetBy::kGang},
    {"scheduling.volcano.sh/group-min-resources", kAnnotation, kNothing, "the room of its group"},
    {"scheduling.volcano.sh/group-name", kAnnotation, kOfPods, kGroup},
    {"scheduling.volcano.sh/queue-name", kEither, kDemand, kQueueOf, kUseQueue, kNone,
     MetBy::kQueue},
    {"scheduling.x-k8s.io/pod-group", kLabel, kOfPods, kGroup},
    {"volcano.sh/cooldown-time", kEither, kNothing, "time before it is preempted",
     "use preemptMinRuntime of its queue"},
    {"volcano.sh/jdb-max-unavailable", kAnnotation, kNothing, "a disruption budget", kUseBudget},
    {"volcano.sh/jdb-min-available", kAnnotation, kNothing, "a disruption budget", kUseBudget},
    {"volcano.sh/job-name", kEither, kRecord, kNone},
    {"volcano.sh/job-namespace", kEither, kRecord, kNone},
    {"volcano.sh/job-retry-count", kEither, kRecord, kNone},
    {"volcano.sh/job-type", kEither, kRecord, kNone},
    {"volcano.sh/job-version", kEither, kRecord, kNone},
    {"volcano.sh/network-topology-highest-tier", kAnnotation, kRecord, kNone},
    {"volcano.sh/network-topology-mode", kAnnotation, kDemand, kDomain, kUseTopology, "soft"},
    {"volcano.sh/numa-topology-policy", kAnnotation, kDemand, "its resources on one NUMA node",
     "use the kubelet's topology manager", "none best-effort"},
    {"volcano.sh/preemptable", kEither, kDemand, "protection from preemption", kUsePreemptible,
     "true"},
    {"volcano.sh/queue-name", kEither, kDemand, kQueueOf, kUseQueue, kNone, MetBy::kQueue},
    {"volcano.sh/reservation-name", kEither, kNothing, "a reservation"},
    {"volcano.sh/revocable-zone", kAnnotation, kNothing, "leave to run in a revocable zone"},
    {"volcano.sh/sla-waiting-time", kEither, kNothing, "a longest time to wait"},
    {"volcano.sh/task-index", kEither, kRecord, kNone},
    {"volcano.sh/task-spec", kEither, kOfPods, "a part of its group"},
    {"volcano.sh/template-uid", kEither, kRecord, kNone},
    {"volcano.sh/topology-decision", kAnnotation, kRecord, kNone},
    {"yunikorn.apache.org/allow-preemption", kEither, kKept, "whether it may go"},
    {"yunikorn.apache.org/app-id", kEither, kNothing, "an application of YuniKorn"},
    {"yunikorn.apache.org/disable-state-aware", kAnnotation, kNothing, "an order of applications"},
    {"yunikorn.apache.org/namespace.enableYuniKorn", kAnnotation, kRecord, kNone},
    {"yunikorn.apache.org/namespace.generateAppId", kAnnotation, kRecord, kNone},
    {"yunikorn.apache.org/namespace.max.cpu", kAnnotation, kNothing, kQuotaOf, kUseBoundQueue},
    {"yunikorn.apache.org/namespace.max.memory", kAnnotation, kNothing, kQuotaOf, kUseBoundQueue},
    {"yunikorn.apache.org/namespace.quota", kAnnotation, kNothing, kQuotaOf, kUseBoundQueue},
    {"yunikorn.apache.org/parentqueue", kAnnotation, kNothing, "a queue above its namespace's",
     "write it as the `parent` of a Queue, and label the namespace `fairlead.dev/queue: QUEUE`"},
    {"yunikorn.apache.org/placeholder", kAnnotation, kRecord, kNone},
    {"yunikorn.apache.org/queue", kEither, kDemand, kQueueOf, kUseQueue, kNone, MetBy::kQueue},
    {"yunikorn.apache.org/schedulingPolicyParameters", kAnnotation, kNothing,
     "how long its placeholders wait"},
    {"yunikorn.apache.org/task-group-name", kAnnotation, kDemand, kGroup, kUseGang, kNone,
     MetBy::kGang},
    {"yunikorn.apache.org/task-groups", kAnnotation, kDemand, kGroup, kUseGang, kNone,
     MetBy::kGang},
    {"yunikorn.apache.org/user.info", kAnnotation, kNothing, "whose it is", kUseUser},
    {"yunikorn.apache.org/username", kEither, kNothing, "whose it is", kUseUser},
};
static_assert(std::ranges::is_sorted(kRows, {}, &ForeignKey::key));

constexpr std::array kNamespaces = {
    std::string_view("kai.scheduler"),
    std::string_view("run.ai"),
    std::string_view("runai"),
    std::string_view("kueue.x-k8s.io"),
    std::string_view("yunikorn.apache.org"),
    std::string_view("volcano.sh"),
    std::string_view("scheduling.x-k8s.io"),
    std::string_view("scheduling.k8s.io"),
    std::string_view("pod-group.scheduling.sigs.k8s.io"),
};

}  // namespace

std::span<const ForeignKey> AllForeignKeys() { return kRows; }

const ForeignKey* FindForeignKey(std::string_view key) {
  const auto* after = std::ranges::upper_bound(kRows, key, {}, &ForeignKey::key);
  if (after == std::begin(kRows)) return nullptr;
  const ForeignKey& row = *std::prev(after);
  if (row.key == key) return &row;
  return row.key.ends_with('/') && key.starts_with(row.key) ? &row : nullptr;
}

bool IsInForeignNamespace(std::string_view key) {
  const std::string_view domain = key.substr(0, key.find('/'));
  if (domain.size() == key.size()) return false;
  return std::ranges::any_of(kNamespaces, [&](std::string_view name) {
    return domain == name || (domain.ends_with(name) && domain.size() > name.size() &&
                              domain[domain.size() - name.size() - 1] == '.');
  });
}

}  // namespace fairlead::intake
