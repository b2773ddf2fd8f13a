#include "engine/scheduler.h"

#include "engine/round.h"

namespace fairlead::engine {

Scheduler::Scheduler() : state_(std::make_unique<RoundState>()) {}
Scheduler::~Scheduler() = default;

void Scheduler::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) state_->cluster().Apply(change);
}

Plan Scheduler::Round(Time now) { return state_->Run(now); }

void Scheduler::Settle() { state_->CatchUp(); }

const DaemonSetCounts& Scheduler::daemon_set_counts() const { return state_->daemon_set_counts(); }

const state::Cluster& Scheduler::cluster() const { return state_->cluster(); }

}  // namespace fairlead::engine
