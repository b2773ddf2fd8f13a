#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "history/records.h"
#include "history/sampler.h"
#include "history/workload_tracker.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::history {

// Turns what a scheduler is told and decides into the history's records, for virtual and real
// clusters alike. All on the thread that owns the scheduler; the sink is a Recorder's Push.
//
// The order of calls: objects as they come; Changes, before the engine is told of them; Decisions,
// after each round; Tick now and then, for the minutes in which nothing happens.
class Feed {
 public:
  using Sink = std::function<void(Records)>;

  Feed(Time began, Sink sink, Sampler::MachineClock clock);
  // It began then, as is known now. To be called before the first of Changes.
  void Began(Time began) { tracker_.Began(began); }

  void Object(const objects::Object& object) { tracker_.Object(object); }
  void Gone(std::string_view kind, std::string_view key) { tracker_.Gone(kind, key); }
  void Changes(Time now, const engine::Scheduler& scheduler,
               std::span<const state::Change> changes);
  void Decisions(Time now, const engine::DecisionReports& decisions);
  // REQUIRES: the engine was told nothing since its last round.
  void Tick(Time now, const engine::Scheduler& scheduler);
  // When those that wait are said to start; see WorkloadTracker::Said.
  void Said(std::span<const Estimate> estimates);
  // A round was run: from now on there is something to sample.
  void Decided() { decided_ = true; }

 private:
  void AddSamples(Time now, const engine::Scheduler& scheduler, Records& into);
  void AddDecision(Time now, const engine::DecisionReport& decision, Records& into);

  Sink sink_;
  WorkloadTracker tracker_;
  Sampler sampler_;
  bool decided_ = false;  // since the engine was last told something
};

// Since the machine began, for Feed and Sampler.
Duration MachineTime();

}  // namespace fairlead::history
