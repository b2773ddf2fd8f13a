#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/time.h"
#include "drive/driver.h"
#include "engine/explain/report.h"
#include "engine/scheduler.h"
#include "host/state_index.h"
#include "intake/intake.h"
#include "objects/objects.h"
#include "view/view.h"

namespace fairlead::host {

// A saved state with an engine over it, as `plan`, `explain`, `queue shares` and `validate` want
// it: objects in, one round, answers out. Nothing is carried out.
class OfflineCluster {
 public:
  // `now` absent: the newest time in the objects.
  OfflineCluster(const std::vector<objects::Object>& objects, std::optional<Time> now);

  // What the scheduler does next. Decided once; later calls give the same.
  const engine::PlanReport& Plan();

  // The engine over this state before anything is decided. REQUIRES: the plan was not asked for.
  const engine::Scheduler& Settled();

  // The queues as they are in this state, before anything is decided, and who borrows from whom.
  std::vector<engine::QueueReport> Shares();

  // The same as the page would have it.
  std::shared_ptr<const view::View> Look();

  Time now() const { return now_; }
  const engine::Scheduler& scheduler() const { return driver_.scheduler(); }
  const intake::Intake& intake() const { return driver_.intake(); }
  StateIndex index() const { return StateIndex(intake()); }

 private:
  class Noted : public drive::Observer {
   public:
    void OnDecisions(Time /*now*/, const engine::DecisionReports& of_round) override {
      decisions.assign(of_round.begin(), of_round.end());
    }
    engine::DecisionReports decisions;  // of the one round
  };

  Time now_;
  drive::NoCarrier nobody_;
  drive::Driver driver_;
  Noted noted_;
  std::optional<engine::PlanReport> plan_;
};

}  // namespace fairlead::host
