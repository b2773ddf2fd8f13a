// The journal's lists, and readers that know nothing of each other.

#include "state/journal.h"

#include <gmock/gmock.h>

#include "state/cluster.h"

namespace fairlead::state {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NodeId N(std::uint32_t number) { return NodeId(number); }

TEST(Log, AnEntryKeepsItsPosition) {
  Log<NodeId> log;
  for (std::uint32_t i = 0; i < 5; ++i) log.Add(N(10 + i));
  log.DropBefore(3);
  log.DropBefore(2);  // gone already
  EXPECT_EQ(log.begin(), 3U);
  EXPECT_EQ(log.end(), 5U);
  EXPECT_EQ(log[4], N(14));
  EXPECT_THAT(log.Since(3), ElementsAre(N(13), N(14)));
  log.DropBefore(log.end());
  log.Add(N(20));
  EXPECT_EQ(log[5], N(20));
  EXPECT_THAT(log.Since(6), IsEmpty());
}

TEST(LogReader, HasWhatItHasNotTaken) {
  Log<NodeId> log;
  log.Add(N(1));
  LogReader<NodeId> reader(log);
  LogReader<NodeId> other(log);
  EXPECT_FALSE(reader.HasNews()) << "what was there before it";
  log.Add(N(2));
  EXPECT_TRUE(reader.HasNews());
  EXPECT_THAT(reader.News(), ElementsAre(N(2)));
  EXPECT_TRUE(reader.HasNews()) << "it was not taken";
  log.Add(N(3));
  EXPECT_THAT(reader.Take(), ElementsAre(N(2), N(3)));
  EXPECT_FALSE(reader.HasNews());
  EXPECT_THAT(other.Take(), ElementsAre(N(2), N(3))) << "nobody takes it from another";
}

TEST(LogReader, IsToldInTheOrderInWhichItHappened) {
  Log<NodeId> log;
  LogReader<NodeId> reader(log);
  LogReader<NodeId> other(log);
  log.Add(N(1));
  reader.Tell(N(2));
  log.Add(N(3));
  EXPECT_THAT(reader.Take(), ElementsAre(N(1), N(2), N(3)));
  EXPECT_THAT(other.Take(), ElementsAre(N(1), N(3)));
  reader.Tell(N(4));
  reader.Forget();
  EXPECT_FALSE(reader.HasNews());
  EXPECT_EQ(reader.position(), log.end());
}

TEST(Journal, WhoIsSetAsideRelievesNobody) {
  Cluster cluster;
  NodeChange node{.name = "n1"};
  node.allocatable = {{"cpu", 4000}, {"pods", 110}};
  cluster.Apply(node);
  cluster.Apply(QueueChange{.name = "a"});
  cluster.Settle();
  objects::PodNeeds needs;
  needs.request = {{"cpu", 1000}};
  PodChange pod{.name = "s/p", .uid = Uid("1")};
  pod.needs = std::make_shared<const objects::PodNeeds>(needs);
  pod.solo = WorkloadTraits{.queue = "a"};
  cluster.Apply(pod);
  const PodId p = cluster.pods().Find("s/p");
  cluster.SetPlaceable(cluster.pods()[p].shape, true);
  const NodeId n = cluster.nodes().Find("n1");
  LogReader<Relief> relieved(cluster.journal().relieved);
  cluster.Claim(p, n);
  cluster.SetAside(p);
  EXPECT_FALSE(relieved.HasNews());
  cluster.Claim(p, n);
  cluster.Unplace(p);
  EXPECT_THAT(relieved.Take(),
              ElementsAre(testing::Field(&Relief::queue, cluster.queues().Find("a"))));
}

}  // namespace
}  // namespace fairlead::state
