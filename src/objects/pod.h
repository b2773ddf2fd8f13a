#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rare.h"
#include "objects/demand_row.h"
#include "objects/meta.h"
#include "objects/reservation.h"
#include "objects/selector.h"
#include "objects/volumes.h"

namespace fairlead::objects {

struct HostPort {
  std::string protocol = "TCP";
  std::string ip;  // empty or 0.0.0.0: every address
  std::int32_t port = 0;
  auto operator<=>(const HostPort&) const = default;
};

// A term of a pod affinity or anti-affinity: which pods it selects, and in domains of
// which node label.
struct PodTerm {
  std::string topology_key;
  LabelSelector selector;        // with what matchLabelKeys and mismatchLabelKeys come to
  bool selects_nothing = false;  // it has no labelSelector
  // Pods of these namespaces, and of those that the selector selects; neither: of the carrier's.
  std::vector<std::string> name_spaces;
  std::optional<LabelSelector> name_space_selector;
  bool operator==(const PodTerm&) const = default;
};

// A topologySpreadConstraint: to be kept (DoNotSchedule), or to be preferred (ScheduleAnyway).
struct SpreadConstraint {
  std::string topology_key;
  LabelSelector selector;        // with what matchLabelKeys come to
  bool selects_nothing = false;  // it has no labelSelector, or an empty one: Kubernetes counts none
  std::int32_t max_skew = 1;
  std::int32_t min_domains = 1;
  bool honors_affinity = true;  // nodeAffinityPolicy
  bool honors_taints = false;   // nodeTaintsPolicy
  bool operator==(const SpreadConstraint&) const = default;
};

// What a pod would rather have. None of it keeps it off a node (demands.md §6).
struct Preferences {
  struct OfNodes {
    std::int32_t weight = 1;  // 1 to 100
    NodeSelectorTerm term;
    bool operator==(const OfNodes&) const = default;
  };
  struct OfPods {
    std::int32_t weight = 1;  // 1 to 100
    PodTerm term;
    bool operator==(const OfPods&) const = default;
  };
  std::vector<OfNodes> nodes;
  std::vector<OfPods> affinity, anti_affinity;
  std::vector<SpreadConstraint> spread;

  // Whether any of them depends on what else is placed.
  bool of_others() const { return !affinity.empty() || !anti_affinity.empty() || !spread.empty(); }
  void ForgetOthers() {
    affinity = anti_affinity = {};
    spread = {};
  }
  bool empty() const { return nodes.empty() && !of_others(); }
  bool operator==(const Preferences&) const = default;
};

// What the pod affinity, pod anti-affinity and spread of a pod come to, required and preferred, and
// whom it counts for in those of others. Made where objects are joined; all by number
// (objects/demand_row.h).
struct JoinedDemands {
  struct Spread {
    DemandRowPtr row;
    std::int32_t max_skew = 1;
    std::int32_t min_domains = 1;
    bool operator==(const Spread&) const = default;
  };
  struct Preferred {
    DemandRowPtr row;
    std::int32_t weight = 1;  // of an anti-affinity: below 0
    bool operator==(const Preferred&) const = default;
  };
  // Rows that pods like it count in, its own among them; null: none.
  DemandRowsPtr counted_by;
  DemandRows repelled_by;            // of its anti-affinity, a row a term
  DemandRows attracted_by;           // of its affinity, a row a topology key
  std::vector<Spread> spread;        // a row a constraint
  std::vector<Preferred> preferred;  // of preferred affinity and anti-affinity, a row a term
  DemandRows preferred_spread;       // a row a constraint
  bool operator==(const JoinedDemands&) const = default;
};

// A volume that other pods use, too: on one node it takes one slot for all of them.
struct SharedVolume {
  std::string slots;   // the resource: kAttachPrefix and the driver
  std::string volume;  // tells it apart from the driver's others
  auto operator<=>(const SharedVolume&) const = default;
};

// What few pods demand beside.
struct RareNeeds {
  // The first demand that the engine does not honour yet, as a field path
  // ("spec.affinity.podAntiAffinity"); empty: none. Such a pod stays pending and says so.
  std::string unsupported_field;
  std::vector<PodTerm> affinity, anti_affinity;  // required, of pods
  std::vector<SpreadConstraint> spread;          // to be kept
  Preferences preferences;
  JoinedDemands joined;  // what these come to: the needs that the engine gets have it instead
  // Set where objects are joined: what the nodes must match that its volumes can be had on; of each
  // list one term must hold. In an order that depends on nothing but what they say.
  std::vector<std::vector<NodeSelectorTerm>> volumes_reach;
  // Likewise: claims for which volumes that are there may be taken, the smaller ones first; claims,
  // as "namespace/name", that no pod may have beside it; and those that others have only where it
  // is itself. Sorted but for the first.
  std::vector<VolumeWishPtr> volume_wishes;
  std::vector<std::string> one_pod_claims, one_node_claims;
  // Likewise: StorageClasses of which volumes are to be made for it, sorted, unique. Where one
  // cannot be made for it, none can for others that ask the same.
  std::vector<std::string> made_of;
  // Likewise: volumes whose drivers' slots are few. Those of its own count in `request`.
  std::vector<SharedVolume> shared_volumes;
  bool demands_of_others() const {
    return !affinity.empty() || !anti_affinity.empty() || !spread.empty() ||
           preferences.of_others();
  }
  void ForgetDemandsOfOthers() {
    affinity = anti_affinity = {};
    spread = {};
    preferences.ForgetOthers();
  }
  bool operator==(const RareNeeds&) const = default;
};

// All that a pod demands of a node: pods with equal needs are one shape to the engine.
struct PodNeeds {
  ResourceList request;        // Kubernetes' rule (semantics.md §1), without `pods` and gpu-milli
  std::int32_t gpu_milli = 0;  // fairlead.dev/gpu-milli: a share of one device, 1..1000; 0: none
  std::string node_name;       // spec.nodeName of a pod that is not running yet: only there
  Labels node_selector;
  std::vector<NodeSelectorTerm> required_terms;  // one must hold, where has_required_terms
  bool has_required_terms = false;
  std::vector<Toleration> tolerations;
  std::vector<HostPort> host_ports;  // sorted, unique
  Rare<RareNeeds> rare;
  bool operator==(const PodNeeds&) const = default;
};

// A claim of its own that is made for each pod, and goes with it.
struct EphemeralVolume {
  std::string name;
  VolumeAsk ask;
  std::string ClaimOf(std::string_view pod) const { return std::string(pod) + "-" + name; }
  bool operator==(const EphemeralVolume&) const = default;
};

// What few pods say beside.
struct RarePodSpec {
  std::vector<std::string> volume_claims;  // of volumes[].persistentVolumeClaim, sorted, unique
  std::vector<EphemeralVolume> ephemeral_volumes;  // of volumes[].ephemeral
  std::string scheduling_group;                    // schedulingGroup.podGroupName
  std::vector<std::string> gates;                  // schedulingGates[].name
  std::optional<Duration> deadline;                // activeDeadlineSeconds
  bool operator==(const RarePodSpec&) const = default;
};

struct PodSpec {
  std::string scheduler_name = "default-scheduler";
  std::string node_name;  // bound to; empty: not bound
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  bool never_preempts = false;  // preemptionPolicy: Never
  bool gated = false;           // has schedulingGates
  // What it takes of its node cannot be read: not its amounts, its host ports, or whom it refuses
  // beside it. Only of pods in Manifest::misread_pods.
  bool room_unknown = false;
  std::optional<std::int64_t> grace_seconds;
  PodNeeds needs;
  Rare<RarePodSpec> rare;
  bool operator==(const PodSpec&) const = default;
};

// Why PodScheduled is false: of a pod with scheduling gates (the API server's word), and of one
// that the scheduler has seen without them since.
inline constexpr std::string_view kSchedulingGated = "SchedulingGated";
inline constexpr std::string_view kUngated = "Ungated";

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };
std::string_view ToString(PodPhase phase);

// Why the kubelet of its node did not take a pod.
struct KubeletRefusal {
  std::string reason,
      message;  // status.reason and message: "OutOfcpu", "Node didn't have enough …"
  bool operator==(const KubeletRefusal&) const = default;
};

struct Pod {
  Meta meta;
  PodSpec spec;
  PodPhase phase = PodPhase::kPending;
  bool ready = false;
  std::string nominated_node;
  std::optional<Time> scheduled_time;  // PodScheduled=True since
  std::optional<Time> start_time;      // status.startTime
  std::optional<Time> finish_time;     // the newest containerStatuses[].state.terminated.finishedAt
  std::optional<Time> node_reserved_time;  // condition fairlead.dev/NodeReserved=True since
  bool gates_told = false;                 // PodScheduled=False: it has scheduling gates
  RareOptional<Time> ungated_time;         // PodScheduled=False: it had some, until then
  // Condition fairlead.dev/GpuDevice: the device that it shares, as the scheduler gave it. (The
  // annotation of that name says so to the pod, whose owner may change it.)
  std::optional<std::int32_t> gpu_device;
  // Condition fairlead.dev/OnLoan, where it is true.
  RareOptional<Loan> loan;
  // Condition DisruptionTarget, where it is true: why it was made to go.
  RareOptional<Condition> disruption_target;
  RareOptional<KubeletRefusal> refusal;
  bool is_static = false;  // mirror of a static pod (kubernetes.io/config.mirror)

  bool finished() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  bool operator==(const Pod&) const = default;
};

struct PodTemplate {
  Labels labels, annotations;
  PodSpec spec;
  bool operator==(const PodTemplate&) const = default;
};

}  // namespace fairlead::objects
