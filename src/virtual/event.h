#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "engine/explain/report.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::virtual_cluster {

// What can happen. The comment says which fields of Event are set besides time and type.
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
  kReserve,   // pod, node
  kComplete,  // kind, object: a job or Workload whose work has succeeded
  kWarn,      // kind, object, action (a code), reason: something that its owner should mend
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
};

// Is told what happens, in order. Must not call back into the cluster.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnEvent(const Event& /*event*/) {}
  // An object came or changed, or (`gone`) went, before the OnChanges that tells of it.
  virtual void OnObject(const objects::Object& /*object*/, bool /*gone*/) {}
  // What the engine is told at `now`: the dialect-free facts, before the round that sees them.
  virtual void OnChanges(Time /*now*/, std::span<const state::Change> /*changes*/) {}
  // A round was run; its plan will be carried out next.
  virtual void OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& /*plan*/) {}
  // What that round decided, by name, where it decided something.
  virtual void OnDecisions(Time /*now*/, std::span<const engine::DecisionReport> /*decisions*/) {}
};

}  // namespace fairlead::virtual_cluster
