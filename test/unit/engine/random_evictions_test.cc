// Random clusters in which work has to give way, each through rounds in which anything happens, and
// then through rounds in which nothing does but what the plans say: those who were evicted come
// back and wait. It must become quiet, and nobody may be evicted by one whom it evicted.

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "engine/audit.h"
#include "state/cluster.h"
#include "unit/engine/random_world.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

using testing::IsEmpty;

constexpr int kBusyRounds = 35;
constexpr int kQuietRounds = 60;  // until nothing more may happen

class Life {
 public:
  explicit Life(std::uint64_t seed) : world_(static_cast<std::uint32_t>(seed), Kind::kContended) {}

  // Whether all went well.
  bool Live() {
    for (int i = 0; i < kBusyRounds && !testing::Test::HasFailure(); ++i) Busy();
    for (int i = 0; i < kQuietRounds && !quiet_ && !testing::Test::HasFailure(); ++i) {
      quiet_ = Quiet();
    }
    return !testing::Test::HasFailure();
  }
  bool becomes_quiet() const { return quiet_; }
  const std::string& last_plans() const { return last_; }
  int evictions() const { return evictions_; }

 private:
  // Something happens; a newcomer who sees all decides the same.
  void Busy() {
    now_ = now_ + Duration::Seconds(1);
    Scheduler fresh;
    fresh.Apply(world_.All());
    fresh.Settle();
    const std::vector<state::Change> changes = world_.Step();
    SCOPED_TRACE("the last changes:" + Told(carried_) + "\n  --" + Told(changes));
    scheduler_.Apply(changes);
    const Plan plan = Decide();
    fresh.Apply(changes);
    const Plan other = fresh.Round(now_);
    EXPECT_EQ(Decided(scheduler_, plan), Decided(fresh, other));
    if (other.next_round) {
      EXPECT_LE(plan.next_round.value_or(Time::Max()), *other.next_round);
    }
    EXPECT_EQ(Difference(Picture(scheduler_), Picture(fresh)), "");
    CarryOut(plan);
  }

  // Whether nothing is left to happen.
  bool Quiet() {
    const std::vector<state::Change> changes = world_.LetGo();
    SCOPED_TRACE("the last changes:" + Told(carried_) + "\n  --" + Told(changes));
    scheduler_.Apply(changes);
    const Plan plan = Decide();
    for (const Decision& decision : plan.decisions) {
      if (decision.type != DecisionType::kEvict) continue;
      const std::string victim = scheduler_.cluster().NameOf(decision.workload);
      const std::string taker = scheduler_.cluster().NameOf(decision.beneficiary);
      evicted_by_.emplace(taker, victim);
      EXPECT_FALSE(evicted_by_.contains({victim, taker}))
          << taker << " and " << victim << " evict each other";
    }
    last_ += "\n  " + testing::PrintToString(Decided(scheduler_, plan));
    CarryOut(plan);
    if (!plan.decisions.empty() || !changes.empty()) return false;
    if (plan.next_round) now_ = *plan.next_round;
    return !plan.next_round;
  }

  Plan Decide() {
    Plan plan = scheduler_.Round(now_);
    EXPECT_THAT(Audit(scheduler_, plan), IsEmpty())
        << testing::PrintToString(Decided(scheduler_, plan));
    EXPECT_THAT(Decided(scheduler_, scheduler_.Round(now_)), IsEmpty()) << "a second round";
    return plan;
  }

  void CarryOut(const Plan& plan) {
    evictions_ += static_cast<int>(std::ranges::count_if(
        plan.decisions, [](const Decision& d) { return d.type == DecisionType::kEvict; }));
    carried_ = world_.CarryOut(scheduler_, plan);
    scheduler_.Apply(carried_);
    EXPECT_THAT(Audit(scheduler_.cluster()), IsEmpty());
  }

  RandomWorld world_;
  Scheduler scheduler_;
  Time now_;
  std::vector<state::Change> carried_;
  std::set<std::pair<std::string, std::string>> evicted_by_;  // taker, victim
  int evictions_ = 0;
  bool quiet_ = false;
  std::string last_;  // plans, once nothing happens from outside
};

TEST(RandomEvictions, NobodyEvictsBackAndAllBecomesQuiet) {
  int evictions = 0;
  std::uint64_t clusters = 0;
  std::uint64_t circles = 0;
  std::string restless;
  const char* only = std::getenv("FAIRLEAD_SEED");  // to look at one that failed
  const std::uint64_t first = only == nullptr ? 1 : std::strtoull(only, nullptr, 10);
  for (std::uint64_t seed = first; seed <= (only == nullptr ? Soaked(300) : first); ++seed) {
    Life life(static_cast<std::uint32_t>(seed));
    if (!life.Live()) FAIL() << "seed " << seed;
    evictions += life.evictions();
    ++clusters;
    if (!life.becomes_quiet()) restless += " " + std::to_string(seed) + life.last_plans();
    if (!life.becomes_quiet()) ++circles;
  }
  // A known fault, and a rare one: docs/invariants.md, "Not held".
  EXPECT_LE(circles, clusters / 1000) << "they do not become quiet:" << restless;
  RecordProperty("evictions", evictions);
}

}  // namespace
}  // namespace fairlead::engine
