// A gang in a rack that loses a node, in a virtual cluster: what becomes of its pods and its
// Workload where these are to start anew.

#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

std::string NodeOfRack(std::string_view name, std::string_view cpu, std::string_view rack) {
  return Node(name, "cpu: " + std::string(cpu), "labels: {rack: " + std::string(rack) + "}");
}

// A gang of three in rack r1, which it fills.
std::string GangInRack() {
  return NodeOfRack("n1", "2", "r1") + NodeOfRack("n2", "1", "r1") + NodeOfRack("n3", "4", "r2") +
         Object("fairlead.dev/v1alpha1", "Topology", "fabric", "", "levels: [rack]") +
         Object("fairlead.dev/v1alpha1", "Workload", "w", "namespace: a",
                "topology: {required: rack, onTopologyBroken: Restart}, podSets: [{count: 3, "
                "template: " +
                    Template("1") + "}]");
}

// Since when, by its condition; absent: it does not hold.
std::optional<Time> BrokenSince(const Simulated& run) {
  return std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "w")).BrokenSince();
}

TEST(BrokenTopology, ItStartsAnewInAnotherRackAfterItsGrace) {
  Simulated run(GangInRack());
  run.Until(60);
  EXPECT_THAT(run.Pods(), ElementsAre("a/w-main-0 Running n1", "a/w-main-1 Running n1",
                                      "a/w-main-2 Running n2"));
  ASSERT_TRUE(run.cluster.Delete("Node", "", "n2"));
  run.Until(659);
  EXPECT_THAT(run.Pods(),
              ElementsAre("a/w-main-0 Running n1", "a/w-main-1 Running n1", "a/w-main-2 Pending"));
  EXPECT_EQ(BrokenSince(run), Begin() + Duration::Seconds(60));
  EXPECT_THAT(run.Until(700), IsSupersetOf({"660s Evict a/w-main-0 n1 TopologyBroken",
                                            "660s Evict a/w-main-1 n1 TopologyBroken",
                                            "660s Stop a/w", "660s Admit a/w main=3"}));
  EXPECT_THAT(run.Pods(), ElementsAre("a/w-main-0 Running n3", "a/w-main-1 Running n3",
                                      "a/w-main-2 Running n3"));
  EXPECT_EQ(BrokenSince(run), std::nullopt);
  EXPECT_EQ(std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "w")).stops, 0);
}

TEST(BrokenTopology, ANodeThatComesBackInItsGraceEndsIt) {
  Simulated run(GangInRack());
  run.Until(60);
  ASSERT_TRUE(run.cluster.Delete("Node", "", "n2"));
  run.Until(600);
  EXPECT_TRUE(BrokenSince(run));
  run.Submit(NodeOfRack("n2", "1", "r1"));
  run.Until(2000);
  EXPECT_THAT(run.Pods(), ElementsAre("a/w-main-0 Running n1", "a/w-main-1 Running n1",
                                      "a/w-main-2 Running n2"));
  EXPECT_EQ(BrokenSince(run), std::nullopt);
}

}  // namespace
}  // namespace fairlead::virtual_cluster
