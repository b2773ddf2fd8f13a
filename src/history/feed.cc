#include "history/feed.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace fairlead::history {
namespace {

// Decisions that are handed over at once: a round may have ten thousand, and the block of memory
// for so many would be needed a moment only.
constexpr std::size_t kPortion = 256;

}  // namespace

Duration MachineTime() {
  return {std::chrono::duration_cast<std::chrono::microseconds>(
              std::chrono::steady_clock::now().time_since_epoch())
              .count()};
}

Feed::Feed(Time began, Sink sink, Sampler::MachineClock clock)
    : sink_(std::move(sink)), tracker_(began), sampler_(std::move(clock)) {}

void Feed::AddSamples(Time now, const engine::Scheduler& scheduler, Records& into) {
  if (!decided_) return;
  for (Sample& sample : sampler_.Due(scheduler, now)) into.emplace_back(std::move(sample));
}

void Feed::Changes(Time now, const engine::Scheduler& scheduler,
                   std::span<const state::Change> changes) {
  Records records;
  AddSamples(now, scheduler, records);
  decided_ = false;
  tracker_.Apply(now, changes, records);
  if (!records.empty()) sink_(std::move(records));
}

void Feed::Tick(Time now, const engine::Scheduler& scheduler) {
  Records records;
  AddSamples(now, scheduler, records);
  if (!records.empty()) sink_(std::move(records));
}

void Feed::Said(std::span<const Estimate> estimates) {
  Records records;
  tracker_.Said(estimates, records);
  if (!records.empty()) sink_(std::move(records));
}

void Feed::Decisions(Time now, const engine::DecisionReports& decisions) {
  Records portion;
  std::size_t left = decisions.size();
  for (const engine::DecisionReport& decision : decisions) {
    if (portion.empty()) portion.reserve(std::min(left, kPortion));
    AddDecision(now, decision, portion);
    --left;
    if (portion.size() == kPortion) sink_(std::exchange(portion, {}));
  }
  if (!portion.empty()) sink_(std::move(portion));
}

void Feed::AddDecision(Time now, const engine::DecisionReport& decision, Records& into) {
  const bool admits = decision.type == engine::DecisionType::kAdmit;
  // An admission that is taken back shows as a Stop, once the cluster says so.
  if (admits && decision.pod_sets.empty()) return;
  // Who moves where is told of each that does.
  if (decision.type == engine::DecisionType::kLand && decision.pod.empty()) return;
  if (decision.type == engine::DecisionType::kEvict) tracker_.Evicted(decision.workload);
  const WorkloadTracker::Owner owner = tracker_.OwnerOf(decision.workload);
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
  into.emplace_back(std::move(row));
}

}  // namespace fairlead::history
