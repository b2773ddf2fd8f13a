#include "cli/session.h"

#include "engine/explain/report_json.h"

namespace fairlead::cli {

Session::Session(const std::vector<objects::Object>& objects, std::optional<Time> now)
    : now_(now ? *now : intake::NewestTime(objects)) {
  for (const objects::Object& object : objects) intake_.Upsert(object, now_);
  const std::vector<state::Change> changes = intake_.TakeChanges();
  index_.Apply(changes);
  scheduler_.Apply(changes);
}

const engine::PlanReport& Session::Plan() {
  if (!plan_) {
    plan_ = engine::Report(scheduler_, scheduler_.Round(now_));
    plan_->digest = engine::DigestOf(*plan_);
  }
  return *plan_;
}

std::vector<engine::QueueReport> Session::Shares() {
  scheduler_.Settle();
  return engine::ReportShares(scheduler_);
}

}  // namespace fairlead::cli
