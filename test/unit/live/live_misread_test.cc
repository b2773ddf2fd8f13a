// Pods that have a node and cannot be read: they take room there, whatever is wrong with them.

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "engine/explain/report.h"
#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

void AddNode(LiveWorld& world, const std::string& name, int cpus, int gpus) {
  world.api.Put("nodes", {{"metadata", {{"name", name}}},
                          {"status",
                           {{"allocatable",
                             {{"cpu", std::to_string(cpus)},
                              {"memory", "64Gi"},
                              {"nvidia.com/gpu", std::to_string(gpus)},
                              {"pods", "110"}}},
                            {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
}

// A pod of team that asks `requests`; on `node`, where that is not empty.
void PutPod(LiveWorld& world, const std::string& name, json::object requests,
            const std::string& node = "", const std::string& phase = "",
            const std::string& scheduler = "fairlead") {
  json::object spec{
      {"schedulerName", scheduler},
      {"containers", {{{"name", "c"}, {"resources", {{"requests", std::move(requests)}}}}}}};
  if (!node.empty()) spec["nodeName"] = node;
  json::object pod{
      {"metadata",
       {{"name", name}, {"namespace", "team"}, {"creationTimestamp", "2026-01-01T00:00:00Z"}}},
      {"spec", std::move(spec)}};
  if (!phase.empty()) pod["status"] = json::object{{"phase", phase}};
  world.api.Put("pods", std::move(pod));
}

const json::object kContradicts{
    {"cpu", "1"}, {"nvidia.com/gpu", "8"}, {"fairlead.dev/gpu-milli", "1"}};
const json::object kUnreadable{{"cpu", "1"}, {"example.com/chips", "9e30"}};

std::string ReasonOf(const LiveScheduler& live, const std::string& pod) {
  const auto pending = engine::Explain(live.scheduler(), pod, live.now());
  return pending && !pending->reasons.empty() ? pending->reasons[0].message : "";
}

TEST(LiveMisread, AContradictionTakesTheMostOfWhatItSays) {
  LiveWorld world;
  AddNode(world, "n1", 8, 8);
  PutPod(world, "greedy", kContradicts, "n1", "Running", "other");
  PutPod(world, "p", {{"cpu", "1"}, {"nvidia.com/gpu", "1"}});
  PutPod(world, "q", {{"cpu", "1"}});
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "");  // all 8 GPUs are in use
  EXPECT_EQ(world.NodeOf("team/q"), "n1");
  ASSERT_FALSE(process.problems.empty());
  EXPECT_EQ(process.problems[0],
            "Pod team/greedy cannot be read: spec: found both nvidia.com/gpu and "
            "fairlead.dev/gpu-milli, expected one of them");
  world.api.Erase("pods", "team/greedy");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

TEST(LiveMisread, NothingNewGoesToItsNodeUntilItIsGone) {
  LiveWorld world;
  world.AddNode("n1", 8);
  world.AddPod("before", 1);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.NodeOf("team/before"), "n1");
  PutPod(world, "strange", kUnreadable, "n1", "Running", "other");
  world.Run(Duration::Seconds(5));
  world.AddPod("p", 1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "");
  EXPECT_EQ(world.NodeOf("team/before"), "n1");  // what runs there runs on
  EXPECT_EQ(
      ReasonOf(*process.scheduler, "team/p"),
      "no node has room for it now: of 1 node, 1 with a pod whose resources cannot be read (Pod "
      "team/strange)");
  world.AddNode("n2", 1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n2");
  world.AddPod("q", 1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/q"), "");
  world.api.Erase("pods", "team/strange");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/q"), "n1");
}

// Resources can be resized in place: what was readable is not, and is again.
TEST(LiveMisread, ARunningPodThatIsResizedDoesNotVanish) {
  LiveWorld world;
  world.AddNode("n1", 4);
  PutPod(world, "mine", {{"cpu", "3"}});
  world.Start(1);
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.NodeOf("team/mine"), "n1");
  PutPod(world, "mine", kUnreadable, "n1", "Running");
  world.AddPod("p", 2);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "");
  PutPod(world, "mine", {{"cpu", "3"}}, "n1", "Running");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "");  // 3 of 4 are in use, and counted again
  PutPod(world, "mine", {{"cpu", "2"}}, "n1", "Running");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

// One that has ended takes nothing, be it read or not.
TEST(LiveMisread, WhatHasEndedOpensItsNode) {
  LiveWorld world;
  world.AddNode("n1", 4);
  PutPod(world, "strange", kUnreadable, "n1", "Running", "other");
  world.AddPod("p", 1);
  world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "");
  PutPod(world, "strange", kUnreadable, "n1", "Failed", "other");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
}

// What is wrong and says nothing of room closes no node: anybody may annotate his own pod.
TEST(LiveMisread, AnAnnotationClosesNoNode) {
  LiveWorld world;
  world.AddNode("n1", 4);
  world.AddPod("mine", 1);
  world.Start(1);
  world.Run(Duration::Seconds(5));
  json::object pod = *world.Pod("team/mine");
  pod["metadata"].as_object()["annotations"] = {{"fairlead.dev/run-duration", "soon"}};
  world.api.Put("pods", std::move(pod));
  world.AddPod("p", 3);
  world.AddPod("q", 1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "n1");
  EXPECT_EQ(world.NodeOf("team/q"), "");  // the pod takes its CPU all the same
}

// Eight of 2^60 are 2^63: what others' pods say does not make room by passing the end of the
// numbers.
TEST(LiveMisread, HugeAmountsDoNotWrap) {
  LiveWorld world;
  AddNode(world, "n1", 64, 8);
  for (int i = 0; i < 64; ++i) {
    PutPod(world, "huge-" + std::to_string(i),
           {{"cpu", "1"}, {"nvidia.com/gpu", "4000000000"}, {"memory", "4Ei"}}, "n1", "Running",
           "other");
  }
  PutPod(world, "p", {{"cpu", "0"}, {"memory", "1Gi"}});
  PutPod(world, "q", {{"cpu", "0"}, {"nvidia.com/gpu", "1"}});
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(process.problems, std::vector<std::string>{});
  EXPECT_EQ(world.NodeOf("team/p"), "");
  EXPECT_EQ(world.NodeOf("team/q"), "");
}

// Events of a reason, by the object that they regard.
std::map<std::string, json::object> EventsOf(LiveWorld& world, const std::string& reason) {
  std::map<std::string, json::object> events;
  for (const auto& [key, event] : world.api.All("events")) {
    if (TextAt(event, "reason") == reason) {
      events[TextAt(event.at("involvedObject"), "name")] = event;
    }
  }
  return events;
}

// Not in the log alone, which users do not see.
TEST(LiveMisread, WhoeverWroteItIsTold) {
  LiveWorld world;
  world.AddNode("n1", 4);
  LiveWorld::Process& process = world.Start(1);
  world.Run(Duration::Seconds(2));
  world.AddWorkload("w", {.count = 1, .min_count = 2});
  PutPod(world, "p", kUnreadable);
  world.Run(Duration::Seconds(5));
  auto events = EventsOf(world, "NotRead");
  ASSERT_TRUE(events.contains("w") && events.contains("p"));
  EXPECT_EQ(TextAt(events["w"], "type"), "Warning");
  EXPECT_EQ(TextAt(events["w"].at("involvedObject"), "uid"),
            TextAt(world.api.Find("workloads", "team/w")->at("metadata"), "uid"));
  EXPECT_EQ(TextAt(events["p"], "message"),
            "it cannot be read: spec.containers[0].resources.requests.example.com/chips: found "
            "\"9e30\", expected a quantity below 2^63");
  const auto condition = [&]() -> const json::value* {
    const json::object* workload = world.api.Find("workloads", "team/w");
    const json::value* status = workload->if_contains("status");
    const json::value* list = status == nullptr ? nullptr : At(*status, "conditions");
    if (list == nullptr) return nullptr;
    for (const json::value& each : list->as_array()) {
      if (TextAt(each, "type") == "Ready") return &each;
    }
    return nullptr;
  };
  ASSERT_NE(condition(), nullptr);
  EXPECT_EQ(TextAt(*condition(), "status"), "False");
  EXPECT_EQ(TextAt(*condition(), "reason"), "NotRead");
  // What is mended is not said any more, and nothing else of its status goes with it.
  world.AddWorkload("w", {.count = 2, .min_count = 1, .has_template = true});
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(condition(), nullptr);
  EXPECT_EQ(world.Bound(), 2);
  EXPECT_NE(At(world.api.Find("workloads", "team/w")->at("status"), "admission"), nullptr);
  EXPECT_EQ(process.scheduler->state(), LiveScheduler::State::kDeciding);
}

// A running Workload keeps what it was given while somebody's edit cannot be read.
TEST(LiveMisread, AnAdmissionOutlastsAnEditThatCannotBeRead) {
  LiveWorld world;
  world.AddNode("n1", 4);
  world.Start(1);
  world.AddWorkload("w", {.count = 2, .min_count = 1, .has_template = true});
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(world.Bound(), 2);
  json::object edited = *world.api.Find("workloads", "team/w");
  edited["spec"].as_object()["podSets"].as_array()[0].as_object()["minCount"] = 5;
  world.api.Put("workloads", std::move(edited));
  world.Run(Duration::Seconds(5));
  const json::value& status = world.api.Find("workloads", "team/w")->at("status");
  EXPECT_NE(At(status, "admission"), nullptr);
  EXPECT_EQ(world.Bound(), 2);
  EXPECT_TRUE(EventsOf(world, "NotRead").contains("w"));
}

// Ten edits a second are ten lines of the log, and one event.
TEST(LiveMisread, IsToldOnceAMinute) {
  LiveWorld world;
  world.Start(1);
  world.Run(Duration::Seconds(2));
  for (int i = 0; i < 100; ++i) {
    PutPod(world, "p", {{"example.com/chips", "9e3" + std::to_string(i)}});
    world.Run(Duration{.us = 100'000});
  }
  EXPECT_EQ(EventsOf(world, "NotRead").size(), 1u);
  EXPECT_EQ(world.api.All("events").size(), 1u);
}

}  // namespace
}  // namespace fairlead::live
