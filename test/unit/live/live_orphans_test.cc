// Jobs whose Workload is deleted, by a user or with its definition, or replaced by another.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

bool IsSuspended(const json::object& job) {
  const json::value* suspend = At(job.at("spec"), "suspend");
  return suspend != nullptr && suspend->as_bool();
}

std::string NoteOf(const json::object& job) {
  const json::value* annotations = At(job.at("metadata"), "annotations");
  return annotations == nullptr ? std::string() : TextAt(*annotations, "fairlead.dev/admitted");
}

// Three CPUs, and a job of five pods that runs with three.
struct OrphanWorld : LiveWorld {
  OrphanWorld() {
    AddNode("n1", 3);
    AddJob("j", 5,
           {{"fairlead.dev/min-parallelism", "2"},
            {"fairlead.dev/completions-equal-parallelism", "true"}});
    process = &Start(1);
    Run(Duration::Seconds(8));
    EXPECT_EQ(States(), "runs 3");
    EXPECT_EQ(NoteOf(Job()), "main=3/5");
    api.OnChange([this] { States(); });
  }

  const json::object& Job() const { return *api.Find("jobs", "team/j"); }
  bool HasWorkload() const { return api.Find("workloads", "team/j") != nullptr; }
  // What the job was, one after the other: "runs 3, waits 5".
  std::string States() {
    const std::string state = std::string(IsSuspended(Job()) ? "waits " : "runs ") +
                              std::to_string(Job().at("spec").at("parallelism").as_int64());
    if (states.empty() || states.back() != state) states.push_back(state);
    std::string text;
    for (const std::string& each : states) text += (text.empty() ? "" : ", ") + each;
    return text;
  }
  // Another Workload of the name, as a backup or a GitOps tool brings it: without its status.
  void ReplaceWorkload() {
    json::object workload = *api.Find("workloads", "team/j");
    Delete("workloads", "team/j");
    for (const char* field : {"uid", "resourceVersion"}) {
      workload.at("metadata").as_object().erase(field);
    }
    workload.erase("status");
    api.Put("workloads", std::move(workload));
  }
  void ExpectAdmittedAnew() {
    EXPECT_EQ(States(), "runs 3, waits 5, runs 3");
    EXPECT_EQ(NoteOf(Job()), "main=3/5");
    ASSERT_TRUE(HasWorkload());
    const json::object& workload = *api.Find("workloads", "team/j");
    EXPECT_EQ(workload.at("spec").at("podSets").at(0).at("count").as_int64(), 5);
    const json::value& sets = workload.at("status").at("admission").at("podSetAssignments");
    EXPECT_EQ(sets.at(0).at("count").as_int64(), 3);
    EXPECT_EQ(Bound(), 3);
  }

  Process* process = nullptr;
  std::vector<std::string> states;
};

TEST(LiveOrphans, AJobWhoseWorkloadIsDeletedWaitsAgainWithItsCounts) {
  OrphanWorld world;
  world.Delete("workloads", "team/j");
  world.Run(Duration::Seconds(1));
  EXPECT_EQ(world.States(), "runs 3, waits 5");
  EXPECT_EQ(NoteOf(world.Job()), "");
  world.Run(Duration::Seconds(20));
  world.ExpectAdmittedAnew();
}

TEST(LiveOrphans, AlsoWhereItIsDeletedWhileNobodyLooks) {
  OrphanWorld world;
  world.Kill(*world.process);
  world.Delete("workloads", "team/j");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.States(), "runs 3");
  world.Start(2);
  world.Run(Duration::Seconds(20));
  world.ExpectAdmittedAnew();
}

// Between the deletion and the job's suspension: the next one finishes it.
TEST(LiveOrphans, AlsoWhereItIsKilledBeforeItStopsTheJob) {
  OrphanWorld world;
  world.process->loop->script = {{"jobs/j?", kube::StatusAnswer(500, "InternalError", "no"), 1000}};
  world.Delete("workloads", "team/j");
  world.Run(Duration::Seconds(5));
  world.Kill(*world.process);
  EXPECT_EQ(world.States(), "runs 3");
  world.Start(2);
  world.Run(Duration::Seconds(20));
  world.ExpectAdmittedAnew();
}

TEST(LiveOrphans, AJobWhoseWorkloadIsReplacedByOneThatAdmitsNothingWaitsAgain) {
  OrphanWorld world;
  world.ReplaceWorkload();
  world.Run(Duration::Seconds(20));
  world.ExpectAdmittedAnew();
}

TEST(LiveOrphans, AlsoWhereItIsReplacedWhileNobodyLooks) {
  OrphanWorld world;
  world.Kill(*world.process);
  world.ReplaceWorkload();
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.States(), "runs 3");
  world.Start(2);
  world.Run(Duration::Seconds(20));
  world.ExpectAdmittedAnew();
}

// Its Workload is deleted between the job's start and the answer to it, and made again. Before that
// one says what it admits the scheduler is killed. The answer: whether it came so, by chance.
bool IsTakenUpWhereKilledBeforeTheStatus(std::uint64_t seed) {
  LiveWorld world;
  world.AddNode("n1", 3);
  world.AddJob("j", 3);
  LiveWorld::Process& process = world.Start(seed);
  process.loop->faults.slowest = Duration::Seconds(2);  // the answer is on its way for so long
  process.loop->tell = [&](const kube::Request& request, const kube::FakeApi::Answer& answer) {
    const bool lets_run = request.path.find("/jobs/j?") != std::string::npos;
    if (!lets_run || answer.status != 200 || !process.loop->script.empty()) return;
    world.Delete("workloads", "team/j");
    process.loop->script = {
        {"workloads/j/status", kube::StatusAnswer(500, "InternalError", "no"), 1000}};
  };
  world.Run(Duration::Seconds(40));
  world.Kill(process);
  const json::object* made = world.api.Find("workloads", "team/j");
  const bool is_moment = made != nullptr && made->if_contains("status") == nullptr &&
                         !IsSuspended(*world.api.Find("jobs", "team/j"));
  if (!is_moment) return false;

  world.Start(seed + 1);
  world.Run(Duration::Seconds(40));
  EXPECT_FALSE(IsSuspended(*world.api.Find("jobs", "team/j")));
  made = world.api.Find("workloads", "team/j");
  EXPECT_NE(At(made->at("status"), "admission"), nullptr);
  EXPECT_EQ(world.Bound(), 3);
  return true;
}

TEST(LiveOrphans, AlsoWhereItIsKilledBetweenAWorkloadMadeAnewAndItsStatus) {
  int moments = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    moments += IsTakenUpWhereKilledBeforeTheStatus(seed) ? 1 : 0;
  }
  EXPECT_GE(moments, 3);
}

// A definition that is not served is no proof that anything was deleted.
TEST(LiveOrphans, AJobRunsOnWhileTheDefinitionIsNotThere) {
  OrphanWorld world;
  world.api.Withdraw("workloads");
  world.Run(Duration::Seconds(120));
  EXPECT_EQ(world.States(), "runs 3");
  world.api.Serve({"fairlead.dev/v1alpha1", "Workload", "workloads"});
  world.Run(Duration::Seconds(60));
  world.ExpectAdmittedAnew();
}

// Nor is a job stopped that nobody has admitted.
TEST(LiveOrphans, AJobThatNeverWaitedIsLeftAlone) {
  LiveWorld world;
  world.AddNode("n1", 3);
  world.AddJob("j", 2);
  json::object job = *world.api.Find("jobs", "team/j");
  job["spec"].as_object()["suspend"] = false;
  world.api.Put("jobs", job);
  world.Start(1);
  world.Run(Duration::Seconds(60));
  EXPECT_FALSE(IsSuspended(*world.api.Find("jobs", "team/j")));
  EXPECT_EQ(world.Bound(), 2);
}

// Nor one that runs beside a Workload which somebody made for it.
TEST(LiveOrphans, AlsoWhereItHasAWorkloadThatAdmitsNothing) {
  LiveWorld world;
  world.AddNode("n1", 3);
  world.AddJob("j", 2);
  json::object job = *world.api.Find("jobs", "team/j");
  job["spec"].as_object()["suspend"] = false;
  world.api.Put("jobs", job);
  const std::string uid = TextAt(job.at("metadata"), "uid");
  world.AddWorkload("j", {.count = 2});
  json::object workload = *world.api.Find("workloads", "team/j");
  workload["metadata"].as_object()["ownerReferences"] = {{{"apiVersion", "batch/v1"},
                                                          {"kind", "Job"},
                                                          {"name", "j"},
                                                          {"uid", uid},
                                                          {"controller", true}}};
  world.api.Put("workloads", workload);
  world.Start(1);
  world.Run(Duration::Seconds(60));
  EXPECT_FALSE(IsSuspended(*world.api.Find("jobs", "team/j")));
  EXPECT_EQ(world.Bound(), 2);
}

// What was decided for a job is nothing to another one of its name.
TEST(LiveOrphans, AnotherJobOfTheNameDoesNotRunByWhatTheFirstWasAdmittedWith) {
  LiveWorld world;
  world.AddNode("n1", 3);
  world.AddJob("j", 3);
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {{"jobs/j?", kube::StatusAnswer(403, "Forbidden", "no"), 1}};
  world.Run(Duration::Seconds(5));  // it is tried again after 30 s
  ASSERT_NE(world.api.Find("workloads", "team/j"), nullptr);
  world.Delete("jobs", "team/j");
  world.Run(Duration::Seconds(2));
  ASSERT_EQ(world.api.Find("workloads", "team/j"), nullptr);
  world.AddNode("n1", 0);
  world.Run(Duration::Seconds(1));
  world.AddJob("j", 3);
  world.Run(Duration::Seconds(60));
  EXPECT_TRUE(IsSuspended(*world.api.Find("jobs", "team/j")));
  EXPECT_EQ(world.api.Find("workloads", "team/j"), nullptr);
}

json::object MpiJob() {
  const auto replicas = [](int count) {
    return json::object{
        {"replicas", count},
        {"template",
         {{"spec",
           {{"schedulerName", "fairlead"},
            {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}}}}};
  };
  return {{"metadata",
           {{"name", "m"},
            {"namespace", "team"},
            {"creationTimestamp", "2026-01-01T00:00:00Z"},
            {"labels", {{"fairlead.dev/queue", "default"}}}}},
          {"spec",
           {{"runPolicy", {{"suspend", true}, {"schedulingPolicy", {{"minAvailable", 2}}}}},
            {"mpiReplicaSpecs", {{"Launcher", replicas(1)}, {"Worker", replicas(8)}}}}}};
}

// Room for five of its pods.
LiveWorld::Process& StartWithMpiJob(LiveWorld& world) {
  world.api.Serve({"kubeflow.org/v2beta1", "MPIJob", "mpijobs"});
  world.AddNode("n1", 5);
  world.api.Put("mpijobs", MpiJob());
  return world.Start(1);
}

// The other one is of another kind, and there before the first is gone.
TEST(LiveOrphans, AnotherKindOfTheNameDoesNotRunByWhatTheFirstWasAdmittedWith) {
  LiveWorld world;
  LiveWorld::Process& process = StartWithMpiJob(world);
  process.loop->script = {{"mpijobs/m?", kube::StatusAnswer(403, "Forbidden", "no"), 1}};
  world.Run(Duration::Seconds(8));  // it is tried again after 30 s
  ASSERT_NE(world.api.Find("workloads", "team/m"), nullptr);
  world.AddJob("m", 3);
  world.Run(Duration::Seconds(2));
  world.Delete("mpijobs", "team/m");
  world.Run(Duration::Seconds(100));
  const json::object& job = *world.api.Find("jobs", "team/m");
  EXPECT_FALSE(IsSuspended(job));
  EXPECT_EQ(NoteOf(job), "main=3/3");
  EXPECT_EQ(world.Bound(), 3);
}

TEST(LiveOrphans, AnMpiJobToo) {
  LiveWorld world;
  LiveWorld::Process& process = StartWithMpiJob(world);
  world.Run(Duration::Seconds(8));
  const auto job = [&]() -> const json::object& { return *world.api.Find("mpijobs", "team/m"); };
  const auto workers = [&] {
    return job().at("spec").at("mpiReplicaSpecs").at("Worker").at("replicas").as_int64();
  };
  ASSERT_EQ(workers(), 4);
  EXPECT_EQ(NoteOf(job()), "launcher=1/1,worker=4/8");
  world.Kill(process);
  world.Delete("workloads", "team/m");
  world.RemoveNode("n1");
  world.Start(2);
  world.Run(Duration::Seconds(8));
  EXPECT_EQ(workers(), 8);
  EXPECT_TRUE(job().at("spec").at("runPolicy").at("suspend").as_bool());
  EXPECT_EQ(NoteOf(job()), "");
}

json::object RayCluster() {
  const json::object pods{
      {"spec",
       {{"schedulerName", "fairlead"},
        {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}}};
  const auto group = [&](const char* name, int replicas) {
    return json::object{{"groupName", name},
                        {"replicas", replicas},
                        {"minReplicas", 1},
                        {"maxReplicas", replicas},
                        {"numOfHosts", 2},
                        {"template", pods},
                        {"rayStartParams", {{"x", "y"}}}};
  };
  return {{"metadata",
           {{"name", "r"},
            {"namespace", "team"},
            {"creationTimestamp", "2026-01-01T00:00:00Z"},
            {"labels", {{"fairlead.dev/queue", "default"}}}}},
          {"spec",
           {{"suspend", true},
            {"headGroupSpec", {{"template", pods}}},
            {"workerGroupSpecs", json::array{group("a", 1), group("b", 3)}}}}};
}

// A newer Fairlead meets the rights of an older one: the kinds that it knows besides are passed
// over, which is said once, and the rest is scheduled.
TEST(LiveKinds, WithoutTheRightToReadAKindTheRestGoesOn) {
  LiveWorld world;
  world.AddNode("n1", 8);
  world.api.Serve({"ray.io/v1", "RayCluster", "rayclusters"});
  world.AddPod("p", 1);
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {{"/rayclusters?", kube::StatusAnswer(403, "Forbidden", "no"), 4}};
  world.Run(Duration::Seconds(8));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(std::ranges::count_if(process.problems,
                                  [](const std::string& problem) {
                                    return problem.find("rayclusters") != std::string::npos;
                                  }),
            1);
  world.api.Put("rayclusters", RayCluster());
  world.Run(Duration::Seconds(150));
  EXPECT_NE(NoteOf(*world.api.Find("rayclusters", "team/r")), "");  // read once it may be
}

// KubeRay writes a RayJob's labels and annotations on the RayCluster that it makes: what these say
// of an admission is the RayJob's.
TEST(LiveOrphans, AJobThatAnotherMadeIsNone) {
  LiveWorld world;
  world.api.Serve({"ray.io/v1", "RayCluster", "rayclusters"});
  world.AddNode("n1", 8);
  json::object made = RayCluster();
  json::object& meta = made.at("metadata").as_object();
  meta["annotations"] = {{"fairlead.dev/admitted", "head=1/1,a=2/2,b=6/6"}};
  meta["ownerReferences"] = json::array{json::object{{"apiVersion", "ray.io/v1"},
                                                     {"kind", "RayJob"},
                                                     {"name", "j"},
                                                     {"uid", "u"},
                                                     {"controller", true}}};
  made.at("spec").as_object()["suspend"] = false;
  world.api.Put("rayclusters", made);
  ASSERT_NE(NoteOf(*world.api.Find("rayclusters", "team/r")), "");
  world.Start(1);
  world.Run(Duration::Seconds(8));
  EXPECT_FALSE(world.api.Find("rayclusters", "team/r")->at("spec").at("suspend").as_bool());
}

// Its counts stand in a list, of which a patch replaces all: nothing of it is lost.
TEST(LiveOrphans, ARayClusterToo) {
  LiveWorld world;
  world.api.Serve({"ray.io/v1", "RayCluster", "rayclusters"});
  world.AddNode("n1", 8);
  world.api.Put("rayclusters", RayCluster());
  const json::value asked = RayCluster().at("spec").at("workerGroupSpecs");
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(8));
  const auto job = [&]() -> const json::object& {
    return *world.api.Find("rayclusters", "team/r");
  };
  json::value fewer = asked;
  fewer.at(1).as_object()["replicas"] = 2;
  EXPECT_EQ(job().at("spec").at("workerGroupSpecs"), fewer);
  EXPECT_EQ(NoteOf(job()), "head=1/1,a=2/2,b=4/6");
  world.Kill(process);
  world.Delete("workloads", "team/r");
  world.RemoveNode("n1");
  world.Start(2);
  world.Run(Duration::Seconds(8));
  EXPECT_EQ(job().at("spec").at("workerGroupSpecs"), asked);
  EXPECT_TRUE(job().at("spec").at("suspend").as_bool());
}

}  // namespace
}  // namespace fairlead::live
