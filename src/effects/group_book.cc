#include "effects/group_book.h"

#include "engine/explain/report.h"

namespace fairlead::effects {

void GroupBook::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      if (workload->shows_conditions) {
        told_.try_emplace(workload->name);
        due_.insert(workload->name);
      } else {
        told_.erase(workload->name);
      }
    } else if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      if (told_.empty() && pods_.empty()) continue;
      const std::string name(pod->name);
      if (!told_.contains(pod->workload)) {
        pods_.erase(name);
        continue;
      }
      pods_.insert_or_assign(name, pod->workload);
      due_.insert(pod->workload);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kWorkload) told_.erase(removal->name);
      if (removal->kind != state::RowKind::kPod) continue;
      if (auto gone = pods_.extract(removal->name)) due_.insert(std::move(gone.mapped()));
    }
  }
}

std::vector<Write> GroupBook::TakeWrites(const engine::Scheduler& scheduler,
                                         const WorkloadBook& workloads, Time now) {
  std::vector<Write> writes;
  for (std::size_t looked_at = 0; !due_.empty() && looked_at < kMostARound;) {
    const std::string name = std::move(due_.extract(due_.begin()).value());
    const auto told = told_.find(name);
    const WorkloadBook::Row* row = workloads.Find(name);
    if (told == told_.end() || row == nullptr) continue;
    if (row->state != WorkloadBook::State::kPending) {
      told->second.clear();
      continue;
    }
    ++looked_at;
    const Result<engine::PendingReport> why = engine::Explain(scheduler, name, now);
    if (!why || why->reasons.empty() || why->reasons.front().message == told->second) continue;
    told->second = why->reasons.front().message;
    writes.push_back(SetGroupCondition{.group = name,
                                       .condition = {.type = std::string(kGroupScheduled),
                                                     .holds = false,
                                                     .reason = "Unschedulable",
                                                     .message = told->second,
                                                     .since = {}}});
  }
  return writes;
}

}  // namespace fairlead::effects
