// What the status of Kubernetes' own PodGroups says of how they are placed, in whichever version
// the server has them.

#include <string>

#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

struct GroupsWorld : LiveWorld {
  explicit GroupsWorld(std::string version = "v1beta1")
      : api_version("scheduling.k8s.io/" + std::move(version)) {
    api.Serve({api_version, "PodGroup", "podgroups"});
  }

  void AddGroup(const std::string& name, int min_count, const char* queue = "default") {
    api.Put("podgroups", {{"apiVersion", api_version},
                          {"kind", "PodGroup"},
                          {"metadata",
                           {{"name", name},
                            {"namespace", "team"},
                            {"creationTimestamp", Stamp()},
                            {"labels", {{"fairlead.dev/queue", queue}}}}},
                          {"spec",
                           {{"schedulingPolicy", {{"gang", {{"minCount", min_count}}}}},
                            {"disruptionMode", {{"all", json::object()}}}}}});
  }
  void AddMember(const std::string& name, const std::string& group) {
    AddPod(name, 1);
    json::object pod = *Pod("team/" + name);
    pod["spec"].as_object()["schedulingGroup"] = json::object{{"podGroupName", group}};
    api.Put("pods", std::move(pod));
  }
  // "True Scheduled: its minimum is placed"; empty: it is not there.
  std::string Condition(const std::string& type, const std::string& group = "team/g") const {
    const json::value* status = api.Find("podgroups", group)->if_contains("status");
    const json::value* conditions = status == nullptr ? nullptr : At(*status, "conditions");
    if (conditions == nullptr) return "";
    for (const json::value& each : conditions->as_array()) {
      if (TextAt(each, "type") != type) continue;
      EXPECT_FALSE(TextAt(each, "lastTransitionTime").empty());
      return TextAt(each, "status") + " " + TextAt(each, "reason") + ": " + TextAt(each, "message");
    }
    return "";
  }

  std::string api_version;
};

TEST(LiveGroups, SayWhyTheyWaitAndThatTheyArePlaced) {
  for (const char* version : {"v1beta1", "v1alpha3"}) {
    GroupsWorld world(version);
    world.AddNode("n1", 2);
    world.AddGroup("g", 2);
    world.AddMember("p0", "g");
    LiveWorld::Process& process = world.Start(1);
    world.Run(Duration::Seconds(3));
    EXPECT_EQ(world.Bound(), 0);
    EXPECT_EQ(world.Condition("PodGroupInitiallyScheduled"),
              "False Unschedulable: pod set \"main\" needs 2 pods to start and has 1: the others "
              "must be made first");
    world.AddMember("p1", "g");
    world.Run(Duration::Seconds(3));
    EXPECT_EQ(world.Bound(), 2);
    EXPECT_EQ(world.Condition("PodGroupInitiallyScheduled"),
              "True Scheduled: its minimum is placed");
    EXPECT_EQ(world.Condition("DisruptionTarget"), "");
    EXPECT_TRUE(process.problems.empty());
  }
}

// It leaves whole for work that has a right to the room, and its first success stays true.
TEST(LiveGroups, SayThatTheyHaveToGo) {
  GroupsWorld world;
  world.AddNode("n1", 2);
  world.AddQueue("low", 0);
  world.AddQueue("high", 2);
  world.AddGroup("g", 1, "low");
  world.AddMember("p0", "g");
  world.AddMember("p1", "g");
  world.Start(1);
  world.Run(Duration::Seconds(3));
  ASSERT_EQ(world.Bound(), 2);
  world.AddPod("urgent", 1, {{"labels", {{"fairlead.dev/queue", "high"}}}});
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/urgent"), "n1");
  EXPECT_EQ(world.Pod("team/p0"), nullptr);
  EXPECT_EQ(world.Pod("team/p1"), nullptr);
  const std::string target = world.Condition("DisruptionTarget");
  EXPECT_TRUE(target.starts_with("True PreemptionByScheduler: Reclaim for team/urgent")) << target;
  EXPECT_EQ(world.Condition("PodGroupInitiallyScheduled"), "True Scheduled: its minimum is placed");
}

// In the first version the condition has another name, and is not final.
TEST(LiveGroups, OfTheFirstVersionSayItByItsWord) {
  GroupsWorld world("v1alpha2");
  world.AddNode("n1", 1);
  world.AddGroup("g", 1);
  world.AddMember("p0", "g");
  world.Start(1);
  world.Run(Duration::Seconds(3));
  EXPECT_EQ(world.Condition("PodGroupScheduled"), "True Scheduled: its minimum is placed");
  EXPECT_EQ(world.Condition("PodGroupInitiallyScheduled"), "");
  world.Delete("pods", "team/p0");
  world.Run(Duration::Seconds(3));
  EXPECT_TRUE(world.Condition("PodGroupScheduled").starts_with("False Unschedulable: "))
      << world.Condition("PodGroupScheduled");
}

// A refusal is said, and the condition written again.
TEST(LiveGroups, AreWrittenAgainWhereTheServerRefuses) {
  GroupsWorld world;
  world.AddNode("n1", 1);
  world.AddGroup("g", 1);
  world.AddMember("p0", "g");
  LiveWorld::Process& process = world.Start(1);
  process.loop->script = {
      {"podgroups/g/status", kube::StatusAnswer(403, "Forbidden", "no rights"), 1}};
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.Bound(), 1);
  ASSERT_FALSE(process.problems.empty());
  EXPECT_NE(process.problems.front().find("cannot write the status of PodGroup team/g"),
            std::string::npos);
  world.Run(Duration::Seconds(60));
  EXPECT_EQ(world.Condition("PodGroupInitiallyScheduled"), "True Scheduled: its minimum is placed");
}

}  // namespace
}  // namespace fairlead::live
