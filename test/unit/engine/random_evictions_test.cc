// Random clusters in which work has to give way, each through rounds in which anything happens, and
// then through rounds in which nothing does but what the plans say: those who were evicted come
// back and wait. It must become quiet, and nobody may be evicted by one whom it evicted.

#include <set>

#include <gtest/gtest.h>

#include "state/cluster.h"
#include "unit/engine/random_life.h"
#include "unit/engine/soak.h"

namespace fairlead::engine {
namespace {

class LifeOfEvictions : public RandomLife {
 public:
  explicit LifeOfEvictions(std::uint64_t seed) : RandomLife(seed, Kind::kContended) {}

 private:
  void AfterRound(const Plan& plan, bool busy) override {
    for (const Decision& decision : plan.decisions) {
      if (busy || decision.type != DecisionType::kEvict) continue;
      const std::string victim(scheduler_.cluster().NameOf(decision.workload));
      const std::string preemptor(scheduler_.cluster().NameOf(decision.beneficiary));
      evicted_by_.emplace(preemptor, victim);
      EXPECT_FALSE(evicted_by_.contains({victim, preemptor}))
          << preemptor << " and " << victim << " evict each other";
    }
  }
  bool Counts(const Decision&) const override { return true; }

  std::set<std::pair<std::string, std::string>> evicted_by_;  // preemptor, victim
};

TEST(RandomEvictions, NobodyEvictsBackAndAllBecomesQuiet) {
  int evictions = 0;
  const Seeds seeds = SeedsOf(300);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    LifeOfEvictions life(seed);
    if (!life.Live()) FAIL() << "seed " << seed;
    evictions += life.evictions();
    EXPECT_TRUE(life.becomes_quiet()) << "seed " << seed << ":" << life.last_plans();
  }
  RecordProperty("evictions", evictions);
}

}  // namespace
}  // namespace fairlead::engine
