#include "effects/protection_book.h"

#include <utility>

#include "base/sorted_set.h"
#include "policy/min_runtime.h"

namespace fairlead::effects {

void ProtectionBook::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      due_.push_back(workload->name);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      all_due_ |= removal->kind == state::RowKind::kQueue;
      if (removal->kind == state::RowKind::kWorkload) given_.erase(removal->name);
    } else {
      all_due_ |= std::holds_alternative<state::QueueChange>(change) ||
                  std::holds_alternative<state::ConfigurationChange>(change);
    }
  }
}

std::vector<Write> ProtectionBook::TakeWrites(const state::Cluster& cluster,
                                              const WorkloadBook& workloads) {
  if (due_.empty() && !all_due_) return {};
  std::vector<std::string> names = std::exchange(due_, {});
  if (std::exchange(all_due_, false)) {
    for (const WorkloadBook::Row* row : workloads.Rows()) {
      if (row->start) names.push_back(row->name);
    }
  }
  MakeSet(names);
  std::vector<Write> writes;
  for (std::string& name : names) {
    const WorkloadBook::Row* row = workloads.Find(name);
    if (row == nullptr || !row->known) continue;
    SetProtection fresh{.workload = name, .preempt = {}, .reclaim = {}};
    const state::WorkloadId w = state::FindWorkload(cluster, name);
    if (w.valid() && row->start && row->state != WorkloadBook::State::kFinished) {
      const policy::Protection protection = policy::LatestProtection(cluster, w);
      // By the start that is written beside it: whoever reads that back says the same.
      const auto until = [&](const policy::MinRuntime& by) {
        return by.value > Duration() ? std::optional<Time>(*row->start + by.value) : std::nullopt;
      };
      fresh.preempt = until(protection.preempt_by);
      fresh.reclaim = until(protection.reclaim_by);
    }
    // The first time it is given even where nothing protects it: the status may say otherwise.
    const auto [given, is_new] = given_.try_emplace(std::move(name), fresh);
    if (!is_new && given->second == fresh) continue;
    given->second = fresh;
    writes.emplace_back(std::move(fresh));
  }
  return writes;
}

}  // namespace fairlead::effects
