// Random clusters in which work moves for other work, each through rounds in which anything
// happens, and then through rounds in which nothing does but what the plans say: who moves comes
// back, and has his place. In each a newcomer who sees all decides the same. It must become quiet.

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "state/cluster.h"
#include "unit/engine/random_life.h"
#include "unit/engine/soak.h"

namespace fairlead::engine {
namespace {

class LifeOfMoves : public RandomLife {
 public:
  explicit LifeOfMoves(std::uint64_t seed) : RandomLife(seed, Kind::kMoves) {}

  int moved() const { return moved_; }
  int landed() const { return landed_; }

 private:
  void AfterRound(const Plan& plan, bool busy) override {
    const state::Cluster& cluster = scheduler_.cluster();
    for (const Decision& decision : plan.decisions) {
      const std::string name(decision.workload.valid() ? cluster.NameOf(decision.workload) : "");
      if (decision.type == DecisionType::kLand && decision.pod.valid()) ++moved_;
      if (decision.type == DecisionType::kLand && !decision.pod.valid() &&
          cluster.workloads().landings(decision.workload) == nullptr) {
        ++landed_;
      }
      const bool moves = decision.type == DecisionType::kEvict &&
                         decision.action == policy::RoomAction::kConsolidate;
      if (!moves || cluster.workloads()[decision.workload].solo()) continue;
      const auto [last, first] = moved_at_.try_emplace(name, plan.now);
      const Duration cooldown = cluster.configuration().consolidation.cooldown;
      const bool same_move = last->second == plan.now;
      if (!first && !same_move && !busy) {
        EXPECT_GE(plan.now, last->second + cooldown) << name << " moves again";
      }
      last->second = plan.now;
    }
  }
  void AtRest() override {
    EXPECT_TRUE(scheduler_.cluster().workloads().WithLandings().empty());
    for (std::uint32_t i = 0; i < scheduler_.cluster().workloads().size(); ++i) {
      const state::Workload& workload = scheduler_.cluster().workloads()[state::WorkloadId(i)];
      EXPECT_FALSE(workload.in_use && (workload.is_landing || workload.is_moving));
    }
  }
  bool Counts(const Decision& eviction) const override {
    return eviction.action == policy::RoomAction::kConsolidate;
  }

  std::map<std::string, Time> moved_at_;
  int moved_ = 0, landed_ = 0;
};

TEST(RandomMoves, NewcomersDecideTheSameAndAllBecomesQuiet) {
  int moved = 0, landed = 0;
  const Seeds seeds = SeedsOf(300);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    LifeOfMoves life(seed);
    if (!life.Live()) FAIL() << "seed " << seed;
    moved += life.moved();
    landed += life.landed();
    EXPECT_TRUE(life.becomes_quiet()) << "seed " << seed << ":" << life.last_plans();
  }
  EXPECT_GT(moved, Enough(15));
  EXPECT_GT(landed, Enough(10));
  RecordProperty("moves", moved);
}

// Lives in which a newcomer looked again earlier: one whose room came anyway was told when others
// might move, if those had been asked; and a gang that came to rest was not seen to lack pods.
TEST(RandomMoves, NewcomersLookAgainAtTheSameTime) {
  for (const std::uint64_t seed : {1603, 1710, 3767}) {
    LifeOfMoves life(seed);
    EXPECT_TRUE(life.Live()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fairlead::engine
