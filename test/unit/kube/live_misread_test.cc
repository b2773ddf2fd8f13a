// Pods that have a node and cannot be read: they take room there, whatever is wrong with them.

#include <string>

#include <gtest/gtest.h>

#include "engine/report.h"
#include "kube/json.h"
#include "unit/kube/live_world.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;

void AddNode(LiveWorld& world, const std::string& name, int cpus, int gpus) {
  world.api.Put("nodes", {{"metadata", {{"name", name}}},
                          {"status",
                           {{"allocatable",
                             {{"cpu", std::to_string(cpus)},
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
  json::object pod{{"metadata",
                    {{"name", name},
                     {"namespace", "team"},
                     {"creationTimestamp", "2026-01-01T00:00:00Z"}}},
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
  EXPECT_EQ(ReasonOf(*process.scheduler, "team/p"),
            "no node has room: of 1 node, 1 with a pod whose resources cannot be read (Pod "
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

}  // namespace
}  // namespace fairlead::kube
