#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/tables/marks.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/queue_uses.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// The tables' own parts, each with nothing but tables and marks: what is marked, and what they sum.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// By name.
std::vector<std::string> TakenPods(const Tables& tables, Marks& marks) {
  std::vector<PodId> ids;
  marks.TakePods(ids);
  std::vector<std::string> names;
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) names.emplace_back(tables.pods[*id].name);
  return names;
}

TEST(MarksTest, RowsAreTakenOnceAndByName) {
  Tables tables;
  Marks marks(tables);
  const PodId b = tables.pods.Add("a/b"), a = tables.pods.Add("a/a"), gone = tables.pods.Add("a/c");
  for (const PodId id : {b, a, gone, b}) marks.Mark(id);
  tables.pods.Erase(gone);
  EXPECT_THAT(TakenPods(tables, marks), ElementsAre("a/a", "a/b"));
  EXPECT_THAT(TakenPods(tables, marks), IsEmpty());
  marks.Mark(b);
  EXPECT_THAT(TakenPods(tables, marks), ElementsAre("a/b"));
}

// The row that has the erased one's place is another, and was not marked.
TEST(MarksTest, AnErasedRowsPlaceIsNotMarked) {
  Tables tables;
  Marks marks(tables);
  const PodId id = tables.pods.Add("a/a");
  marks.Mark(id);
  tables.pods.Erase(id);
  ASSERT_EQ(tables.pods.Add("a/b"), id);
  EXPECT_THAT(TakenPods(tables, marks), IsEmpty());
}

TEST(MarksTest, WhatIsMarkedMeanwhileIsVisitedToo) {
  Tables tables;
  Marks marks(tables);
  const FamilyId first = tables.families.Add("f"), second = tables.families.Add("g");
  const GangId gang = tables.gangs.Add("a/w"), other = tables.gangs.Add("a/v");
  marks.Mark(first);
  std::vector<FamilyId> families;
  marks.TakeEachFamily([&](FamilyId id) {
    families.push_back(id);
    if (id == first) marks.Mark(second);
    marks.Mark(gang);
  });
  EXPECT_THAT(families, ElementsAre(first, second));
  std::vector<GangId> gangs;
  for (int i = 0; i < 2; ++i) {  // they stay marked
    marks.ForEachGang([&](GangId id) {
      gangs.push_back(id);
      marks.Mark(other);
    });
  }
  EXPECT_THAT(gangs, ElementsAre(gang, other, gang, other));
  EXPECT_THAT(marks.TakeGangs(), ElementsAre(other, gang));  // by name
}

TEST(MarksTest, RemovalsComeByKindAndName) {
  Tables tables;
  Marks marks(tables);
  marks.Removed(state::RowKind::kPod, "a/b");
  marks.Removed(state::RowKind::kNode, "z");
  marks.Removed(state::RowKind::kPod, "a/a");
  const std::vector<state::Removal> removals = marks.TakeRemovals();
  std::vector<std::string> names;
  for (const state::Removal& removal : removals) names.push_back(removal.name);
  EXPECT_THAT(names, removals.front().kind == state::RowKind::kNode
                         ? ElementsAre("z", "a/a", "a/b")
                         : ElementsAre("a/a", "a/b", "z"));
  EXPECT_THAT(marks.TakeRemovals(), IsEmpty());
}

TEST(QueueUsesTest, TheFirstAndTheLastUseAreTold) {
  Tables tables;
  Marks marks(tables);
  QueueUses uses(tables, marks);
  const NameId q = tables.names.Intern("q"), r = tables.names.Intern("r");
  uses.Move(Names::kEmpty, q);
  EXPECT_THAT(marks.TakeQueues(), ElementsAre("q"));
  uses.Move(Names::kEmpty, q);
  uses.Move(q, q);
  EXPECT_THAT(marks.TakeQueues(), IsEmpty());
  uses.Move(q, r);
  EXPECT_THAT(marks.TakeQueues(), ElementsAre("r"));
  EXPECT_TRUE(uses.IsUsed("q"));
  uses.Move(q, Names::kEmpty);
  EXPECT_THAT(marks.TakeQueues(), ElementsAre("q"));
  EXPECT_FALSE(uses.IsUsed("q"));
  EXPECT_FALSE(uses.IsUsed("never named"));
}

struct Pool {
  Tables tables;
  Marks marks{tables};
  NodePool pool{tables, marks};

  void Upsert(const std::string& yaml) {
    for (const objects::Object& node : Read(yaml)) pool.Upsert(std::get<objects::Node>(node));
  }
  void Select(const objects::Labels& labels) {
    objects::SchedulerConfiguration configuration;
    configuration.node_selector = labels;
    tables.configuration = std::make_shared<const objects::SchedulerConfiguration>(configuration);
    pool.SelectAnew();
  }
  bool IsOutside(std::string_view node) { return pool.IsOutside(tables.names.Intern(node)); }
  std::int64_t Cpu() const { return static_cast<std::int64_t>(pool.allocatable().at("cpu")); }
};

TEST(NodePoolTest, SumsFollowTheNodes) {
  Pool world;
  world.Upsert(Node("n1", "cpu: 4") + Node("n2", "cpu: 8, memory: 1Ki"));
  EXPECT_EQ(world.pool.size(), 2);
  EXPECT_EQ(world.Cpu(), 12'000);
  EXPECT_EQ(world.marks.TakeNodes().size(), 2u);
  const std::uint64_t version = world.pool.version();
  world.Upsert(Node("n1", "cpu: 4"));  // says nothing new
  EXPECT_EQ(world.pool.version(), version);
  EXPECT_THAT(world.marks.TakeNodes(), IsEmpty());
  world.Upsert(Node("n1", "cpu: 6"));
  EXPECT_GT(world.pool.version(), version);
  EXPECT_EQ(world.Cpu(), 14'000);
  EXPECT_TRUE(world.pool.Remove("n2"));
  EXPECT_FALSE(world.pool.Remove("n2"));
  EXPECT_EQ(world.Cpu(), 6'000);
  EXPECT_EQ(world.pool.size(), 1);
}

TEST(NodePoolTest, TheSelectorDecidesWhoIsInside) {
  Pool world;
  world.Upsert(Node("in", "cpu: 4", "labels: {pool: ours}") + Node("out", "cpu: 8"));
  world.marks.TakeNodes();
  EXPECT_FALSE(world.IsOutside("out"));
  EXPECT_FALSE(world.IsOutside("not there"));
  world.pool.TakeMoved();
  world.Select({{"pool", "ours"}});
  EXPECT_TRUE(world.IsOutside("out"));
  EXPECT_FALSE(world.IsOutside("in"));
  EXPECT_EQ(world.Cpu(), 4'000);
  EXPECT_TRUE(world.pool.TakeMoved());
  EXPECT_FALSE(world.pool.TakeMoved());
  EXPECT_EQ(world.marks.TakeNodes().size(), 1u);
  world.pool.Remove("out");  // nothing is known of it any more
  EXPECT_FALSE(world.IsOutside("out"));
}

}  // namespace
}  // namespace fairlead::intake
