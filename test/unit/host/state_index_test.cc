#include "host/state_index.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "objects/read/reader.h"

namespace fairlead::host {
namespace {

// Intake that was asked what is new, and an index over it.
struct IndexWorld {
  void Tell(const std::string& yaml) {
    objects::Manifest manifest;
    objects::ReadText(yaml, "world.yaml", intake::AllDecoders(), manifest);
    EXPECT_TRUE(manifest.faults.empty());
    for (const objects::Object& object : manifest.objects) intake.Upsert(object, Time());
    intake.TakeChanges();
  }
  void Remove(const char* kind, const char* name) {
    EXPECT_TRUE(intake.Remove(kind, "a", name));
    intake.TakeChanges();
  }

  intake::Intake intake;
  StateIndex index{intake};
};

std::string PodText(const std::string& name, const std::string& labels = "",
                    const std::string& scheduler = "fairlead") {
  return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: a, labels: {" +
         labels + "}}, spec: {schedulerName: " + scheduler +
         ", containers: [{name: c, resources: {requests: {cpu: 1}}}]}}\n";
}

const std::string kGang = R"(---
{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {name: w, namespace: a},
 spec: {queueName: r, podSets: [{name: worker, count: 2}]}}
)";
const std::string kOfGang = "fairlead.dev/workload: w", kOfQueue = "fairlead.dev/queue: q";

TEST(StateIndex, PodsAndTheirWorkloads) {
  IndexWorld world;
  const StateIndex& index = world.index;
  world.Tell(PodText("w-0", kOfGang) + PodText("p", kOfQueue) + kGang +
             PodText("x", "", "another"));
  ASSERT_TRUE(index.FindWorkload("a/w"));
  EXPECT_EQ(index.FindWorkload("a/w")->queue, "r");
  EXPECT_EQ(index.FindWorkload("a/w")->pod_sets.front().count, 2);
  EXPECT_EQ(index.PodsOf("a/w"), std::vector<std::string_view>{"a/w-0"});
  EXPECT_EQ(StateIndex::WorkloadOf("a/p", *index.FindPod("a/p")), "a/p");
  EXPECT_EQ(StateIndex::WorkloadOf("a/w-0", *index.FindPod("a/w-0")), "a/w");
  EXPECT_EQ(index.PodsOf("a/p"), std::vector<std::string_view>{"a/p"});
  EXPECT_EQ(index.FindWorkload("a/p")->queue, "q");
  EXPECT_TRUE(index.FindWorkload("a/p")->is_pod);
  EXPECT_EQ(index.Names(), (std::vector<std::string>{"a/p", "a/w", "a/w-0"}));
  EXPECT_FALSE(index.FindPod("a/nothing"));
  EXPECT_FALSE(index.FindPod("a/x")) << "another's that waits is nobody's here";
}

TEST(StateIndex, Removals) {
  IndexWorld world;
  world.Tell(PodText("w-0", kOfGang) + PodText("p") + kGang);
  world.Remove("Workload", "w");
  world.Remove("Pod", "p");
  EXPECT_FALSE(world.index.FindWorkload("a/w"));
  EXPECT_FALSE(world.index.FindWorkload("a/p"));
  EXPECT_EQ(world.index.Names(), (std::vector<std::string>{"a/w-0"}));
}

TEST(StateIndex, APodChangesItsWorkload) {
  IndexWorld world;
  world.Tell(PodText("p") + kGang);
  EXPECT_TRUE(world.index.FindWorkload("a/p"));
  world.Tell(PodText("p", kOfGang));
  EXPECT_FALSE(world.index.FindWorkload("a/p"));
  EXPECT_EQ(world.index.FindPod("a/p")->workload, "a/w");
  EXPECT_EQ(world.index.PodsOf("a/w"), std::vector<std::string_view>{"a/p"});
}

TEST(StateIndex, WhatWasNotTakenIsNotTold) {
  IndexWorld world;
  objects::Pod pod;
  pod.meta.name_space = "a";
  pod.meta.name = "p";
  pod.spec.scheduler_name = "fairlead";
  world.intake.Upsert(pod, Time());
  EXPECT_FALSE(world.index.FindPod("a/p"));
  EXPECT_TRUE(world.index.Names().empty());
  world.intake.TakeChanges();
  EXPECT_TRUE(world.index.FindPod("a/p"));
}

}  // namespace
}  // namespace fairlead::host
