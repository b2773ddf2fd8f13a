#include "trace/audited_rounds.h"

#include "engine/audit/audit.h"

namespace fairlead::trace {

void AuditedRounds::OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) {
  ++rounds_;
  for (const std::string& fault : engine::Audit(scheduler, plan)) {
    ++complaints_;
    if (kept_.size() < kMostKept) kept_.push_back(FormatTime(plan.now) + ": " + fault);
  }
}

}  // namespace fairlead::trace
