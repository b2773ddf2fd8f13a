// Shared devices and a scheduler that starts anew: what the owner of a pod may write is not
// believed, what the scheduler wrote where only it may is.

#include <string>

#include <gtest/gtest.h>

#include "objects/read/json_fields.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::TextAt;

namespace json = boost::json;

class LiveDevices : public testing::Test {
 protected:
  LiveDevices() {
    world.api.Put("nodes",
                  {{"metadata", {{"name", "n1"}}},
                   {"status",
                    {{"allocatable", {{"cpu", "64"}, {"nvidia.com/gpu", "4"}, {"pods", "110"}}},
                     {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
  }

  void AddPod(const std::string& name, const std::string& resource, const std::string& amount,
              const std::string& node = "") {
    json::object spec{
        {"schedulerName", "fairlead"},
        {"containers",
         {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}, {resource, amount}}}}}}}}};
    if (!node.empty()) spec["nodeName"] = node;
    world.api.Put(
        "pods",
        {{"metadata",
          {{"name", name}, {"namespace", "team"}, {"creationTimestamp", "2026-01-01T00:00:00Z"}}},
         {"spec", std::move(spec)},
         {"status", {{"phase", node.empty() ? "Pending" : "Running"}}}});
  }
  void AddShare(const std::string& name, int milli, const std::string& node = "") {
    AddPod(name, "fairlead.dev/gpu-milli", std::to_string(milli), node);
  }
  void AddWhole(const std::string& name, int devices) {
    AddPod(name, "nvidia.com/gpu", std::to_string(devices));
  }
  std::string DeviceOf(const std::string& name) const {
    const json::value* annotations = At(world.Pod("team/" + name)->at("metadata"), "annotations");
    return annotations == nullptr ? "" : TextAt(*annotations, "fairlead.dev/gpu-device");
  }
  // As the pod's owner may.
  void Annotate(const std::string& name, const std::string& device) {
    json::object pod = *world.Pod("team/" + name);
    pod["metadata"].as_object()["annotations"] = {{"fairlead.dev/gpu-device", device}};
    world.api.Put("pods", std::move(pod));
  }

  LiveWorld world;
};

// Three of the four devices are in shared use. Their pods say that it is one.
TEST_F(LiveDevices, WhatAPodsOwnerSaysFreesNoDeviceAfterARestart) {
  LiveWorld::Process& first = world.Start(1);
  for (const char* name : {"a", "b", "c"}) AddShare(name, 600);
  world.Run(Duration::Seconds(5));
  ASSERT_EQ(DeviceOf("a") + DeviceOf("b") + DeviceOf("c"), "012");
  for (const char* name : {"a", "b", "c"}) Annotate(name, "0");
  AddWhole("two", 2);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/two"), "");
  world.Kill(first);
  world.Start(2);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/two"), "");
}

// What ran under the old scheduler costs the new one nothing.
TEST_F(LiveDevices, ARestartKnowsWhatWasGiven) {
  LiveWorld::Process& first = world.Start(1);
  for (const char* name : {"a", "b", "c"}) AddShare(name, 600);
  world.Run(Duration::Seconds(5));
  world.Kill(first);
  world.Start(2);
  AddWhole("one", 1);
  world.Run(Duration::Seconds(5));
  AddShare("d", 400);
  AddShare("e", 500);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/one"), "n1");  // the fourth device
  EXPECT_EQ(DeviceOf("d"), "0");              // beside a
  EXPECT_EQ(world.NodeOf("team/e"), "");      // 400 are free on b's and c's device each
}

// Pods that name their node themselves: nobody knows which devices they use. Each may have its own,
// so that two of four are whole; both may be on the one that a third wants to share, so that 400 of
// each are free.
TEST_F(LiveDevices, WhoseDeviceNobodyKnowsTakesTheWorst) {
  AddShare("a", 300, "n1");
  AddShare("b", 300, "n1");
  Annotate("a", "0");
  Annotate("b", "0");
  world.Start(1);
  world.Run(Duration::Seconds(5));
  AddWhole("three", 3);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/three"), "");
  AddShare("large", 500);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/large"), "");
  AddShare("small", 400);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/small"), "n1");
  AddWhole("one", 1);  // 4 less a's, b's and small's
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/one"), "n1");
  world.api.Erase("pods", "team/a");
  world.api.Erase("pods", "team/b");
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/large"), "n1");
}

// A hundred pods that say "device 0" are more than a small number holds.
TEST_F(LiveDevices, ManyOnOneDeviceDoNotWrap) {
  for (int i = 0; i < 60; ++i) AddShare("s" + std::to_string(i), 1000, "n1");
  AddShare("p", 100);
  AddWhole("q", 1);
  world.Start(1);
  world.Run(Duration::Seconds(5));
  EXPECT_EQ(world.NodeOf("team/p"), "");
  EXPECT_EQ(world.NodeOf("team/q"), "");
}

}  // namespace
}  // namespace fairlead::live
