#include "unit/engine/random_life.h"

#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>

#include "engine/audit/audit.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

using testing::IsEmpty;

constexpr int kBusyRounds = 35;
constexpr int kQuietRounds = 100;  // until nothing more may happen

}  // namespace

bool RandomLife::Live() {
  for (int i = 0; i < kBusyRounds && !testing::Test::HasFailure(); ++i) Busy();
  for (int i = 0; i < kQuietRounds && !quiet_ && !testing::Test::HasFailure(); ++i) {
    quiet_ = Quiet();
  }
  if (quiet_) AtRest();
  return !testing::Test::HasFailure();
}

// Something happens; a newcomer who sees all decides the same.
void RandomLife::Busy() {
  now_ = now_ + Duration::Seconds(1);
  Scheduler fresh;
  fresh.Apply(world_.All());
  fresh.Settle();
  const std::vector<state::Change> changes = world_.Step();
  SCOPED_TRACE("the last changes:" + Told(carried_) + "\n  --" + Told(changes));
  scheduler_.Apply(changes);
  BeforeRound();
  const Plan plan = Decide();
  fresh.Apply(changes);
  const Plan other = fresh.Round(now_);
  if (IsComparable(plan)) {
    EXPECT_EQ(Decided(scheduler_, plan), Decided(fresh, other));
    if (other.next_round) {
      EXPECT_LE(plan.next_round.value_or(Time::Max()), *other.next_round);
    }
    EXPECT_EQ(Difference(Picture(scheduler_), Picture(fresh)), "");
  }
  AfterRound(plan, true);
  CarryOut(plan);
}

// Where work makes checkpoints less is lost after each, and who may lose others little asks again
// for ever. No other moment of these worlds lies so far ahead.
constexpr Duration kLongEnough = Duration::Seconds(300);

// Whether nothing is left to happen.
bool RandomLife::Quiet() {
  const std::vector<state::Change> changes = world_.LetGo(now_);
  SCOPED_TRACE("the last changes:" + Told(carried_) + "\n  --" + Told(changes));
  scheduler_.Apply(changes);
  BeforeRound();
  const Plan plan = Decide();
  AfterRound(plan, false);
  last_ += "\n  " + testing::PrintToString(Decided(scheduler_, plan));
  CarryOut(plan);
  if (!plan.decisions.empty() || !changes.empty()) {
    idle_since_ = now_;
    return false;
  }
  if (plan.next_round) now_ = *plan.next_round;
  return !plan.next_round || now_ - idle_since_ >= kLongEnough;
}

Plan RandomLife::Decide() {
  Plan plan = scheduler_.Round(now_);
  EXPECT_THAT(Audit(scheduler_, plan), IsEmpty())
      << testing::PrintToString(Decided(scheduler_, plan));
  EXPECT_THAT(Decided(scheduler_, scheduler_.Round(now_)), IsEmpty()) << "a second round";
  return plan;
}

void RandomLife::CarryOut(const Plan& plan) {
  evictions_ += static_cast<int>(std::ranges::count_if(plan.decisions, [this](const Decision& d) {
    return d.type == DecisionType::kEvict && Counts(d);
  }));
  carried_ = world_.CarryOut(scheduler_, plan);
  scheduler_.Apply(carried_);
  EXPECT_THAT(Audit(scheduler_.cluster()), IsEmpty());
}

}  // namespace fairlead::engine
