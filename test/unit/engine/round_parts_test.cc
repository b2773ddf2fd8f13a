// The parts of a round, each by itself: on one node of 4 cores, without the phases around them.

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "engine/round/claims.h"
#include "engine/round/gang_starts.h"
#include "engine/round/job_admission.h"
#include "engine/round/kept_answers.h"
#include "engine/round/placements.h"
#include "engine/round/reserved_nodes.h"
#include "engine/round/room_lacks.h"
#include "engine/round/run_time_limits.h"
#include "engine/round/standing_refusals.h"
#include "engine/round/vacated.h"
#include "unit/base/at.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::PodId;
using state::WorkloadId;
using testing::ElementsAre;
using testing::IsEmpty;

class RoundParts : public testing::Test {
 protected:
  RoundParts() {
    state::NodeChange node{.name = "n1"};
    node.allocatable = {{"cpu", 4000}, {"pods", 110}};
    cluster_.Apply(node);
    cluster_.Apply(state::QueueChange{.name = "a"});
    cluster_.Settle();
    context_.now = At(100);
    placer_.CatchUp();
    plan_.Begin(context_.now);
  }

  static state::NeedsPtr Cores(std::int64_t cores) {
    objects::PodNeeds needs;
    needs.request = {{"cpu", 1000 * cores}};
    return std::make_shared<const objects::PodNeeds>(std::move(needs));
  }
  WorkloadId AddGang(const std::string& name, std::int32_t count, std::int32_t min_count) {
    state::WorkloadChange gang{.name = name, .kind = "Workload", .uid = name};
    gang.traits.queue = "a";
    gang.pod_sets = {{.name = "main", .count = count, .min_count = min_count}};
    cluster_.Apply(gang);
    return state::FindWorkload(cluster_, name);
  }
  PodId AddPod(const std::string& name, const std::string& gang, const std::string& node = "") {
    state::PodChange pod{.name = name, .uid = Uid(name), .needs = Cores(1), .node = node};
    pod.state = node.empty() ? state::PodState::kPending : state::PodState::kBound;
    pod.workload = gang;
    if (!node.empty()) pod.scheduled_time = At(50);
    cluster_.Apply(pod);
    placer_.CatchUp();
    return cluster_.pods().Find(name);
  }
  NodeId Node() const { return cluster_.nodes().Find("n1"); }

  state::Cluster cluster_;
  Placer placer_{cluster_};
  Backlog backlog_{cluster_};
  MakeRoom room_{cluster_, placer_, nullptr};
  PlanWriter plan_;
  RoundContext context_{cluster_, placer_, backlog_, room_, plan_};
  GangStarts starts_{context_};
  JobAdmission admission_{context_, starts_};
  Placements placements_{context_, admission_};
  Claims claims_{context_, admission_, placements_};
};

// Room for two of its three pods is none.
TEST_F(RoundParts, AGangIsAskedAgainOnceAllOfItMayHaveRoom) {
  const WorkloadId gang = AddGang("s/g", 3, 3);
  std::vector<PodId> pods;
  for (const std::string name : {"s/g-0", "s/g-1", "s/g-2"}) pods.push_back(AddPod(name, "s/g"));
  AddGang("s/h", 2, 2);
  AddPod("s/h-0", "s/h", "n1");
  AddPod("s/h-1", "s/h", "n1");
  const state::ShapeId shape = cluster_.pods()[pods.front()].shape;
  const std::vector<GangPart> parts = {{.pod_set = 0, .shape = shape, .pods = pods, .expected = 0}};
  RoomLacks lacks(cluster_);
  const GroupId group(7U);
  const auto wait = [&] {
    for (const RoomLacks::Lack& lack : lacks.Of(gang, parts, true, true)) {
      lacks.Wait(lack, group, [](GroupId) { return true; });
    }
  };
  const auto met = [&](bool whole) {
    return lacks.TakeMet({Node()}, placer_, state::When::kNow, whole);
  };
  wait();
  EXPECT_THAT(met(true), IsEmpty());
  EXPECT_THAT(met(false), ElementsAre(group));
  wait();
  cluster_.Apply(state::Removal{.kind = state::RowKind::kPod, .name = "s/h-1"});
  placer_.CatchUp();
  EXPECT_THAT(met(true), ElementsAre(group));
}

TEST_F(RoundParts, ALimitFollowsTheStartAndWhatItsObjectSays) {
  RunTimeLimits limits(context_, starts_);
  const auto set_limit = [&](std::int64_t seconds) {
    state::WorkloadChange gang{.name = "s/g", .kind = "Workload", .uid = "s/g"};
    gang.traits.queue = "a";
    state::RunTime& run_time = gang.traits.run_time.Edit();
    run_time.limit = Duration::Seconds(seconds);
    run_time.own_limit = state::OwnLimit{.after = Duration::Seconds(seconds)};
    gang.pod_sets = {{.name = "main", .count = 1, .min_count = 1}};
    cluster_.Apply(gang);
    return state::FindWorkload(cluster_, "s/g");
  };
  const WorkloadId w = set_limit(60);
  EXPECT_EQ(limits.NextDue(), std::nullopt) << "it waits";
  AddPod("s/g-0", "s/g", "n1");
  starts_.Refresh(w);
  EXPECT_EQ(limits.NextDue(), At(110));
  set_limit(30);
  EXPECT_EQ(limits.NextDue(), At(80));
  set_limit(80);
  EXPECT_EQ(limits.NextDue(), At(130));
  EXPECT_FALSE(limits.Serve());
  context_.now = At(130);
  EXPECT_TRUE(limits.Serve());
  EXPECT_EQ(limits.NextDue(), std::nullopt);
  EXPECT_FALSE(limits.Serve());
  const Plan plan = plan_.Finish(std::nullopt);
  ASSERT_EQ(plan.decisions.size(), 1U);
  EXPECT_EQ(plan.decisions[0].type, DecisionType::kEvict);
  EXPECT_EQ(plan.decisions[0].action, policy::RoomAction::kRunTimeLimit);
  EXPECT_TRUE(cluster_.workloads()[w].held);
  // Gone before it is due, and its number another's.
  cluster_.Apply(state::Removal{state::RowKind::kPod, "s/g-0"});
  cluster_.Apply(state::Removal{state::RowKind::kWorkload, "s/g"});
  AddGang("s/h", 1, 1);
  EXPECT_EQ(limits.NextDue(), std::nullopt);
}

TEST_F(RoundParts, AGangStartsWithItsMinimumAndStopsWithItsLastPod) {
  const WorkloadId w = AddGang("s/g", 2, 2);
  AddPod("s/g-0", "s/g", "n1");
  starts_.Refresh(w);
  EXPECT_FALSE(cluster_.workloads()[w].started());
  AddPod("s/g-1", "s/g", "n1");
  starts_.Refresh(w);
  EXPECT_TRUE(cluster_.workloads()[w].started());
  cluster_.Apply(state::Removal{state::RowKind::kPod, "s/g-0"});
  starts_.Refresh(w);
  EXPECT_TRUE(cluster_.workloads()[w].started()) << "single pods are replaced";
  cluster_.Apply(state::Removal{state::RowKind::kPod, "s/g-1"});
  starts_.Refresh(w);
  EXPECT_FALSE(cluster_.workloads()[w].started());
}

TEST_F(RoundParts, AGangCountsAsStartedWhenTheClusterSaysSo) {
  const WorkloadId w = AddGang("s/g", 2, 2);
  const auto show_bound = [&](const std::string& name, Time scheduled) {
    state::PodChange pod{.name = name, .uid = Uid(name), .needs = Cores(1), .node = "n1"};
    pod.state = state::PodState::kBound;
    pod.workload = "s/g";
    pod.scheduled_time = scheduled;
    cluster_.Apply(pod);
    starts_.Refresh(w);
  };
  const std::vector<PodId> pods = {AddPod("s/g-0", "s/g"), AddPod("s/g-1", "s/g")};
  for (const PodId p : pods) cluster_.Place(p, Node());
  placements_.Give(w, pods);
  ASSERT_EQ(cluster_.workloads()[w].start, At(100));
  show_bound("s/g-0", At(101));
  EXPECT_EQ(cluster_.workloads()[w].start, At(100)) << "half of it is shown";
  show_bound("s/g-1", At(102));
  EXPECT_EQ(cluster_.workloads()[w].start, At(102));
  show_bound("s/g-0", At(103));
  EXPECT_EQ(cluster_.workloads()[w].start, At(102)) << "its start stays";
}

TEST_F(RoundParts, WhoIsPlacedIsBoundAndHasStarted) {
  const WorkloadId w = AddGang("s/g", 1, 1);
  const PodId p = AddPod("s/g-0", "s/g");
  cluster_.Place(p, Node());
  placements_.Give(w, {p});
  EXPECT_TRUE(placements_.BoundByThisPlan(p));
  EXPECT_EQ(cluster_.workloads()[w].start, context_.now);
  EXPECT_EQ(placements_.NumberOf(w), 1U);
}

TEST_F(RoundParts, AClaimIsTakenUpOnceItsRoomIsFree) {
  AddGang("s/old", 1, 1);
  const PodId old = AddPod("s/old-0", "s/old", "n1");
  const WorkloadId w = AddGang("s/g", 4, 4);
  std::vector<PodId> pods;
  for (const char* name : {"s/g-0", "s/g-1", "s/g-2", "s/g-3"}) pods.push_back(AddPod(name, "s/g"));
  cluster_.Evict(old);
  for (PodId p : pods) cluster_.Claim(p, Node());
  claims_.Note(w);
  EXPECT_THAT(claims_.Outranked(cluster_.workloads()[w].queue, 1), ElementsAre(w));
  EXPECT_FALSE(claims_.Outranks(cluster_.workloads()[w].queue, 0)) << "the same priority";
  claims_.Serve();
  EXPECT_TRUE(cluster_.pods()[pods[3]].claims()) << "the old pod has not left";
  cluster_.Apply(state::Removal{state::RowKind::kPod, "s/old-0"});
  claims_.Serve();
  for (PodId p : pods) EXPECT_TRUE(plan_.Binds(p));
  EXPECT_FALSE(claims_.Outranks(cluster_.workloads()[w].queue, 1));
}

// Two gangs that ask the same, and one that asks as much in another pod.
TEST_F(RoundParts, AnAnswerIsForAllThatAskTheSameUntilTheNextStep) {
  AddGang("s/old", 1, 1);
  const PodId old = AddPod("s/old-0", "s/old", "n1");
  auto step_of = [this](const std::string& gang, std::vector<PodId> pods) {
    const WorkloadId w = AddGang(gang, 2, 2);
    for (const char* name : {"-0", "-1"}) pods.push_back(AddPod(gang + name, gang));
    const state::Workload& workload = cluster_.workloads()[w];
    return RoomStep{
        .workload = w,
        .queue = workload.queue,
        .parts = {{.pod_set = 0, .shape = cluster_.pods()[pods[0]].shape, .pods = pods}}};
  };
  const RoomStep first = step_of("s/a", {});
  const RoomStep second = step_of("s/b", {});
  RoomStep third = step_of("s/c", {});
  third.priority = 1;
  using Act = state::Trial::Act;
  KeptAnswers kept(cluster_);
  EXPECT_EQ(kept.Find(first, 7), nullptr);
  kept.Keep(first, 7,
            {.step = first,
             .given = true,
             .acts = {{Act::kEvict, old, Node()},
                      {Act::kPut, first.parts[0].pods[0], Node()},
                      {Act::kPut, first.parts[0].pods[1], Node()}}});
  EXPECT_NE(kept.Find(second, 7), nullptr);
  EXPECT_EQ(kept.Find(third, 7), nullptr);
  {
    state::Trial trial(cluster_);
    EXPECT_TRUE(kept.Redo(second, 7, trial).has_value());
    for (PodId p : second.parts[0].pods) EXPECT_TRUE(cluster_.pods()[p].claims());
    for (PodId p : first.parts[0].pods) EXPECT_TRUE(cluster_.pods()[p].waits());
    EXPECT_EQ(kept.Find(second, 7), nullptr) << "it holds room: it is like nobody else";
  }
  state::Trial trial(cluster_);
  EXPECT_FALSE(kept.Redo(second, 8, trial).has_value()) << "a step has come between";
}

// Four cores, held by pods of a gang that is protected until 150; three are asked.
TEST_F(RoundParts, ARefusalStandsAsLongAsTooLittleMayComeFree) {
  objects::SchedulerConfiguration configuration;
  configuration.reclaim_min_runtime = Duration::Seconds(100);
  cluster_.Apply(state::ConfigurationChange{
      std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  cluster_.Apply(state::QueueChange{.name = "b"});
  cluster_.Settle();
  state::WorkloadChange gang{.name = "s/h", .kind = "Workload", .uid = "s/h"};
  gang.traits.queue = "b";
  gang.pod_sets = {{.name = "main", .count = 4, .min_count = 4}};
  cluster_.Apply(gang);
  const WorkloadId holder = state::FindWorkload(cluster_, "s/h");
  for (const char* name : {"s/h-0", "s/h-1", "s/h-2", "s/h-3"}) AddPod(name, "s/h", "n1");
  starts_.Refresh(holder);
  ASSERT_EQ(cluster_.workloads()[holder].start, At(50));
  const WorkloadId asks = AddGang("s/g", 3, 3);
  RoomStep step{.workload = asks, .queue = cluster_.workloads()[asks].queue, .parts = {}};
  step.parts = {{.pod_set = 0, .shape = {}, .pods = {}, .expected = 0}};
  for (const char* name : {"s/g-0", "s/g-1", "s/g-2"}) {
    step.parts[0].pods.push_back(AddPod(name, "s/g"));
  }
  step.parts[0].shape = cluster_.pods()[step.parts[0].pods[0]].shape;

  StandingRefusals refusals(cluster_, placer_);
  EXPECT_EQ(refusals.Note(step, At(151)), StandingRefusals::kNone) << "all may leave at 150";
  const auto number = refusals.Note(step, At(150));
  EXPECT_TRUE(refusals.Stands(number, At(150)));
  EXPECT_FALSE(refusals.Stands(number, At(151)));
  EXPECT_FALSE(refusals.Stands(StandingRefusals::kNone, At(150)));
  const auto end = [this](const std::string& pod) {
    cluster_.Apply(state::Removal{.kind = state::RowKind::kPod, .name = pod});
  };
  end("s/h-3");
  end("s/h-2");
  EXPECT_TRUE(refusals.Stands(number, At(150))) << "two cores are free";
  // What protects it is another: it began earlier.
  cluster_.notes().SetStart(holder, At(40));
  EXPECT_FALSE(refusals.Stands(number, At(150))) << "others may leave at 140";
  EXPECT_EQ(refusals.Note(step, At(140)), number);
  EXPECT_TRUE(refusals.Stands(number, At(140)));
  end("s/h-1");
  EXPECT_FALSE(refusals.Stands(number, At(140))) << "three cores are free";
  refusals.Clear();
  EXPECT_FALSE(refusals.Stands(number, At(140)));
}

// Neither of its own queue's work as important as it is, nor of what is not preemptible.
TEST_F(RoundParts, ARefusalStandsWhereNobodyMayLeave) {
  AddGang("s/h", 4, 4);
  for (const char* name : {"s/h-0", "s/h-1", "s/h-2", "s/h-3"}) AddPod(name, "s/h", "n1");
  const WorkloadId asks = AddGang("s/g", 1, 1);
  const PodId pod = AddPod("s/g-0", "s/g");
  RoomStep step{.workload = asks,
                .queue = cluster_.workloads()[asks].queue,
                .parts = {{.pod_set = 0, .shape = cluster_.pods()[pod].shape, .pods = {pod}}}};
  StandingRefusals refusals(cluster_, placer_);
  const auto number = refusals.Note(step, Time::Max());
  EXPECT_TRUE(refusals.Stands(number, Time::Max()));
  step.priority = 1;
  EXPECT_EQ(refusals.Note(step, Time::Max()), StandingRefusals::kNone) << "it may preempt";
  state::WorkloadChange holder{.name = "s/h", .kind = "Workload", .uid = "s/h"};
  holder.traits.queue = "a";
  holder.traits.priority = -1;
  holder.pod_sets = {{.name = "main", .count = 4, .min_count = 4}};
  cluster_.Apply(holder);
  EXPECT_FALSE(refusals.Stands(number, Time::Max())) << "who holds it is less important now";
}

TEST(ReservedNodes, AreLookedAtWhenTouchedOrWhenTheirMomentComes) {
  ReservedNodes nodes;
  const NodeId n1(1U);
  const NodeId n2(2U);
  nodes.Touch(n1);
  EXPECT_FALSE(nodes.HasTouched()) << "nothing is reserved there";
  nodes.Add(n2, PodId(5U));
  nodes.Add(n1, PodId(4U));
  EXPECT_THAT(nodes.TakeTouched(), ElementsAre(n1, n2));
  nodes.Set(n1, {PodId(4U)}, At(10));
  EXPECT_EQ(nodes.NextLapse(), At(10));
  nodes.TouchLapsed(At(9));
  EXPECT_FALSE(nodes.HasTouched());
  nodes.TouchLapsed(At(10));
  EXPECT_THAT(nodes.TakeTouched(), ElementsAre(n1));
  nodes.StayRestless(n2);
  nodes.TouchRestless();
  EXPECT_THAT(nodes.TakeTouched(), ElementsAre(n2));
  nodes.Set(n1, {}, std::nullopt);
  nodes.Set(n2, {}, std::nullopt);
  EXPECT_TRUE(nodes.empty());
}

TEST(VacatedNodes, AreNewsOnceAndKnownForTheRound) {
  Vacated vacated;
  for (std::uint32_t n : {3U, 1U, 3U}) vacated.Note(NodeId(n));
  EXPECT_THAT(vacated.TakeNews(), ElementsAre(NodeId(1U), NodeId(3U)));
  EXPECT_FALSE(vacated.HasNews());
  EXPECT_TRUE(vacated.Contains(NodeId(3U)));
  vacated.Clear();
  EXPECT_TRUE(vacated.empty());
}

}  // namespace
}  // namespace fairlead::engine
