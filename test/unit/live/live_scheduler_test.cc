// A live scheduler against an API server in memory, step by step and through what goes wrong.

#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

TEST(LiveScheduler, BindsPodsThatFitAndLeavesTheOthers) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddNode("n2", 2);
  for (int i = 0; i < 5; ++i) world.AddPod("p" + std::to_string(i), 1);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(process.scheduler->state(), LiveScheduler::State::kDeciding);
  EXPECT_EQ(world.Bound(), 4);
  EXPECT_EQ(process.problems, std::vector<std::string>{});
  world.AddNode("n3", 1);
  world.Run(Duration::Seconds(2));
  EXPECT_EQ(world.Bound(), 5);
  EXPECT_EQ(world.NodeOf("team/p4"), "n3");
}

// Placement by fragmentation, and nobody says which pods are typical: those that are there, and a
// day later those that are there then.
TEST(LiveScheduler, LearnsWhichPodsAreTypical) {
  LiveWorld world;
  world.configuration.cpu_placement = objects::NodeChoice::kFragmentation;
  world.AddNode("n1", 9);
  for (int i = 0; i < 3; ++i) world.AddPod("small" + std::to_string(i), 1);
  world.AddPod("large", 4);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(5));
  const auto typical = [&] {
    return process.scheduler->scheduler().cluster().configuration().typical_pods;
  };
  ASSERT_EQ(typical().size(), 2u);
  EXPECT_EQ(typical()[0].cpu_milli, 1000);
  EXPECT_EQ(typical()[0].count, 3);
  EXPECT_EQ(typical()[1].cpu_milli, 4000);
  for (int i = 0; i < 2; ++i) world.AddPod("more" + std::to_string(i), 1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(typical()[0].count, 3);
  world.Run(Duration::Seconds(86'400));
  EXPECT_EQ(typical()[0].count, 5);
}

// The API server keeps no time of either: whoever starts anew reads what was written.
TEST(LiveScheduler, WritesSinceWhenWorkWaitsThatWasKeptOut) {
  LiveWorld world;
  world.AddNode("n1", 1);
  world.AddPod("large", 2);  // fits nowhere
  world.AddWorkload("w", {.has_template = true});
  json::object pod = *world.Pod("team/large");
  json::object& spec = pod.at("spec").as_object();
  spec["schedulingGates"] = json::array{json::object{{"name", "wait"}}};
  pod["status"] = json::parse(
      R"({"conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]})");
  world.api.Put("pods", pod);
  json::object workload = *world.api.Find("workloads", "team/w");
  workload.at("spec").as_object()["active"] = false;
  world.api.Put("workloads", workload);
  LiveWorld::Process& first = world.Start(1);
  world.Run(Duration::Seconds(60));
  const auto condition = [&](const char* plural, const char* key, const char* type) {
    const json::object& object = *world.api.Find(plural, key);
    const json::value* all = At(object.at("status"), "conditions");
    for (const json::value& each : all->as_array()) {
      if (TextAt(each, "type") != type) continue;
      return std::string(TextAt(each, "status")) + " " + std::string(TextAt(each, "reason"));
    }
    return std::string();
  };
  EXPECT_EQ(condition("workloads", "team/w", "Inactive"), "True NotActive");
  EXPECT_EQ(condition("pods", "team/large", "PodScheduled"), "False SchedulingGated");

  pod = *world.Pod("team/large");
  pod.at("spec").as_object().erase("schedulingGates");
  world.api.Put("pods", pod);
  workload = *world.api.Find("workloads", "team/w");
  workload.at("spec").as_object()["active"] = true;
  world.api.Put("workloads", workload);
  const Time let_in = world.WallNow();
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(condition("workloads", "team/w", "Inactive"), "False Active");
  EXPECT_EQ(condition("pods", "team/large", "PodScheduled"), "False Ungated");
  EXPECT_EQ(world.NodeOf("team/w-worker-0"), "n1");
  world.Kill(first);
  LiveWorld::Process& second = world.Start(2);
  world.Run(Duration::Seconds(600));
  const state::Cluster& cluster = second.scheduler->scheduler().cluster();
  const state::PodId large = cluster.pods().Find("team/large");
  const std::optional<Time> since = cluster.pods().Ungated(large);
  ASSERT_TRUE(since);
  EXPECT_GE(*since + Duration::Seconds(1), let_in);
  EXPECT_LE(*since, let_in + Duration::Seconds(5));
  EXPECT_EQ(first.problems, std::vector<std::string>{});
}

TEST(LiveScheduler, SaysWhatItDidInEvents) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddPod("p", 1);
  world.Start(1);
  world.Run(Duration::Seconds(5));
  const auto& events = world.api.All("events");
  ASSERT_EQ(events.size(), 1u);
  const json::object& event = events.begin()->second;
  EXPECT_EQ(TextAt(event, "reason"), "Scheduled");
  EXPECT_EQ(TextAt(event, "message"), "assigned team/p to n1");
  EXPECT_EQ(TextAt(event.at("involvedObject"), "uid"),
            TextAt(world.Pod("team/p")->at("metadata"), "uid"));
}

TEST(LiveScheduler, ASuspendedJobStartsWithFewerPods) {
  LiveWorld world;
  world.AddNode("n1", 3);
  world.AddJob("j", 5,
               {{"fairlead.dev/min-parallelism", "2"},
                {"fairlead.dev/completions-equal-parallelism", "true"}});
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(8));
  EXPECT_EQ(process.problems, std::vector<std::string>{});
  const json::object& job = *world.api.Find("jobs", "team/j");
  EXPECT_EQ(job.at("spec").at("suspend"), false);  // in so many words
  EXPECT_EQ(job.at("spec").at("parallelism").as_int64(), 3);
  EXPECT_EQ(job.at("spec").at("completions").as_int64(), 3);
  EXPECT_EQ(world.Bound(), 3);
  const json::object* workload = world.api.Find("workloads", "team/j");
  ASSERT_NE(workload, nullptr);
  EXPECT_EQ(workload->at("spec").at("podSets").at(0).at("count").as_int64(), 5);
  const json::value& sets = workload->at("status").at("admission").at("podSetAssignments");
  EXPECT_EQ(sets.at(0).at("count").as_int64(), 3);
}

// News of different kinds come over connections of their own: the pods of a gang are seen before
// the Job that says that they are one.
TEST(LiveScheduler, PodsWaitForTheJobThatOwnsThem) {
  LiveWorld world;
  world.AddNode("n1", 2);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(3));
  process.loop->BreakWatches('h', "jobs");
  world.AddJob("j", 3, {{"fairlead.dev/gang", "true"}});
  json::object job = *world.api.Find("jobs", "team/j");
  job.at("spec").as_object()["suspend"] = false;
  world.api.Put("jobs", std::move(job));
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Pending(), 3);
  EXPECT_EQ(world.Bound(), 0) << "a part of a gang was placed";
  world.Run(Duration::Seconds(600));  // until the silence of the watch is noticed
  EXPECT_EQ(world.Bound(), 0);
  world.AddNode("n2", 1);
  world.Run(Duration::Seconds(2));
  EXPECT_EQ(world.Bound(), 3);
}

TEST(LiveScheduler, AVictimsJobIsSuspendedAndGetsItsCountsBack) {
  LiveWorld world;
  world.AddNode("n1", 3);
  world.AddQueue("default", 0);
  world.AddQueue("sure", 3);
  world.AddJob("j", 5,
               {{"fairlead.dev/min-parallelism", "2"},
                {"fairlead.dev/completions-equal-parallelism", "true"}});
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(8));
  ASSERT_EQ(world.Bound(), 3);
  for (int i = 0; i < 3; ++i) {
    world.AddPod("p" + std::to_string(i), 1, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
  }
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(process.problems, std::vector<std::string>{});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.NodeOf("team/p" + std::to_string(i)), "n1");
  const json::object& job = *world.api.Find("jobs", "team/j");
  EXPECT_EQ(job.at("spec").at("suspend").as_bool(), true);
  EXPECT_EQ(job.at("spec").at("parallelism").as_int64(), 5);
  EXPECT_EQ(job.at("spec").at("completions").as_int64(), 5);
  const json::value& status = world.api.Find("workloads", "team/j")->at("status");
  EXPECT_EQ(At(status, "admission"), nullptr);
}

TEST(LiveScheduler, MakesThePodsOfAWorkloadWithATemplate) {
  LiveWorld world;
  world.AddNode("n1", 4);
  world.api.Put(
      "workloads",
      {{"metadata",
        {{"name", "w"}, {"namespace", "team"}, {"creationTimestamp", "2026-01-01T00:00:00Z"}}},
       {"spec",
        {{"queueName", "default"},
         {"podSets",
          {{{"name", "worker"},
            {"count", 3},
            {"template",
             {{"spec",
               {{"containers",
                 {{{"name", "c"},
                   {"image", "registry/image:1"},
                   {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}}}}}}}}}});
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(8));
  EXPECT_EQ(process.problems, std::vector<std::string>{});
  ASSERT_EQ(world.Bound(), 3);
  const json::object& pod = *world.Pod("team/w-worker-0");
  EXPECT_EQ(TextAt(pod.at("spec").at("containers").at(0), "image"), "registry/image:1");
  EXPECT_EQ(TextAt(pod.at("spec"), "schedulerName"), "fairlead");
  world.api.Erase("pods", "team/w-worker-1");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/w-worker-1"), "n1");
  EXPECT_EQ(world.Bound(), 3);
}

// Edited down while it runs: the youngest goes, though it has the lowest index.
TEST(LiveScheduler, TakesTheYoungestPodsOfAWorkloadBack) {
  LiveWorld world;
  world.AddNode("n1", 4);
  world.AddWorkload("w", {.count = 3, .min_count = 1, .has_template = true});
  const auto edit = [&](int count) {
    json::object workload = *world.api.Find("workloads", "team/w");
    json::object& spec = workload["spec"].as_object();
    spec["resize"] = "Anytime";
    spec["podSets"].as_array()[0].as_object()["count"] = count;
    world.api.Put("workloads", std::move(workload));
  };
  edit(3);
  world.Start(1);
  world.Run(Duration::Seconds(8));
  ASSERT_EQ(world.Bound(), 3);
  world.api.Erase("pods", "team/w-worker-0");
  world.Run(Duration::Seconds(8));
  ASSERT_EQ(world.Bound(), 3);
  edit(2);
  world.Run(Duration::Seconds(8));
  EXPECT_EQ(world.Bound(), 2);
  EXPECT_EQ(world.Pod("team/w-worker-0"), nullptr);
  const json::value& status = world.api.Find("workloads", "team/w")->at("status");
  const json::value& assigned = At(status, "admission")->at("podSetAssignments").at(0);
  EXPECT_EQ(assigned.at("count").as_int64(), 2);
}

TEST(LiveScheduler, AnotherLeadsWhereOneIsKilled) {
  LiveWorld world;
  world.AddNode("n1", 4);
  LiveWorld::Process& first = world.Start(1, /*with_lease=*/true);
  LiveWorld::Process& second = world.Start(2, /*with_lease=*/true);
  world.AddPod("a", 1);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.Bound(), 1);
  EXPECT_NE(first.scheduler->state(), second.scheduler->state());
  world.Kill(first.scheduler->state() == LiveScheduler::State::kDeciding ? first : second);
  world.AddPod("b", 1);
  world.Run(Duration::Seconds(40));
  EXPECT_EQ(world.Bound(), 2);
}

}  // namespace
}  // namespace fairlead::live
