#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/kueue/cohort_tree.h"
#include "intake/kueue/flavors.h"
#include "intake/kueue/kueue_queues.h"
#include "intake/kueue/kueue_workloads.h"
#include "unit/intake/kueue.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// What Kueue's objects become, part by part: which flavors count, who may use how much, and which
// changes concern whom.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

KueueObjects Objects(const std::string& yaml) {
  KueueObjects all;
  for (const objects::Object& object : Read(yaml)) {
    if (const auto* queue = std::get_if<objects::ClusterQueue>(&object)) {
      all.cluster_queues[queue->meta.name].object = *queue;
    } else if (const auto* cohort = std::get_if<objects::Cohort>(&object)) {
      all.cohorts[cohort->meta.name].object = *cohort;
    } else if (const auto* flavor = std::get_if<objects::ResourceFlavor>(&object)) {
      all.flavors[flavor->meta.name].object = *flavor;
    }
  }
  return all;
}

TEST(FlavorsTest, SeveralAreCountedWhereALabelTellsThemApart) {
  const std::string queue = ClusterQueue("x", SpotAndDear("8", "4"));
  const KueueObjects apart = Objects(queue + Flavor("spot", "nodeLabels: {kind: spot}") +
                                     Flavor("dear", "nodeLabels: {kind: dear}"));
  const Flavors flavors(apart);
  EXPECT_EQ(flavors.Counted().size(), 2u);
  const KueueQuotas quotas = flavors.QuotasOf(apart.cluster_queues.at("x").object.groups);
  EXPECT_EQ(quotas.at("cpu").nominal, 12'000);
  EXPECT_EQ(quotas.at("cpu[spot]").nominal, 8'000);
  EXPECT_EQ(quotas.at("cpu[dear]").nominal, 4'000);

  const KueueObjects alike = Objects(queue + Flavor("spot") + Flavor("dear"));
  const Flavors first(alike);
  EXPECT_THAT(first.Counted(), IsEmpty());
  EXPECT_EQ(first.QuotasOf(alike.cluster_queues.at("x").object.groups).at("cpu").nominal, 8'000);
  EXPECT_EQ(first.DemandsOf(alike.cluster_queues.at("x").object), nullptr);

  const KueueObjects missing = Objects(queue + Flavor("spot"));
  EXPECT_THAT(Flavors(missing).MissingIn(missing.cluster_queues.at("x").object),
              ElementsAre("dear"));
}

// The example of cohort_tree.cc.
TEST(CohortTreeTest, GuaranteesAddUpAndLimitsComeDown) {
  const KueueObjects objects =
      Objects(Flavor("f") + Cohort("all", Cpu("2")) +
              Cohort("team", "parentName: all, " + Cpu("0, borrowingLimit: 1")) +
              ClusterQueue("x", "cohortName: team, " + Cpu("6")) +
              ClusterQueue("y", "cohortName: all, " + Cpu("4, borrowingLimit: 3")));
  const CohortTree tree(objects, Flavors(objects));
  const CohortTree::Node& all = tree.cohorts().at("all");
  const CohortTree::Node& team = tree.cohorts().at("team");
  EXPECT_EQ(AmountIn(all.nominal, "cpu"), 12'000);
  EXPECT_EQ(tree.LimitOfCohort(all, "cpu"), 12'000);
  EXPECT_EQ(AmountIn(team.nominal, "cpu"), 6'000);
  EXPECT_EQ(tree.LimitOfCohort(team, "cpu"), 7'000);
  EXPECT_EQ(tree.LimitOfMember(tree.ClusterQueue("x"), "cpu"), std::nullopt);
  EXPECT_EQ(tree.LimitOfMember(tree.ClusterQueue("y"), "cpu"), 7'000);
  EXPECT_EQ(tree.RootOf(tree.ClusterQueue("x")), &all);
  EXPECT_EQ(tree.Siblings(tree.ClusterQueue("y")), 1u);
}

TEST(CohortTreeTest, WhatOneKeepsTheOthersCannotReach) {
  const KueueObjects objects =
      Objects(Flavor("f") + ClusterQueue("x", "cohortName: c, " + Cpu("6, lendingLimit: 2")) +
              ClusterQueue("y", "cohortName: c, " + Cpu("4")));
  const CohortTree tree(objects, Flavors(objects));
  EXPECT_EQ(CohortTree::KeptOf(tree.ClusterQueue("x"), "cpu"), 4'000);
  EXPECT_EQ(tree.LimitOfMember(tree.ClusterQueue("y"), "cpu"), 6'000);  // 4 + 6 − 4
  EXPECT_EQ(tree.LimitOfMember(tree.ClusterQueue("x"), "cpu"), std::nullopt);
}

TEST(CohortTreeTest, OnACycleNobodyIsReached) {
  const KueueObjects objects =
      Objects(Flavor("f") + Cohort("a", "parentName: b") + Cohort("b", "parentName: a") +
              ClusterQueue("x", "cohortName: a, " + Cpu("6")));
  const CohortTree tree(objects, Flavors(objects));
  EXPECT_FALSE(tree.cohorts().at("a").reached);
  EXPECT_EQ(tree.RootOf(tree.ClusterQueue("x")), nullptr);
}

TEST(KueueQueuesTest, AQuotaThatChangesJoinsNothing) {
  Tables tables;
  Marks marks(tables);
  KueueQueues kueue(tables, marks);
  const auto nothing_taken = [](std::string_view) { return false; };
  const auto upsert = [&](const std::string& quota) {
    kueue.Upsert(One<objects::ClusterQueue>(ClusterQueue("x", Cpu(quota))), Time{});
    kueue.Remake(nothing_taken);
  };
  upsert("4");
  EXPECT_THAT(marks.TakeQueues(), ElementsAre("x"));
  EXPECT_TRUE(marks.TakeScope().queue_tree);
  upsert("4");
  EXPECT_THAT(marks.TakeQueues(), IsEmpty());
  upsert("5");
  EXPECT_THAT(marks.TakeQueues(), ElementsAre("x"));
  EXPECT_FALSE(marks.TakeScope().any());
  EXPECT_NE(kueue.FindLeaf("x"), nullptr);
  // Somebody else takes the name.
  marks.MarkQueueNames();
  kueue.Remake([](std::string_view name) { return name == "x"; });
  EXPECT_EQ(kueue.FindLeaf("x"), nullptr);
  EXPECT_NE(kueue.FindLeaf("cluster-queues/x"), nullptr);
  EXPECT_THAT(marks.TakeScope().queues, ElementsAre("cluster-queues/x", "x"));
}

TEST(KueueWorkloadsTest, TheOldestThatIsNotOverCounts) {
  Tables tables;
  Marks marks(tables);
  KueueWorkloads workloads(tables, marks);
  const auto upsert = [&](const std::string& name, const std::string& spec, int seconds) {
    workloads.Upsert(One<objects::Workload>(KueueWorkload(
                         name, OfJob("j"), spec + "podSets: [{name: main, count: 1}]")),
                     Time{seconds * 1'000'000});
  };
  upsert("old", "", 1);
  upsert("new", "", 2);
  const GangId id = tables.gangs.Find("a/j");
  ASSERT_TRUE(id.valid());
  EXPECT_EQ(tables.gangs[id].kueue->dialect_name, "a/old");
  upsert("old", "active: false, ", 1);
  EXPECT_EQ(tables.gangs[id].kueue->dialect_name, "a/new");
  EXPECT_TRUE(workloads.Remove("a/new"));
  EXPECT_EQ(tables.gangs[id].kueue->dialect_name, "a/old");
  EXPECT_TRUE(workloads.Remove("a/old"));
  EXPECT_EQ(tables.gangs[id].kueue, nullptr);
  EXPECT_FALSE(workloads.Remove("a/old"));
}

}  // namespace
}  // namespace fairlead::intake
