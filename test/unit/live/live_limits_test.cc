// Work that has run as long as it may, in a real cluster: what the API server is asked, and what a
// scheduler that is killed on the way leaves to the next.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;

namespace json = boost::json;

bool JobIsSuspended(const LiveWorld& world) {
  const json::value* suspend = At(world.api.Find("jobs", "team/j")->at("spec"), "suspend");
  return suspend != nullptr && suspend->as_bool();
}

bool JobIsStopped(const LiveWorld& world) {
  const json::object* workload = world.api.Find("workloads", "team/j");
  return workload != nullptr && Holds(*workload, "Stopped");
}

bool JobIsAdmitted(const LiveWorld& world) {
  const json::object* workload = world.api.Find("workloads", "team/j");
  return workload != nullptr && At(*workload, "status") != nullptr &&
         At(workload->at("status"), "admission") != nullptr;
}

void ExpectJobIsKeptOut(const LiveWorld& world) {
  EXPECT_TRUE(JobIsSuspended(world));
  EXPECT_TRUE(JobIsStopped(world));
  EXPECT_FALSE(JobIsAdmitted(world));
  EXPECT_EQ(world.Bound(), 0);
}

const json::object kTwentySeconds = {{"fairlead.dev/max-run-time", "20s"}};

TEST(LiveLimits, WhereTheEvictionApiRefusesThePodIsDeleted) {
  LiveWorld world;
  world.AddNode("n1", 1);
  world.AddPod("p", 1, {{"annotations", kTwentySeconds}});
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(10));
  ASSERT_EQ(world.Bound(), 1);
  world.RefuseEvictions(true);
  std::vector<std::string> asked;
  process.loop->tell = [&](const kube::Request& request, const kube::FakeApi::Answer&) {
    if (request.path.ends_with("/p/eviction")) asked.emplace_back("eviction");
    if (request.method == kube::Method::kDelete) asked.emplace_back("deletion");
  };
  world.Run(Duration::Seconds(30));
  EXPECT_EQ(world.Pod("team/p"), nullptr);
  EXPECT_THAT(asked, testing::ElementsAre("eviction", "deletion"));
}

TEST(LiveLimits, AJobIsSuspendedAndStaysOut) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddJob("j", 2, kTwentySeconds);
  LiveWorld::Process& process = world.Start(1);
  // Its condition comes before it is suspended.
  bool was_running = false, suspended_first = false;
  world.api.OnChange([&] {
    if (world.api.Find("jobs", "team/j") == nullptr) return;
    was_running |= !JobIsSuspended(world);
    suspended_first |= was_running && JobIsSuspended(world) && !JobIsStopped(world);
  });
  world.Run(Duration::Seconds(10));
  ASSERT_EQ(world.Bound(), 2);
  world.Run(Duration::Seconds(60));
  EXPECT_TRUE(was_running);
  EXPECT_FALSE(suspended_first);
  ExpectJobIsKeptOut(world);
  // Nor does it for one that starts anew; but an edit lets it wait again, and start.
  world.Kill(process);
  world.Start(2);
  world.Run(Duration::Seconds(30));
  EXPECT_TRUE(JobIsSuspended(world));
  json::object job = *world.api.Find("jobs", "team/j");
  job.at("metadata").at("annotations").as_object()["fairlead.dev/max-run-time"] = "1h";
  world.api.Put("jobs", job);
  world.Run(Duration::Seconds(30));
  EXPECT_FALSE(JobIsSuspended(world));
  EXPECT_FALSE(JobIsStopped(world));
  EXPECT_EQ(world.Bound(), 2);
}

TEST(LiveLimits, WhoIsKilledBeforeTheJobIsSuspendedLeavesThatToTheNext) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddJob("j", 2, kTwentySeconds);
  LiveWorld::Process& first = world.Start(1);
  world.Run(Duration::Seconds(10));
  ASSERT_EQ(world.Bound(), 2);
  first.loop->script = {
      kube::FakeLoop::Scripted{"jobs/j?", kube::StatusAnswer(500, "InternalError", "no"), 1000}};
  world.Run(Duration::Seconds(20));
  ASSERT_TRUE(JobIsStopped(world));
  ASSERT_FALSE(JobIsSuspended(world));
  ASSERT_EQ(world.Bound(), 2);
  world.Kill(first);
  world.Start(2);
  world.Run(Duration::Seconds(30));
  ExpectJobIsKeptOut(world);
}

// The job would make others in their place: its annotation is written before they go.
TEST(LiveLimits, PodsOfAJobThatRunsAreStoppedOnce) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddJob("j", 2, kTwentySeconds);
  json::object running = *world.api.Find("jobs", "team/j");
  running.at("spec").as_object()["suspend"] = false;
  world.api.Put("jobs", running);
  world.Start(1);
  world.Run(Duration::Seconds(10));
  ASSERT_EQ(world.Bound(), 2);
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(world.Bound(), 0);
  EXPECT_EQ(world.Pending(), 2);
  const json::object& meta = world.api.Find("jobs", "team/j")->at("metadata").as_object();
  EXPECT_NE(At(meta.at("annotations").as_object(), "fairlead.dev/stopped"), nullptr);
}

}  // namespace
}  // namespace fairlead::live
