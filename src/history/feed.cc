#include "history/feed.h"

#include <chrono>
#include <string>
#include <utility>

namespace fairlead::history {

Duration MachineTime() {
  return {std::chrono::duration_cast<std::chrono::microseconds>(
              std::chrono::steady_clock::now().time_since_epoch())
              .count()};
}

Feed::Feed(Time began, Sink sink, Sampler::MachineClock clock)
    : sink_(std::move(sink)), ledger_(began), sampler_(std::move(clock)) {}

void Feed::AddSamples(Time now, const engine::Scheduler& scheduler, std::vector<Record>& into) {
  if (!decided_) return;
  for (Sample& sample : sampler_.Due(scheduler, now)) into.emplace_back(std::move(sample));
}

void Feed::Changes(Time now, const engine::Scheduler& scheduler,
                   std::span<const state::Change> changes) {
  std::vector<Record> records;
  AddSamples(now, scheduler, records);
  decided_ = false;
  ledger_.Apply(now, changes, records);
  if (!records.empty()) sink_(std::move(records));
}

void Feed::Tick(Time now, const engine::Scheduler& scheduler) {
  std::vector<Record> records;
  AddSamples(now, scheduler, records);
  if (!records.empty()) sink_(std::move(records));
}

void Feed::Decisions(Time now, std::span<const engine::DecisionReport> decisions) {
  std::vector<Record> records;
  records.reserve(decisions.size());
  for (const engine::DecisionReport& decision : decisions) {
    const bool admits = decision.type == engine::DecisionType::kAdmit;
    // An admission that is taken back shows as a Stop, once the cluster says so.
    if (admits && decision.pod_sets.empty()) continue;
    if (decision.type == engine::DecisionType::kEvict) ledger_.Evicted(decision.workload);
    const Ledger::Owner owner = ledger_.OwnerOf(decision.workload);
    Decision row{.time = now,
                 .type = std::string(engine::ToString(decision.type)),
                 .pod = decision.pod,
                 .node = decision.node,
                 .workload = decision.workload,
                 .queue = std::string(owner.queue),
                 .user = std::string(owner.user),
                 .action = decision.action,
                 .beneficiary = decision.beneficiary,
                 .reason = decision.reason};
    for (const engine::PodSetCount& set : decision.pod_sets) {
      row.pod_sets.push_back({.name = set.name, .count = set.count});
    }
    records.emplace_back(std::move(row));
  }
  if (!records.empty()) sink_(std::move(records));
}

}  // namespace fairlead::history
