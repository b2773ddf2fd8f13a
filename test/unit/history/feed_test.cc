#include "history/feed.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "unit/history/history_fixture.h"

namespace fairlead::history {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::SizeIs;

objects::Pod PodNamed(const std::string& name, objects::PodPhase phase) {
  objects::Pod pod;
  pod.meta.name = name;
  pod.meta.name_space = "a";
  pod.meta.annotations = {{"fairlead.dev/user", "ada"}};
  pod.phase = phase;
  return pod;
}

// A pod that is a workload of its own, or (`workload` named) a part of one.
state::PodChange PodTold(const std::string& name, state::PodState state,
                         const std::string& workload = "") {
  static const auto kNeeds = [] {
    auto needs = std::make_shared<objects::PodNeeds>();
    needs->request = {{"cpu", 2'000}, {"memory", 1'024}};
    return state::NeedsPtr(needs);
  }();
  state::PodChange change{.name = "a/" + name, .uid = Uid("u"), .needs = kNeeds, .state = state};
  change.node = state == state::PodState::kPending ? "" : "n1";
  change.created = At(0);
  change.workload = workload;
  if (workload.empty()) change.solo = state::WorkloadTraits{.queue = "vision", .created = At(0)};
  return change;
}

state::WorkloadChange GangTold(std::int32_t admitted, std::int32_t succeeded) {
  state::WorkloadChange change{.name = "a/w", .uid = "w"};
  change.traits = {.queue = "nlp", .created = At(0)};
  change.pod_sets = {{.name = "main", .count = 2, .succeeded = succeeded, .admitted = admitted}};
  return change;
}

class LedgerTest : public testing::Test {
 protected:
  void Tell(std::int64_t second, std::vector<state::Change> changes) {
    tracker_.Apply(At(second), changes, records_);
  }
  std::vector<Ended> ends() const {
    std::vector<Ended> ends;
    for (const Record& record : records_) {
      if (const auto* ended = std::get_if<Ended>(&record)) ends.push_back(*ended);
    }
    return ends;
  }
  std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (const Record& record : records_) {
      if (const auto* decision = std::get_if<Decision>(&record)) types.push_back(decision->type);
    }
    return types;
  }

  WorkloadTracker tracker_{At(0)};
  std::vector<Record> records_;
};

// The machine's clock said 100 when it was made, and it was 0.
TEST_F(LedgerTest, ItBeganWhenItIsKnownToHaveBegun) {
  tracker_.Began(At(100));
  tracker_.Began(At(0));
  Tell(1, {PodTold("p", state::PodState::kPending)});
  Tell(10, {PodTold("p", state::PodState::kBound)});
  Tell(70, {PodTold("p", state::PodState::kFinished)});
  EXPECT_THAT(types(), ElementsAre("Finish"));
}

TEST_F(LedgerTest, APodFromItsStartToItsEnd) {
  tracker_.Object(PodNamed("p", objects::PodPhase::kPending));
  Tell(1, {PodTold("p", state::PodState::kPending)});
  EXPECT_EQ(tracker_.OwnerOf("a/p").user, "ada");
  EXPECT_EQ(tracker_.OwnerOf("a/p").queue, "vision");
  Tell(10, {PodTold("p", state::PodState::kBound)});
  tracker_.Object(PodNamed("p", objects::PodPhase::kSucceeded));
  Tell(40, {PodTold("p", state::PodState::kFinished)});
  Tell(50, {state::Removal{.kind = state::RowKind::kPod, .name = "a/p"}});
  EXPECT_THAT(types(), ElementsAre("Finish"));
  ASSERT_THAT(ends(), SizeIs(1));
  const Ended ended = ends()[0];
  EXPECT_EQ(ended.outcome, "Succeeded");
  EXPECT_EQ(ended.user, "ada");
  EXPECT_EQ(ended.started, At(10));
  EXPECT_EQ(ended.finished, At(40));
  EXPECT_EQ(ended.pods, 1);
  // 30 s × 2 cores, 30 s × 1024 bytes.
  EXPECT_THAT(ended.used, ElementsAre(Pair("cpu", 60.0), Pair("memory", 30.0 * 1024)));
}

TEST_F(LedgerTest, WhoIsEvictedIsDeletedAndCounted) {
  Tell(1, {PodTold("p", state::PodState::kBound)});
  tracker_.Evicted("a/p");
  Tell(11, {state::Removal{.kind = state::RowKind::kPod, .name = "a/p"}});
  ASSERT_THAT(ends(), SizeIs(1));
  EXPECT_EQ(ends()[0].outcome, "Deleted");
  EXPECT_EQ(ends()[0].evictions, 1);
  EXPECT_THAT(ends()[0].used[0], Pair("cpu", 20.0));
}

TEST_F(LedgerTest, WhoIsToldToEndHasNotFailed) {
  Tell(1, {PodTold("p", state::PodState::kBound)});
  state::PodChange leaving = PodTold("p", state::PodState::kBound);
  leaving.terminating = true;
  Tell(5, {leaving});
  tracker_.Object(PodNamed("p", objects::PodPhase::kFailed));
  leaving.state = state::PodState::kFinished;
  Tell(11, {leaving});
  ASSERT_THAT(ends(), SizeIs(1));
  EXPECT_EQ(ends()[0].outcome, "Deleted");
}

TEST_F(LedgerTest, AnotherOfTheSameNameIsAnother) {
  Tell(1, {PodTold("p", state::PodState::kBound)});
  state::PodChange another = PodTold("p", state::PodState::kPending);
  another.uid = Uid("v");
  another.solo->created = At(5);
  Tell(5, {another});
  ASSERT_THAT(ends(), SizeIs(1));
  EXPECT_EQ(ends()[0].created, At(0));
  Tell(6, {state::Removal{.kind = state::RowKind::kPod, .name = "a/p"}});
  ASSERT_THAT(ends(), SizeIs(2));
  EXPECT_EQ(ends()[1].created, At(5));
  EXPECT_TRUE(ends()[1].used.empty());
}

TEST_F(LedgerTest, AGangStopsAndEnds) {
  Tell(0, {GangTold(0, 0), PodTold("w-0", state::PodState::kPending, "a/w"),
           PodTold("w-1", state::PodState::kPending, "a/w")});
  Tell(10, {GangTold(2, 0), PodTold("w-0", state::PodState::kBound, "a/w"),
            PodTold("w-1", state::PodState::kBound, "a/w")});
  Tell(20, {GangTold(0, 0)});
  EXPECT_THAT(types(), ElementsAre("Stop"));
  Tell(30, {GangTold(2, 0)});
  for (const char* name : {"w-0", "w-1"}) {
    tracker_.Object(PodNamed(name, objects::PodPhase::kSucceeded));
  }
  // The gang's success is told before its pods'.
  Tell(40, {GangTold(2, 2), PodTold("w-0", state::PodState::kFinished, "a/w"),
            PodTold("w-1", state::PodState::kFinished, "a/w")});
  EXPECT_THAT(types(), ElementsAre("Stop", "Finish", "Finish"));
  ASSERT_THAT(ends(), SizeIs(1));
  EXPECT_EQ(ends()[0].outcome, "Succeeded");
  EXPECT_EQ(ends()[0].finished, At(40));
  EXPECT_EQ(ends()[0].pods, 2);
  EXPECT_THAT(ends()[0].used[0], Pair("cpu", 120.0));
  Tell(50, {state::Removal{.kind = state::RowKind::kWorkload, .name = "a/w"}});
  EXPECT_THAT(ends(), SizeIs(1));
}

TEST_F(LedgerTest, AJobThatIsOverIsNoWorkloadAnyMore) {
  Tell(0, {GangTold(0, 0), PodTold("w-0", state::PodState::kBound, "a/w")});
  objects::Job job;
  job.meta.name = "w";
  job.meta.name_space = "a";
  job.complete = true;
  job.completions = 2;
  job.succeeded = 1;
  tracker_.Object(job);
  tracker_.Object(PodNamed("w-0", objects::PodPhase::kFailed));
  Tell(30, {state::Removal{.kind = state::RowKind::kWorkload, .name = "a/w"},
            PodTold("w-0", state::PodState::kFinished, "a/w")});
  ASSERT_THAT(ends(), SizeIs(1));
  EXPECT_EQ(ends()[0].outcome, "Failed");
  EXPECT_THAT(ends()[0].used[0], Pair("cpu", 60.0));
}

// By which its like are known: a Job's pods have names of their own each.
TEST_F(LedgerTest, AnEndNamesWhatMadeThePod) {
  state::PodChange pod = PodTold("train-7-x2x9k", state::PodState::kBound);
  pod.made_by = std::string("Job/a/train-7");
  Tell(1, {pod});
  tracker_.Gone("Pod", "a/train-7-x2x9k");
  Tell(9, {state::Removal{.kind = state::RowKind::kPod, .name = "a/train-7-x2x9k"}});
  ASSERT_THAT(ends(), SizeIs(1));
  EXPECT_EQ(ends()[0].made_by, "Job a/train-7");
}

// The first that is said counts, and what came of it is told.
TEST_F(LedgerTest, WhatIsSaidFirstOfWhoWaits) {
  const auto said = [&](std::int64_t second, const std::string& workload) {
    const Estimate estimate{.said = At(second), .workload = workload, .at = At(second + 60)};
    tracker_.Said({&estimate, 1}, records_);
  };
  const auto estimates = [&] {
    std::vector<Estimate> all;
    for (const Record& record : records_) {
      if (const auto* estimate = std::get_if<Estimate>(&record)) all.push_back(*estimate);
    }
    return all;
  };
  const auto outcomes = [&] {
    std::vector<std::pair<std::string, bool>> all;
    for (const Record& record : records_) {
      const auto* end = std::get_if<EstimateEnd>(&record);
      if (end != nullptr) all.emplace_back(end->workload, end->started);
    }
    return all;
  };
  tracker_.Object(PodNamed("p", objects::PodPhase::kPending));
  Tell(1, {PodTold("p", state::PodState::kPending), PodTold("q", state::PodState::kPending),
           PodTold("r", state::PodState::kBound)});
  said(2, "a/p");
  said(3, "a/p");
  said(3, "a/q");
  said(3, "a/r");  // it runs
  said(3, "a/unknown");
  ASSERT_THAT(estimates(), SizeIs(2));
  EXPECT_EQ(estimates()[0].said, At(2));
  EXPECT_EQ(estimates()[0].queue, "vision");
  EXPECT_EQ(estimates()[0].user, "ada");
  EXPECT_EQ(estimates()[0].created, At(0));
  Tell(50, {PodTold("p", state::PodState::kBound)});
  Tell(60, {state::Removal{.kind = state::RowKind::kPod, .name = "a/q"}});
  EXPECT_THAT(outcomes(), ElementsAre(Pair("a/p", true), Pair("a/q", false)));
  Tell(70, {PodTold("p", state::PodState::kFinished)});
  said(80, "a/p");
  EXPECT_THAT(estimates(), SizeIs(2));
  EXPECT_THAT(outcomes(), SizeIs(2));
}

TEST(UserOf, IsWhoTheManifestNames) {
  objects::Meta meta;
  EXPECT_EQ(UserOf(meta), "");
  meta.annotations = {{"notebooks.kubeflow.org/creator", "carol"}};
  EXPECT_EQ(UserOf(meta), "carol");
  meta.labels = {{"yunikorn.apache.org/username", "bob"}};
  EXPECT_EQ(UserOf(meta), "bob");
  meta.labels = {{"fairlead.dev/user", "ada"}, {"yunikorn.apache.org/username", "bob"}};
  EXPECT_EQ(UserOf(meta), "ada");
}

// One node, one queue, a pod that runs.
class SamplerTest : public testing::Test {
 protected:
  SamplerTest() {
    state::NodeChange node{.name = "n1", .allocatable = {{"cpu", 64'000}, {"pods", 10}}};
    Tell({node, state::QueueChange{.name = "vision"}}, 0);
    Tell({PodTold("p", state::PodState::kBound)}, 0);
  }
  void Tell(std::vector<state::Change> changes, std::int64_t second) {
    scheduler_.Apply(changes);
    scheduler_.Round(At(second));
  }
  std::vector<Time> Times(std::int64_t second) {
    std::vector<Time> times;
    for (const Sample& sample : sampler_.Due(scheduler_, At(second))) {
      times.push_back(sample.time);
      last_ = sample;
    }
    return times;
  }

  engine::Scheduler scheduler_;
  Duration machine_;
  Sampler sampler_{[this] { return machine_; }};
  Sample last_;
};

TEST_F(SamplerTest, LooksEveryMinute) {
  EXPECT_THAT(Times(5), ElementsAre(At(5)));
  ASSERT_THAT(last_.queues, SizeIs(2));
  const QueueUsage& whole = last_.queues[0];
  ASSERT_EQ((*last_.resources)[0].name, "cpu");
  EXPECT_EQ(whole.allocatable[0], 64'000);
  EXPECT_EQ(whole.allocated[0], 2'000);
  EXPECT_EQ(whole.running, 1);
  EXPECT_EQ(last_.queues[1].queue, "vision");
  EXPECT_THAT(Times(59), testing::IsEmpty());
  EXPECT_THAT(Times(61), ElementsAre(At(60)));
  EXPECT_THAT(last_.queues, SizeIs(0));  // nothing differs
  Tell({PodTold("q", state::PodState::kBound)}, 70);
  EXPECT_THAT(Times(300), ElementsAre(At(120), At(300)));  // the first and the last
  EXPECT_THAT(last_.queues, SizeIs(0));
  EXPECT_THAT(Times(3'600), ElementsAre(At(360), At(3'600)));
  EXPECT_THAT(last_.queues, SizeIs(2));  // all, once an hour
}

TEST_F(SamplerTest, ARacingClockIsSampledNowAndThen) {
  std::size_t samples = 0;
  for (std::int64_t minute = 0; minute < 100'000; minute += 60)
    samples += Times(minute * 60).size();
  EXPECT_GT(samples, 300U);
  EXPECT_LT(samples, 1'100U);  // of 2,000 rows at once: two samples take four
  const std::size_t before = samples;
  machine_ = Duration::Seconds(1);
  for (std::int64_t minute = 100'000; minute < 200'000; minute += 60) {
    samples += Times(minute * 60).size();
  }
  EXPECT_GT(samples, before + 300);
  EXPECT_LT(samples, before + 1'100);
}

TEST_F(SamplerTest, AQueueThatGoesIsSaidToBeGone) {
  Times(0);
  Tell({state::Removal{.kind = state::RowKind::kPod, .name = "a/p"},
        state::Removal{.kind = state::RowKind::kQueue, .name = "vision"}},
       30);
  Times(60);
  ASSERT_FALSE(last_.queues.empty());
  EXPECT_EQ(last_.queues.back().queue, "vision");
  EXPECT_TRUE(last_.queues.back().gone);
}

}  // namespace
}  // namespace fairlead::history
