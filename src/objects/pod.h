#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

namespace fairlead::objects {

struct HostPort {
  std::string protocol = "TCP";
  std::string ip;  // empty or 0.0.0.0: every address
  std::int32_t port = 0;
  auto operator<=>(const HostPort&) const = default;
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
  // The first demand that the engine does not honour yet, as a field path
  // ("spec.affinity.podAntiAffinity"); empty: none. Such a pod stays pending and says so.
  std::string unsupported_field;
  std::vector<std::string> passed_over;  // preferences that are not scored yet, as field paths
  bool operator==(const PodNeeds&) const = default;
};

struct PodSpec {
  std::string scheduler_name = "default-scheduler";
  std::string node_name;  // bound to; empty: not bound
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  bool never_preempts = false;  // preemptionPolicy: Never
  bool gated = false;           // has schedulingGates
  // What it takes of its node cannot be read: not its amounts, or not its host ports. Only of pods
  // in Manifest::misread_pods.
  bool room_unknown = false;
  std::optional<std::int64_t> grace_seconds;
  std::vector<std::string> volume_claims;  // of volumes[].persistentVolumeClaim, sorted, unique
  PodNeeds needs;
  bool operator==(const PodSpec&) const = default;
};

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };
std::string_view ToString(PodPhase phase);

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
  bool is_static = false;                  // mirror of a static pod (kubernetes.io/config.mirror)

  bool finished() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  bool operator==(const Pod&) const = default;
};

struct PodTemplate {
  Labels labels, annotations;
  PodSpec spec;
  bool operator==(const PodTemplate&) const = default;
};

}  // namespace fairlead::objects
