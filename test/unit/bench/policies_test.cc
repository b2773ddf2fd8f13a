// The reference policies, each by a small world whose starts are worked out by hand.

#include "bench/backfill/policies.h"

#include <map>

#include <gmock/gmock.h>

#include "bench/backfill/draws.h"
#include "bench/backfill/models.h"

namespace fairlead::bench {
namespace {

using testing::ElementsAre;

struct Asked {
  std::int64_t submit, processors, run, times = 1;
};

Log LogFrom(std::int64_t processors, const std::vector<Asked>& asked) {
  Log log{.nodes = processors};
  for (const Asked& one : asked) {
    log.jobs.push_back({.number = static_cast<std::int64_t>(log.jobs.size()) + 1,
                        .submit = one.submit,
                        .run = one.run,
                        .limit = one.run * one.times,
                        .processors = one.processors});
  }
  return log;
}

// 4 processors. A holds three of them until 10; B wants all. C runs for 8 and would be gone when B
// can start; D for 20.
const std::vector<Asked> kShortAndLong = {{0, 3, 10}, {1, 4, 5}, {2, 1, 8}, {3, 1, 20}};

// B 10–15, then both.
TEST(Policies, FirstComeLetsNobodyBy) {
  EXPECT_THAT(StartsOf(Policy::kFcfs, LogFrom(4, kShortAndLong)), ElementsAre(0, 10, 15, 15));
}

// C ends at 10 as A does. D does not, and B takes all.
TEST(Policies, EasyLetsByWhoIsGoneInTime) {
  EXPECT_THAT(StartsOf(Policy::kEasy, LogFrom(4, kShortAndLong)), ElementsAre(0, 10, 2, 15));
}

// Nobody could know that C would be gone in time: its limit is 16, and 2 + 16 > 10.
TEST(Policies, EasyGoesByLimits) {
  EXPECT_THAT(StartsOf(Policy::kEasy, LogFrom(4, {{0, 3, 10}, {1, 4, 5}, {2, 1, 8, 2}})),
              ElementsAre(0, 10, 15));
}

// At 10, where A and C end, B is asked first; a C that runs until 11 lets D by, and B waits for it.
TEST(Policies, GreedyLetsAnybodyBy) {
  EXPECT_THAT(StartsOf(Policy::kGreedy, LogFrom(4, kShortAndLong)), ElementsAre(0, 10, 2, 15));
  EXPECT_THAT(StartsOf(Policy::kGreedy, LogFrom(4, {{0, 3, 10}, {1, 4, 5}, {2, 1, 9}, {3, 1, 20}})),
              ElementsAre(0, 30, 2, 10));
}

// 4 processors: what EASY lets by moves who is not the head, C; see policies.cc.
const std::vector<Asked> kSecondInLine = {{0, 2, 10}, {1, 3, 10}, {2, 4, 10}, {3, 1, 30}};

TEST(Policies, OnlyTheHeadHasAReservation) {
  EXPECT_THAT(StartsOf(Policy::kFcfs, LogFrom(4, kSecondInLine)), ElementsAre(0, 10, 20, 30));
  EXPECT_THAT(StartsOf(Policy::kEasy, LogFrom(4, kSecondInLine)), ElementsAre(0, 10, 33, 3));
  EXPECT_THAT(StartsOf(Policy::kConservative, LogFrom(4, kSecondInLine)),
              ElementsAre(0, 10, 20, 30));
  EXPECT_THAT(StartsOf(Policy::kGreedy, LogFrom(4, kSecondInLine)), ElementsAre(0, 10, 33, 3));
}

// 4 processors, limits three times the run times. A is sure to be gone at 30, B has [30, 45) and C,
// which two processors beside A would do for 36, [45, 81): it would be in B's way. At 10 A is gone:
// B moves to 10, and C to 25, by B's limit. B is gone at 15, and C moves there.
TEST(Policies, ReservationsMoveWhereWorkEndsEarly) {
  EXPECT_THAT(
      StartsOf(Policy::kConservative, LogFrom(4, {{0, 2, 10, 3}, {1, 4, 5, 3}, {2, 2, 12, 3}})),
      ElementsAre(0, 10, 15));
}

// The same in which C ends, by its limit, when A surely does: it need not wait.
TEST(Policies, HolesAreFilledConservatively) {
  EXPECT_THAT(
      StartsOf(Policy::kConservative, LogFrom(4, {{0, 2, 10, 3}, {1, 4, 5, 3}, {2, 2, 7, 4}})),
      ElementsAre(0, 10, 2));
}

Log RandomLog(std::uint64_t seed, std::int64_t times) {
  Draws draws(seed);
  std::vector<Asked> asked;
  std::int64_t at = 0;
  for (int i = 0; i < 60; ++i) {
    at += draws.Between(0, 6);
    asked.push_back({at, draws.Between(1, 8), draws.Between(1, 20), draws.Between(1, times)});
  }
  return LogFrom(8, asked);
}

// Nobody starts before it came, and never is more in use than there is.
TEST(Policies, NoMachineIsOverfull) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Log log = RandomLog(seed, 4);
    for (const Policy policy : kPolicies) {
      const std::vector<std::int64_t> starts = StartsOf(policy, log);
      std::map<std::int64_t, std::int64_t> change;
      for (std::size_t i = 0; i < starts.size(); ++i) {
        ASSERT_GE(starts[i], log.jobs[i].submit) << NameOf(policy) << ", seed " << seed;
        change[starts[i]] += log.jobs[i].processors;
        change[starts[i] + log.jobs[i].run] -= log.jobs[i].processors;
      }
      std::int64_t used = 0;
      for (const auto& [time, by] : change) {
        ASSERT_LE(used += by, log.processors()) << NameOf(policy) << ", seed " << seed;
      }
    }
  }
}

// What came later never moves who has a reservation: with it or without it, by limits alone, all
// before it start at the same moment. Where ends are early they may move, but only to the better.
TEST(Policies, LaterWorkMovesNobodyConservatively) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Log log = RandomLog(seed, 1);
    const std::vector<std::int64_t> all = StartsOf(Policy::kConservative, log);
    log.jobs.pop_back();
    const std::vector<std::int64_t> fewer = StartsOf(Policy::kConservative, log);
    ASSERT_TRUE(std::equal(fewer.begin(), fewer.end(), all.begin())) << "seed " << seed;
  }
}

// The head, which would start as soon as it can, is what EASY promises; so a world of nothing but
// whole machines is the same under all of them.
TEST(Policies, WholeMachinesAreOneQueue) {
  const Log log = LogFrom(4, {{0, 4, 10, 3}, {1, 4, 5}, {2, 4, 1}, {3, 4, 7, 10}});
  for (const Policy policy : kPolicies) {
    EXPECT_THAT(StartsOf(policy, log), ElementsAre(0, 10, 15, 16)) << NameOf(policy);
  }
}

}  // namespace
}  // namespace fairlead::bench
