#include "engine/scheduler.h"

#include "engine/round/round.h"

namespace fairlead::engine {

Scheduler::Scheduler() : round_(std::make_unique<engine::Round>()) {}
Scheduler::~Scheduler() = default;

void Scheduler::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) round_->Apply(change);
}

Plan Scheduler::Round(Time now) { return round_->Run(now); }

void Scheduler::Settle(std::optional<Time> at) { round_->Settle(at); }

const DaemonSetCounts& Scheduler::daemon_set_counts() const { return round_->daemon_set_counts(); }

state::Marks& Scheduler::marks() const { return round_->marks(); }

void Scheduler::SweepAfter(std::size_t kinds) { round_->SweepAfter(kinds); }

const state::Cluster& Scheduler::cluster() const { return round_->cluster(); }

}  // namespace fairlead::engine
