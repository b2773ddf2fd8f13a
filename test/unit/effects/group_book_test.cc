#include "effects/group_book.h"

#include <gmock/gmock.h>

#include "effects/group_status.h"
#include "unit/base/at.h"

namespace fairlead::effects {
namespace {

using state::Change;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> ConditionLines(const std::vector<Write>& writes) {
  std::vector<std::string> lines;
  for (const Write& write : writes) {
    const auto* set = std::get_if<SetGroupCondition>(&write);
    if (set == nullptr) continue;
    lines.push_back(set->group + " " + set->condition.type +
                    (set->condition.holds ? " " : " not ") + set->condition.reason);
  }
  return lines;
}

Change Group(bool native, std::string name = "a/g") {
  state::WorkloadChange change;
  change.name = std::move(name);
  change.kind = "PodGroup";
  change.announces_admission = false;
  change.shows_conditions = native;
  change.traits.queue = "q";
  change.pod_sets.push_back(
      {.name = "main", .count = 2, .min_count = 2, .expected_needs = nullptr});
  return change;
}

Change GroupPod(std::string name, state::PodState pod_state) {
  state::PodChange change;
  change.name = std::move(name);
  change.workload = "a/g";
  change.state = pod_state;
  change.needs = std::make_shared<const objects::PodNeeds>();
  if (pod_state == state::PodState::kBound) {
    change.node = "n";
    change.scheduled_time = At(1);
  }
  return change;
}

// Both books, and an engine that knows the same.
struct GroupWorld {
  GroupWorld() {
    const std::vector<Change> queue = {state::QueueChange{.name = "q"}};
    scheduler.Apply(queue);
  }
  std::vector<std::string> Tell(std::int64_t now, const std::vector<Change>& changes) {
    workloads.Apply(At(now), changes);
    groups.Apply(changes);
    scheduler.Apply(changes);
    (void)scheduler.Round(At(now));
    std::vector<std::string> lines = ConditionLines(workloads.TakeWrites());
    for (std::string& line : ConditionLines(groups.TakeWrites(scheduler, workloads, At(now)))) {
      lines.push_back(std::move(line));
    }
    return lines;
  }
  WorkloadBook workloads;
  GroupBook groups;
  engine::Scheduler scheduler;
};

TEST(GroupBook, TellsWhyOneWaitsOnceAndThatItIsPlaced) {
  GroupWorld world;
  EXPECT_THAT(world.Tell(0, {Group(true)}),
              ElementsAre("a/g PodGroupInitiallyScheduled not Unschedulable"));
  EXPECT_THAT(world.Tell(1, {Group(true)}), IsEmpty());
  EXPECT_THAT(world.Tell(2, {GroupPod("a/1", state::PodState::kPending)}),
              ElementsAre("a/g PodGroupInitiallyScheduled not Unschedulable"));
  EXPECT_THAT(world.Tell(3, {GroupPod("a/1", state::PodState::kBound),
                             GroupPod("a/2", state::PodState::kBound)}),
              ElementsAre("a/g PodGroupInitiallyScheduled Scheduled",
                          "a/g DisruptionTarget not Scheduled"));
}

TEST(GroupBook, TellsNothingOfOthers) {
  GroupWorld world;
  EXPECT_THAT(world.Tell(0, {Group(false), GroupPod("a/1", state::PodState::kPending)}), IsEmpty());
  EXPECT_THAT(world.Tell(1, {GroupPod("a/1", state::PodState::kBound),
                             GroupPod("a/2", state::PodState::kBound)}),
              IsEmpty());
}

TEST(GroupBook, LooksAtSoManyARound) {
  GroupWorld world;
  std::vector<Change> many;
  for (std::size_t i = 0; i < GroupBook::kMostARound + 3; ++i) {
    many.push_back(Group(true, "a/g" + std::to_string(i)));
  }
  EXPECT_EQ(world.Tell(0, many).size(), GroupBook::kMostARound);
  EXPECT_EQ(world.Tell(1, {}).size(), 3u);
  EXPECT_THAT(world.Tell(2, {}), IsEmpty());
}

SetGroupCondition Scheduled(bool holds, std::string message = "") {
  return {.group = "a/g",
          .condition = {.type = std::string(kGroupScheduled),
                        .holds = holds,
                        .reason = holds ? "Scheduled" : "Unschedulable",
                        .message = std::move(message),
                        .since = {}}};
}

objects::PodGroup Shown(std::string_view api_version) {
  objects::PodGroup group;
  group.api_version = api_version;
  return group;
}

TEST(GroupStatus, IsFinalOnceItIsTrue) {
  objects::PodGroup group = Shown("scheduling.k8s.io/v1beta1");
  EXPECT_TRUE(Note(Scheduled(false, "no room"), At(1), group));
  EXPECT_FALSE(Note(Scheduled(false, "no room"), At(2), group));
  // Other words do not move its time.
  EXPECT_TRUE(Note(Scheduled(false, "less room"), At(3), group));
  EXPECT_EQ(group.conditions.front().since, At(1));
  EXPECT_TRUE(Note(Scheduled(true), At(4), group));
  EXPECT_EQ(group.conditions.front().since, At(4));
  EXPECT_FALSE(Note(Scheduled(false, "no room"), At(5), group));
  ASSERT_EQ(group.conditions.size(), 1u);
  EXPECT_TRUE(group.conditions.front().holds);
}

TEST(GroupStatus, OfTheFirstVersionIsNotFinal) {
  objects::PodGroup group = Shown("scheduling.k8s.io/v1alpha2");
  EXPECT_TRUE(Note(Scheduled(true), At(1), group));
  EXPECT_EQ(group.conditions.front().type, "PodGroupScheduled");
  EXPECT_TRUE(Note(Scheduled(false, "no room"), At(2), group));
  EXPECT_FALSE(group.conditions.front().holds);
}

// That nobody makes it go is said only to one that had to.
TEST(GroupStatus, DeniesOnlyWhatWasSaid) {
  objects::PodGroup group = Shown("scheduling.k8s.io/v1beta1");
  SetGroupCondition set{.group = "a/g", .condition = {.type = std::string(kDisruptionTarget)}};
  EXPECT_FALSE(Note(set, At(1), group));
  set.condition.holds = true;
  EXPECT_TRUE(Note(set, At(2), group));
  set.condition.holds = false;
  EXPECT_TRUE(Note(set, At(3), group));
  EXPECT_EQ(group.conditions.front().since, At(3));
}

}  // namespace
}  // namespace fairlead::effects
