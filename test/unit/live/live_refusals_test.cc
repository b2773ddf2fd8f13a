// What a server may refuse a live scheduler: it says so, and gets there all the same.

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::ParseJson;
using objects::TextAt;

namespace json = boost::json;

struct Refusal {
  int code = 0;
  const char* reason = "";
};
constexpr Refusal kRefusals[] = {{403, "Forbidden"},
                                 {409, "Conflict"},
                                 {422, "Invalid"},
                                 {429, "TooManyRequests"},
                                 {500, "InternalError"}};

struct Write {
  const char* name = "";
  const char* path = "";  // a part that its requests alone have
  std::function<void(LiveWorld&)> wanted;
  std::function<bool(const LiveWorld&)> done;
  int times = 2;  // it is refused; a mark on a victim is not worth a second try
  std::function<void(LiveWorld&)> before = nullptr;  // what is not refused
};

bool Suspended(const LiveWorld& world) {
  const json::value* suspend = At(world.api.Find("jobs", "team/j")->at("spec"), "suspend");
  return suspend != nullptr && suspend->as_bool();
}

void FillAndClaim(LiveWorld& world) {
  world.AddPod("victim", 2);
  world.Run(Duration::Seconds(5));
  world.AddPod("p", 2, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
}

// The victim is told to go, and stays for longer than a test lasts.
void ClaimInVain(LiveWorld& world) {
  world.SetGrace(Duration::Seconds(3600));
  FillAndClaim(world);
}

std::string NominatedNode(const LiveWorld& world) {
  const json::value* status = world.Pod("team/p")->if_contains("status");
  return status == nullptr ? std::string() : TextAt(*status, "nominatedNodeName");
}

// A DaemonSet's pod whose one node is full of what is not ours, and stays.
void ReserveInVain(LiveWorld& world) {
  json::object theirs = ParseJson(R"({
    "metadata": {"name": "theirs", "namespace": "team"},
    "status": {"phase": "Running"},
    "spec": {"schedulerName": "default-scheduler", "nodeName": "n1",
             "containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]}})")
                            .as_object();
  json::object agent = ParseJson(R"({
    "metadata": {"name": "agent", "namespace": "kube-system",
                 "ownerReferences": [{"apiVersion": "apps/v1", "kind": "DaemonSet",
                                      "name": "agent", "controller": true}]},
    "spec": {"schedulerName": "fairlead",
             "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
               {"nodeSelectorTerms": [{"matchFields": [
                 {"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}},
             "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}})")
                           .as_object();
  world.api.Serve({"apps/v1", "DaemonSet", "daemonsets"});
  world.api.Put("daemonsets", {{"metadata", {{"name", "agent"}, {"namespace", "kube-system"}}}});
  json::object& meta = agent["metadata"].as_object();
  meta["creationTimestamp"] = world.Stamp();
  meta["ownerReferences"].as_array()[0].as_object()["uid"] =
      TextAt(world.api.Find("daemonsets", "kube-system/agent")->at("metadata"), "uid");
  world.api.Put("pods", std::move(theirs));
  world.api.Put("pods", std::move(agent));
}

bool IsReservationNoted(const LiveWorld& world) {
  const json::value* status = world.Pod("kube-system/agent")->if_contains("status");
  const json::value* conditions = status == nullptr ? nullptr : At(*status, "conditions");
  if (conditions == nullptr) return false;
  for (const json::value& each : conditions->as_array()) {
    if (TextAt(each, "type") == "fairlead.dev/NodeReserved") return true;
  }
  return false;
}

void AddQuota(LiveWorld& world) {
  world.api.Put("elasticquotas", {{"metadata", {{"name", "q"}, {"namespace", "lab"}}},
                                  {"spec", {{"min", {{"cpu", "2"}}}, {"max", {{"cpu", "2"}}}}}});
}

std::string UsedOfQuota(const LiveWorld& world) {
  const json::value* status = world.api.Find("elasticquotas", "lab/q")->if_contains("status");
  const json::value* used = status == nullptr ? nullptr : At(*status, "used");
  return used == nullptr ? std::string() : TextAt(*used, "cpu");
}

const std::vector<Write>& Writes() {
  const auto add_job = [](LiveWorld& world) { world.AddJob("j", 2); };
  const auto job_runs = [](const LiveWorld& world) {
    return !Suspended(world) && world.Bound() == 2;
  };
  static const std::vector<Write> kWrites = {
      {"bind", "/binding", [](LiveWorld& world) { world.AddPod("p", 1); },
       [](const LiveWorld& world) { return world.NodeOf("team/p") == "n1"; }},
      {"evict", "/eviction", FillAndClaim,
       [](const LiveWorld& world) { return world.NodeOf("team/p") == "n1"; }},
      {"mark", "pods/victim/status", FillAndClaim,
       [](const LiveWorld& world) { return world.NodeOf("team/p") == "n1"; }, 1},
      {"apply a Workload", "workloads/j?", add_job, job_runs},
      {"apply a status", "workloads/j/status", add_job, job_runs},
      {"patch a job", "jobs/j?", add_job, job_runs},
      {"nominate", "pods/p/status", ClaimInVain,
       [](const LiveWorld& world) { return NominatedNode(world) == "n1"; }},
      {"take a nomination back", "pods/p/status", [](LiveWorld& world) { world.RemoveNode("n1"); },
       [](const LiveWorld& world) { return NominatedNode(world).empty(); }, 2,
       [](LiveWorld& world) {
         ClaimInVain(world);
         world.Run(Duration::Seconds(5));
         ASSERT_EQ(NominatedNode(world), "n1");
       }},
      {"note a reservation", "pods/agent/status", ReserveInVain, IsReservationNoted},
      {"apply the status of a quota", "elasticquotas/q/status",
       [](LiveWorld& world) { world.AddPod("p", 2, {}, "lab"); },
       [](const LiveWorld& world) { return UsedOfQuota(world) == "2"; }, 2,
       [](LiveWorld& world) {
         AddQuota(world);
         world.Run(Duration::Seconds(5));
       }},
  };
  return kWrites;
}

kube::FakeApi::Answer AnswerOf(const Refusal& refusal, const std::string& write) {
  json::object details;
  if (refusal.code == 429 && write == "evict") {
    details["causes"] = json::array{{{"reason", "DisruptionBudget"}, {"message", "it needs 1"}}};
  }
  return kube::StatusAnswer(refusal.code, refusal.reason, "no", std::move(details));
}

TEST(LiveRefusals, EachIsSaidOrTriedAgainAndNoneIsForGood) {
  for (const Write& write : Writes()) {
    for (const Refusal& refusal : kRefusals) {
      SCOPED_TRACE(std::string(write.name) + " " + std::to_string(refusal.code));
      LiveWorld world;
      world.AddNode("n1", 2);
      world.AddQueue("default", 0);
      world.AddQueue("sure", 2);
      LiveWorld::Process& process = world.Start(1);
      world.Run(Duration::Seconds(2));
      if (write.before) write.before(world);
      process.loop->script = {{write.path, AnswerOf(refusal, write.name), write.times}};
      write.wanted(world);
      world.Run(Duration::Seconds(500));
      EXPECT_EQ(process.loop->script[0].times, 0) << "it was not asked";
      EXPECT_TRUE(write.done(world));
      // A version that is old, a server that has enough to do: nobody need look at that.
      const bool is_told = refusal.code == 403 || refusal.code == 422;
      EXPECT_TRUE(!is_told || !process.problems.empty());
    }
  }
}

// What was refused is not what stands by the time that it would be written again.
TEST(LiveRefusals, AStatusThatIsOutOfDateIsNotWrittenAgain) {
  LiveWorld world;
  world.AddNode("n1", 4);
  AddQuota(world);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(2));
  process.loop->script = {{"elasticquotas/q/status", kube::StatusAnswer(409, "Conflict", "no"), 1}};
  world.AddPod("one", 1, {}, "lab");
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(process.loop->script[0].times, 0);
  world.AddPod("two", 1, {}, "lab");
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(UsedOfQuota(world), "2");
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(UsedOfQuota(world), "2");
}

TEST(LiveRefusals, APodThatIsBoundByThenIsNotNominated) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddQueue("default", 0);
  world.AddQueue("sure", 2);
  world.SetGrace(Duration::Seconds(5));
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {{"pods/p/status", kube::StatusAnswer(409, "Conflict", "no"), 1}};
  FillAndClaim(world);
  world.Run(Duration::Seconds(20));
  EXPECT_EQ(process.loop->script[0].times, 0);
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(NominatedNode(world), "");
}

// Nobody takes back what the cluster did not show: it is shown once, and then taken back.
TEST(LiveRefusals, ANominationThatFellMeanwhileDoesNotStay) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddQueue("default", 0);
  world.AddQueue("sure", 2);
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {{"pods/p/status", kube::StatusAnswer(409, "Conflict", "no"), 1}};
  ClaimInVain(world);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(process.loop->script[0].times, 0);
  world.RemoveNode("n1");
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(NominatedNode(world), "");
}

// A webhook or a proxy may say 409 where nobody has changed the job.
TEST(LiveRefusals, AConflictWithoutAChangeCostsSeconds) {
  LiveWorld world;
  world.AddNode("n1", 2);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(2));
  process.loop->script = {{"jobs/j?", kube::StatusAnswer(409, "Conflict", "no"), 1}};
  world.AddJob("j", 2);
  world.Run(Duration::Seconds(6));
  EXPECT_EQ(process.loop->script[0].times, 0);
  EXPECT_FALSE(Suspended(world));
  // However often: it is asked ever more seldom, and said.
  process.loop->script = {{"jobs/k?", kube::StatusAnswer(409, "Conflict", "no"), 1000}};
  world.AddNode("n2", 2);
  world.AddJob("k", 2);
  world.Run(Duration::Seconds(50));
  EXPECT_EQ(1000 - process.loop->script[0].times, 5);  // after 0, 2, 6, 14, 30 s
  ASSERT_FALSE(process.problems.empty());
  EXPECT_NE(process.problems.back().find("though the job is as it was"), std::string::npos);
}

// The server calls it an internal error, and never grants it: the claim is not left waiting.
TEST(LiveRefusals, AVictimOfTwoBudgetsIsGivenUp) {
  LiveWorld world;
  world.AddNode("n1", 2);
  world.AddQueue("default", 0);
  world.AddQueue("sure", 2);
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {
      {"/eviction",
       kube::StatusAnswer(500, "InternalError",
                          "This pod has more than one PodDisruptionBudget, which the eviction "
                          "subresource does not support."),
       1000}};
  FillAndClaim(world);
  world.Run(Duration::Seconds(60));
  EXPECT_GE(process.scheduler->executor().counts().evict_failed, 2u);
  EXPECT_LE(process.scheduler->executor().counts().evict_failed, 7u);  // 1, 2, 4 … s apart
  ASSERT_FALSE(process.problems.empty());
  EXPECT_NE(process.problems[0].find("more than one PodDisruptionBudget"), std::string::npos);
}

// The pod of that name is another one by the time the failure would be told.
TEST(LiveRefusals, AFailureOfAPodThatIsGoneDoesNotCountForTheNextOne) {
  LiveWorld world;
  world.AddNode("n1", 2);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(2));
  process.loop->script = {{"/binding", kube::StatusAnswer(403, "Forbidden", "no"), 1}};
  world.AddPod("p", 2);
  world.Run(Duration{.us = 500'000});
  world.api.Erase("pods", "team/p");
  world.AddPod("p", 2);
  world.AddPod("q", 2);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(world.api.bindings(), 1u);
  EXPECT_EQ(process.scheduler->executor().counts().bind_failed, 1u);
}

// A binding is not answered while its node goes, the pod is decided for another one, and another
// pod is to have its room there. That the first binding fails is no word of the second, which is
// carried out, though nobody shows it: the pod leaves before its room is given away.
TEST(LiveRefusals, ABindingThatFailsLateTakesBackNoLaterOne) {
  LiveWorld world;
  world.AddQueue("default", 0);
  world.AddQueue("sure", 2);
  world.AddNode("n1", 2);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(2));
  process.loop->script = {{"pods/p/binding", kube::StatusAnswer(500, "InternalError", "no"), 1000}};
  world.AddPod("p", 2);
  world.Run(Duration::Seconds(1));
  world.RemoveNode("n1");
  world.AddNode("n2", 2);
  world.Run(Duration::Seconds(1));
  world.AddPod("q", 2, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
  world.Run(Duration::Seconds(1));
  process.loop->script = {{"pods/p/binding", kube::StatusAnswer(409, "Conflict", "no"), 1},
                          {"pods/p/eviction", kube::StatusAnswer(500, "InternalError", "no"), 5}};
  process.loop->BreakWatches('h');
  world.Run(Duration::Seconds(300));
  EXPECT_EQ(world.api.evictions(), 1u);
  EXPECT_EQ(world.NodeOf("team/q"), "n2");
  EXPECT_EQ(process.scheduler->executor().counts().bind_failed, 1u);
}

// What cannot be bound does not keep events from going out; a burst of the same is one event.
TEST(LiveRefusals, EventsGoOutBesideABindingThatIsNotJudged) {
  LiveWorld world;
  world.AddNode("n1", 4);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(2));
  process.loop->script = {{"pods/stuck/binding",
                           kube::StatusAnswer(500, "InternalError", "failed calling webhook"),
                           1000}};
  world.AddPod("stuck", 1);
  world.Run(Duration::Seconds(1));
  world.AddPod("p", 1);
  world.Run(Duration::Seconds(10));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(world.api.All("events").size(), 1u);
  world.Run(Duration::Seconds(200));
  ASSERT_FALSE(process.problems.empty());
  EXPECT_EQ(process.problems[0],
            "Pod team/stuck: tried 10 times: 500 InternalError: failed calling webhook");
}

}  // namespace
}  // namespace fairlead::live
