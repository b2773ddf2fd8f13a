#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/time.h"
#include "engine/plan/plan.h"
#include "state/change.h"

namespace fairlead::state {
class Cluster;
class Marks;
}  // namespace fairlead::state

namespace fairlead::engine {

class Round;
struct DaemonSetCounts;

// The engine: takes what changed, decides, and assumes its own decisions until the cluster says
// otherwise. Pure: no clock, no threads, no I/O; the same changes and times give the same plans.
//
//   Scheduler scheduler;
//   scheduler.Apply(intake.TakeChanges());
//   Plan plan = scheduler.Round(now);   // carry it out, report back by Apply
//
// Thread safety: none; one thread owns it.
// Cost: Round is O(what changed), not O(cluster); over nothing changed it is O(1).
class Scheduler {
 public:
  Scheduler();
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  void Apply(std::span<const state::Change> changes);

  // Decides on the state as it is at `now`. Where that goes back, as a server's clock that is set,
  // what was protected until a moment since is protected again: only `now` counts.
  Plan Round(Time now);

  // Brings fair shares and sums up to date with what was applied, and decides nothing: for reading
  // figures without a round. `at`: what was used over time counts up to then.
  void Settle(std::optional<Time> at = std::nullopt);

  // For tests: lets go of what nobody asks any more after so many new kinds of pods, where there
  // are few; 4096 without.
  void SweepAfter(std::size_t kinds);

  const state::Cluster& cluster() const;

  // What changed, for one who keeps a copy (state/marks.h). The engine leaves it alone.
  state::Marks& marks() const;

  // What became of making room for DaemonSets' pods.
  const DaemonSetCounts& daemon_set_counts() const;

  // What it keeps, to look at. Who wants to try something takes a WhatIf
  // (engine/explain/what_if.h).
  const engine::Round& round() const { return *round_; }

 private:
  friend class WhatIf;
  std::unique_ptr<engine::Round> round_;
};

}  // namespace fairlead::engine
