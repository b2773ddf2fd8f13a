#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "effects/writes.h"
#include "engine/explain/report.h"
#include "objects/objects.h"

namespace fairlead::drive {

// What can happen in a cluster. The comment says which fields of Event are set besides time and
// type.
enum class EventType : std::uint8_t {
  kArrive,    // kind, object (pod too, for a pod): a submitted object appears after the start
  kUpdate,    // kind, object (pod): a submitted object replaces one of its name
  kDelete,    // kind, object (pod): deleted by request
  kCreate,    // pod, workload (empty where it has none), owner: made by a controller
  kBind,      // pod, node, workload, gpu_device
  kRun,       // pod, node
  kFinish,    // pod, node, phase
  kEvict,     // pod, node, workload, action, beneficiary, reason
  kGone,      // pod, node (empty: was not bound): its object is removed
  kAdmit,     // workload, pod_sets, reason (why fewer than asked)
  kStop,      // workload: its admission is taken back (a Job: it is suspended again)
  kNominate,  // pod, node, workload, waiting_for
  kReserve,   // pod, node; or workload, nodes (none: given up), at (absent: some day)
  kComplete,  // kind, object: a job or Workload whose work has succeeded
  kWarn,      // kind, object, action (a code), reason: something that its owner should mend
  kLend,      // workload, beneficiary (whose room; empty: no more), at (until when)
};
std::string_view ToString(EventType type);  // "Arrive", "Bind", …

// One thing that happened. All views are valid during the call that hands the event out: copy what
// you keep. Pods, workloads and namespaced objects are "namespace/name".
struct Event {
  Time time;
  EventType type = EventType::kArrive;
  std::string_view pod;
  std::string_view node;
  std::string_view workload;
  std::string_view kind;
  std::string_view object;
  std::string_view action;       // Reclaim, Preempt, DaemonSet; of a warning its code
  std::string_view beneficiary;  // "for" whom
  std::string_view owner;        // "namespace/name" of the object that a pod is made for
  std::string_view reason;
  std::int32_t gpu_device = -1;
  objects::PodPhase phase = objects::PodPhase::kPending;
  std::span<const std::string> waiting_for;
  std::span<const engine::PodSetCount> pod_sets;
  std::optional<Time> at;
  std::span<const std::string> nodes;
};

// Of a write that was carried out. Views of it.
Event EventOf(Time time, const effects::EvictPod& evict);
Event EventOf(Time time, const effects::FinishWorkload& finish);

}  // namespace fairlead::drive
