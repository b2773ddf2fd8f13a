#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/quota/min_sums.h"
#include "intake/quota/quotas.h"
#include "intake/quota/resource_quotas.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// ElasticQuotas alone with tables and marks: their sums, their queues' names, what they mark.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MinSumsTest, AResourceThatNobodyNamesIsNone) {
  MinSums sums;
  sums.Count({{"cpu", 4}, {"gpu", 0}}, +1);
  sums.Count({{"cpu", 3}}, +1);
  EXPECT_EQ(sums.AsList(), (objects::ResourceList{{"cpu", 7}, {"gpu", 0}}));
  sums.Count({{"cpu", 4}, {"gpu", 0}}, -1);
  EXPECT_EQ(sums.AsList(), (objects::ResourceList{{"cpu", 3}}));
  EXPECT_EQ(sums.Of("gpu"), WideInt{0});
}

TEST(MinSumsTest, SumsDoNotOverflow) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  MinSums sums;
  sums.Count({{"cpu", kMost}}, +1);
  sums.Count({{"cpu", kMost}}, +1);
  EXPECT_EQ(sums.Of("cpu"), 2 * WideInt{kMost});
  EXPECT_EQ(sums.AsList(), (objects::ResourceList{{"cpu", kMost}}));
}

TEST(MinSumsTest, AboveWhatThePoolHas) {
  Tables tables;
  Marks marks(tables);
  NodePool pool(tables, marks);
  MinSums sums;
  sums.Count({{"cpu", 4'000}, {"gpu", 1}}, +1);
  EXPECT_THAT(sums.Above(pool), IsEmpty());  // no node is known
  pool.Upsert(One<objects::Node>(Node("n", "cpu: 4")));
  EXPECT_THAT(sums.Above(pool), ElementsAre("gpu"));
  sums.Count({{"cpu", 1}}, +1);
  EXPECT_THAT(sums.Above(pool), ElementsAre("cpu", "gpu"));
}

TEST(ResourceQuotasTest, TheLeastOfSeveralCounts) {
  ResourceQuotas quotas;
  EXPECT_TRUE(quotas.Upsert(One<objects::ResourceQuota>(Hard("x", "requests.cpu: 4"))));
  EXPECT_TRUE(quotas.Upsert(One<objects::ResourceQuota>(Hard("y", "requests.cpu: 3"))));
  ASSERT_TRUE(quotas.AllowedIn("a"));
  EXPECT_EQ(quotas.AllowedIn("a")->names, "a/x, a/y");
  EXPECT_EQ(quotas.AllowedIn("a")->hard.front().second, 3'000);
  EXPECT_FALSE(quotas.AllowedIn("ab"));
  // One with scopes says nothing of the other pods.
  EXPECT_TRUE(quotas.Upsert(
      One<objects::ResourceQuota>(Hard("y", "requests.cpu: 3", ", scopes: [BestEffort]"))));
  EXPECT_EQ(quotas.AllowedIn("a")->names, "a/x");
  EXPECT_FALSE(quotas.Remove("a/y"));
  EXPECT_TRUE(quotas.Remove("a/x"));
  EXPECT_FALSE(quotas.AllowedIn("a"));
}

struct QuotasAlone {
  Tables tables;
  Marks marks{tables};
  NodePool pool{tables, marks};
  Quotas quotas{tables, marks, pool};

  void Upsert(const std::string& yaml) { quotas.Upsert(One<objects::ElasticQuota>(yaml), Time{}); }
};

TEST(QuotasTest, AQuotaAlwaysHasAQueue) {
  QuotasAlone world;
  world.Upsert(Quota("a", "min: {cpu: 1}"));
  EXPECT_THAT(world.marks.TakeQueues(), ElementsAre("a", "elastic-quotas"));
  ASSERT_TRUE(world.quotas.QueueNamed("a"));
  EXPECT_EQ(world.quotas.QueueNamed("a")->parent, kElasticQuotas);
  EXPECT_EQ(*world.quotas.OwnerOf("a"), "a");
  EXPECT_TRUE(world.marks.TakeQueueNames());
  EXPECT_THAT(world.marks.TakeScope().name_spaces, ElementsAre("a"));

  world.tables.queues["a"];  // a Queue takes the name
  world.quotas.NameQueue("a");
  EXPECT_FALSE(world.quotas.QueueNamed("a"));
  EXPECT_TRUE(world.quotas.QueueNamed("elastic-quotas/a"));
  EXPECT_EQ(world.quotas.SpaceOf("a")->queue, "elastic-quotas/a");
  EXPECT_THAT(world.marks.TakeScope().quota_queues, ElementsAre("a", "elastic-quotas/a"));

  EXPECT_TRUE(world.quotas.Remove("a", "q"));
  EXPECT_FALSE(world.quotas.any());
  EXPECT_EQ(world.quotas.OwnerOf("elastic-quotas/a"), nullptr);
}

TEST(QuotasTest, AMinThatChangesJoinsNothing) {
  QuotasAlone world;
  world.Upsert(Quota("a", "min: {cpu: 1}"));
  world.marks.TakeScope();
  world.marks.TakeQueues();
  world.Upsert(Quota("a", "min: {cpu: 2}"));
  EXPECT_FALSE(world.marks.TakeScope().any());
  EXPECT_THAT(world.marks.TakeQueues(), ElementsAre("a", "elastic-quotas"));
  EXPECT_EQ(world.quotas.Parent().limit, (objects::ResourceList{{"cpu", 2'000}}));
}

TEST(QuotasTest, OwnersAreToldOnceWhatChanged) {
  QuotasAlone world;
  world.Upsert(Quota("a", "min: {cpu: 4}"));
  world.Upsert(Quota("b", "min: {gpu: 1}"));
  std::vector<state::Change> out;
  world.quotas.Take(out);
  EXPECT_EQ(out.size(), 2u);
  world.quotas.Take(out);
  EXPECT_EQ(out.size(), 2u);
  // The cluster is too small for what a has: that concerns a alone.
  world.pool.Upsert(One<objects::Node>(Node("n", "cpu: 1, gpu: 1")));
  world.quotas.Take(out);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(std::get<state::QuotaChange>(out[2]).name, "a/q");
  EXPECT_EQ(std::get<state::QuotaChange>(out[2]).problems.at(0).code, "MinAboveCluster");
  world.quotas.Remove("a", "q");
  world.quotas.Take(out);
  EXPECT_EQ(out.size(), 3u);
  EXPECT_EQ(world.marks.TakeRemovals().at(0).name, "a/q");
}

}  // namespace
}  // namespace fairlead::intake
