// What jobs, and the status of their Workloads, say in the end, where a scheduler is killed or a
// server is slow between the writes of an admission.

#include <string>

#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

// A job of five pods that may start with two.
struct AdmissionWorld : LiveWorld {
  AdmissionWorld() {
    AddNode("n1", 3);
    AddJob("j", 5, {{"fairlead.dev/min-parallelism", "2"}});
  }
  static kube::FakeLoop::Scripted Refuse(const char* path, int times = 1000) {
    return {path, kube::StatusAnswer(500, "InternalError", "no"), times};
  }

  const json::value& JobSpec() const { return api.Find("jobs", "team/j")->at("spec"); }
  std::int64_t Parallelism() const { return JobSpec().at("parallelism").as_int64(); }
  bool Suspended() const {
    const json::value* suspend = At(JobSpec(), "suspend");
    return suspend != nullptr && suspend->as_bool();
  }
  const json::value* Status() const {
    const json::object* workload = api.Find("workloads", "team/j");
    return workload == nullptr ? nullptr : workload->if_contains("status");
  }
  std::int64_t Admitted() const {
    const json::value* admission = Status() == nullptr ? nullptr : At(*Status(), "admission");
    return admission == nullptr ? 0
                                : admission->at("podSetAssignments").at(0).at("count").as_int64();
  }
  std::string Started() const { return Status() == nullptr ? "" : TextAt(*Status(), "startTime"); }
};

// It was cut for another admission, which somebody began before.
TEST(LiveAdmissions, AJobThatIsAdmittedAnewRunsWithTheCountsOfThat) {
  AdmissionWorld world;
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {AdmissionWorld::Refuse("jobs/j?")};
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.Admitted(), 3);
  ASSERT_TRUE(world.Suspended());
  world.Kill(process);
  world.AddNode("n2", 2);
  world.Start(2);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.Admitted(), 5);
  EXPECT_EQ(world.Parallelism(), 5);
  EXPECT_EQ(world.Bound(), 5);
  world.Delete("workloads", "team/j");
  world.RemoveNode("n2");
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.Admitted(), 3);
  EXPECT_EQ(world.Parallelism(), 3);
  world.RemoveNode("n1");
  world.Delete("workloads", "team/j");
  world.Run(Duration::Seconds(10));
  EXPECT_TRUE(world.Suspended());
  EXPECT_EQ(world.Parallelism(), 5);
}

// It is admitted anew with fewer pods as it begins to run with all of them, and the scheduler is
// killed before it can tell the job.
TEST(LiveAdmissions, AlsoWhereTheSchedulerIsKilledBeforeItTellsTheJob) {
  AdmissionWorld world;
  world.AddNode("n1", 5);
  LiveWorld::Process& first = world.Start(1);
  first.loop->script = {AdmissionWorld::Refuse("jobs/j?")};
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.Admitted(), 5);
  world.Kill(first);
  world.AddNode("n1", 2);
  LiveWorld::Process& second = world.Start(2);
  world.api.OnChange([&] {
    if (!world.Suspended()) second.loop->script = {AdmissionWorld::Refuse("jobs/j?")};
  });
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.Admitted(), 2);
  ASSERT_EQ(world.Parallelism(), 5);
  world.Kill(second);
  world.Start(3);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.Admitted(), 2);
  EXPECT_EQ(world.Parallelism(), 2);
  world.RemoveNode("n1");
  world.Delete("workloads", "team/j");
  world.Run(Duration::Seconds(10));
  EXPECT_TRUE(world.Suspended());
  EXPECT_EQ(world.Parallelism(), 5);
}

// The pods of a job that is stopped are there for a moment yet; those that waited are bound in it,
// where there is room now, and so before the job's next admission is written.
TEST(LiveAdmissions, AStartThatNoWorkloadCouldSayIsSaidByTheNextOne) {
  AdmissionWorld world;
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration{.us = 500'000});
  ASSERT_FALSE(world.Suspended());
  world.RemoveNode("n1");
  world.Run(Duration{.us = 4'500'000});
  ASSERT_EQ(world.Pending(), 3);
  world.Delete("workloads", "team/j");
  world.Run(Duration{.us = 300'000});
  ASSERT_TRUE(world.Suspended());
  ASSERT_EQ(world.Pending(), 3);
  process.loop->script = {AdmissionWorld::Refuse("workloads/j?", 1)};
  world.AddNode("n1", 3);
  world.Run(Duration{.us = 110'000});
  ASSERT_EQ(world.Bound(), 3);
  ASSERT_EQ(world.Status(), nullptr);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.Admitted(), 3);
  EXPECT_EQ(world.Bound(), 3);
  EXPECT_NE(world.Started(), "");
}

}  // namespace
}  // namespace fairlead::live
