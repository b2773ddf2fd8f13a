#pragma once

#include <span>
#include <string_view>

#include "base/text.h"
#include "base/time.h"
#include "drive/event.h"
#include "effects/writes.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::drive {

// An object came, changed or went. Views are valid during the call that hands it out.
struct ObjectNews {
  Time time;
  std::string_view kind;  // as objects::QualifiedKindOf: "Pod", "PodGroup.scheduling.k8s.io"
  std::string_view name_space, name;
  const objects::Object* object = nullptr;  // null: it went
  bool status_only = false;  // a pod that was told: at most its status and its node have changed
  // As an API server said it; empty where none did.
  std::string_view api_version, json;
  Text key = {};  // "namespace/name", where somebody keeps it already
};

// It is there, new or changed; where it went, `object` is to be set to null. Views of `object`.
ObjectNews NewsOf(Time time, const objects::Object& object);

// Is told what a cluster does, in order: for views, metrics, ledgers, records. Must not call back
// into the driver, nor into what is driven. In one instant:
//
//   OnEvent, OnObject …   what came about since the last one
//   OnChanges             what the engine is made to know of it
//   OnWrite …             what came true of workloads
//   OnDeciding, OnRound, OnDecisions
//   OnWrite …             the plan, then statuses
class Observer {
 public:
  virtual ~Observer() = default;
  // Before anything else, where the configuration does not come as an object.
  virtual void OnConfiguration(Time /*now*/,
                               const objects::SchedulerConfiguration& /*configuration*/) {}
  // Only where somebody knows of events: a virtual cluster, a replay.
  virtual void OnEvent(const Event& /*event*/) {}
  virtual void OnObject(const ObjectNews& /*news*/) {}
  // The dialect-free facts, before the round that sees them.
  virtual void OnChanges(Time /*now*/, std::span<const state::Change> /*changes*/) {}
  // A round begins; OnRound is its end.
  virtual void OnDeciding(Time /*now*/) {}
  virtual void OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& /*plan*/) {}
  // What that round decided, by name, where it decided something.
  virtual void OnDecisions(Time /*now*/, const engine::DecisionReports& /*decisions*/) {}
  // Is carried out next.
  virtual void OnWrite(Time /*now*/, const effects::Write& /*write*/) {}
};

}  // namespace fairlead::drive
