// Random clusters under random changes. After every step: nothing is wrong by the audit, a second
// round decides nothing, and a scheduler that has seen nothing before gives the very same plan over
// the same state, and the same picture of it: what is kept between rounds is a shortcut only.

#include <gmock/gmock.h>

#include "engine/audit/audit.h"
#include "engine/explain/explain.h"
#include "engine/round/round.h"
#include "state/cluster.h"
#include "unit/engine/random_life.h"
#include "unit/engine/random_world.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"
#include "unit/engine/user_limit_reference.h"

namespace fairlead::engine {
namespace {

using testing::IsEmpty;

bool AnyBindFailed(const std::vector<state::Change>& changes) {
  return std::any_of(changes.begin(), changes.end(), [](const state::Change& change) {
    return std::holds_alternative<state::BindFailed>(change);
  });
}

class LifeOfChanges {
 public:
  // Every other lets go soon of what nobody asks any more.
  LifeOfChanges(std::uint32_t seed, Kind kind) : world_(seed, kind), kind_(kind) {
    if (seed % 2 == 0) scheduler_.SweepAfter(seed % 8);
  }

  // Whether all went well.
  bool Step(int step) {
    const Time now{step * std::int64_t{1'000'000}};
    Scheduler fresh;
    // The newcomer sees the state before the step, because no object tells that a gang which lost
    // pods in it had started; it tries nothing there.
    const bool tree = kind_ == Kind::kTree || kind_ == Kind::kUsers;
    if (tree) {
      fresh.Apply(world_.All());
      fresh.Settle();
    }
    const std::vector<state::Change> changes = world_.Step();
    SCOPED_TRACE("the last changes:" + Told(carried_) + "\n  --" + Told(changes));
    scheduler_.Apply(changes);
    const Plan plan = scheduler_.Round(now);
    EXPECT_THAT(Audit(scheduler_, plan), IsEmpty());
    if (kind_ == Kind::kUsers) {
      EXPECT_THAT(UserLimitFaults(scheduler_, plan), IsEmpty());
    }
    fresh.Apply(tree ? changes : world_.All());
    const bool comparable = kind_ == Kind::kOneQueue || (tree && !AnyBindFailed(carried_));
    if (comparable) Compare(plan, fresh, now);
    EXPECT_THAT(Decided(scheduler_, scheduler_.Round(now)), IsEmpty())
        << "a second round, after " << testing::PrintToString(Decided(scheduler_, plan));
    if (step % 8 == 3) ExplainAll(now);
    EXPECT_TRUE(scheduler_.round().NothingChanged()) << "the next round has work to do";
    carried_ = world_.CarryOut(scheduler_, plan);
    scheduler_.Apply(carried_);
    EXPECT_THAT(Audit(scheduler_.cluster()), IsEmpty());
    return !testing::Test::HasFailure();
  }

 private:
  // Whoever asks why changes nothing: neither what there is nor what the next round, which a
  // newcomer's is compared with, has to look at.
  void ExplainAll(Time now) {
    const auto before = Picture(scheduler_);
    {
      Explainer explainer(scheduler_, now);
      const state::WorkloadTable& workloads = scheduler_.cluster().workloads();
      for (std::uint32_t w = 0; w < workloads.size(); ++w) {
        if (!workloads[state::WorkloadId(w)].in_use) continue;
        explainer.First(state::WorkloadId(w));
        explainer.Reasons(state::WorkloadId(w));
      }
    }
    EXPECT_EQ(Difference(Picture(scheduler_), before), "") << "asking why";
  }
  void Compare(const Plan& plan, Scheduler& fresh, Time now) {
    const Plan other = fresh.Round(now);
    EXPECT_EQ(Decided(scheduler_, plan), Decided(fresh, other));
    EXPECT_EQ(Difference(Picture(scheduler_), Picture(fresh)), "");
  }

  RandomWorld world_;
  Scheduler scheduler_;
  const Kind kind_;
  std::vector<state::Change> carried_;
};

void Live(std::uint32_t of_test, Kind kind) {
  const Seeds seeds = SeedsOf(of_test);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    LifeOfChanges life(static_cast<std::uint32_t>(seed), kind);
    for (int step = 1; step <= 120; ++step) {
      if (!life.Step(step)) FAIL() << "seed " << seed << ", step " << step;
    }
  }
}

TEST(RandomChanges, OneQueue) { Live(60, Kind::kOneQueue); }

TEST(RandomChanges, ATreeOfQueues) { Live(60, Kind::kTree); }

TEST(RandomChanges, LimitsOfUsers) { Live(60, Kind::kUsers); }

TEST(RandomChanges, WhatTheObjectsDoNotTell) { Live(60, Kind::kHidden); }

}  // namespace
}  // namespace fairlead::engine
