#include <gtest/gtest.h>

#include "unit/objects/read.h"

// placement: of a SchedulerConfiguration. Its faults: decode_test.cc.

namespace fairlead::objects {
namespace {

TEST(DecodeConfiguration, ReadsPlacementByThePod) {
  const auto config = ReadOne<SchedulerConfiguration>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
placement:
  gpu: fragmentation
  cpu: random
  seed: 7
  typicalPods:
  - {count: 12, cpu: 500m, gpus: 2, nodeLabels: {zone: [z], model: [T4, P100]}}
  - {cpu: 2, gpuMilli: 460}
  - {gpuMilli: 1000}
)");
  EXPECT_EQ(config.gpu_placement, NodeChoice::kFragmentation);
  EXPECT_EQ(config.cpu_placement, NodeChoice::kRandom);
  EXPECT_EQ(config.placement_seed, 7);
  const std::vector<TypicalPod> expected = {
      {.count = 12,
       .cpu_milli = 500,
       .gpus = 2,
       .gpu_milli = 0,
       .node_labels = {{"model", Operator::kIn, {"T4", "P100"}}, {"zone", Operator::kIn, {"z"}}}},
      {.count = 1, .cpu_milli = 2000, .gpus = 0, .gpu_milli = 460, .node_labels = {}},
      {.count = 1, .cpu_milli = 0, .gpus = 1, .gpu_milli = 0, .node_labels = {}}};
  EXPECT_EQ(config.typical_pods, expected);
}

}  // namespace
}  // namespace fairlead::objects
