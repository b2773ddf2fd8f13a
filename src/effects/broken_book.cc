#include "effects/broken_book.h"

#include <utility>

#include "engine/explain/report.h"

namespace fairlead::effects {

void BrokenBook::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      if (workload->broken_since) {
        shown_.insert(workload->name);
      } else if (!shown_.empty()) {
        shown_.erase(workload->name);
      }
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kWorkload) shown_.erase(removal->name);
    }
  }
}

std::vector<Write> BrokenBook::TakeWrites(const engine::Scheduler& scheduler) {
  std::vector<Write> writes;
  std::set<std::string> broken;
  for (const engine::BrokenReport& report : engine::ReportBroken(scheduler)) {
    broken.insert(report.workload);
    if (!shown_.contains(report.workload)) {
      writes.emplace_back(
          SetBroken{.workload = report.workload, .since = report.since, .action = report.action});
    }
  }
  for (const std::string& workload : shown_) {
    if (!broken.contains(workload)) {
      writes.emplace_back(SetBroken{.workload = workload, .since = {}, .action = {}});
    }
  }
  shown_ = std::move(broken);
  return writes;
}

}  // namespace fairlead::effects
