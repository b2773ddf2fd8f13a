#pragma once

#include <optional>
#include <vector>

#include "base/time.h"
#include "cli/state_index.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "objects/objects.h"

namespace fairlead::cli {

// A saved state with an engine over it, as `plan`, `explain`, `queue shares` and `validate` want
// it: objects in, one round, answers out. Nothing is carried out.
class Session {
 public:
  // `now` absent: the newest time in the objects.
  Session(const std::vector<objects::Object>& objects, std::optional<Time> now);

  // What the scheduler does next. Decided once; later calls give the same.
  const engine::PlanReport& Plan();

  // The queues as they are in this state, before anything is decided, and who borrows from whom.
  std::vector<engine::QueueReport> Shares();

  Time now() const { return now_; }
  const engine::Scheduler& scheduler() const { return scheduler_; }
  const intake::Intake& intake() const { return intake_; }
  const StateIndex& index() const { return index_; }

 private:
  Time now_;
  intake::Intake intake_;
  engine::Scheduler scheduler_;
  StateIndex index_;
  std::optional<engine::PlanReport> plan_;
};

}  // namespace fairlead::cli
