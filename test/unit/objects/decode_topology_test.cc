#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "objects/write/writer.h"
#include "unit/objects/read.h"

// Topologies and what work asks of them: what is read, written back, and reported.

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view kTopologyHead =
    "apiVersion: fairlead.dev/v1alpha1\nkind: Topology\nmetadata: {name: fabric}\n";

TEST(DecodeTopology, ReadsLevelsInTheirOrder) {
  const Topology topology = ReadOne<Topology>(
      std::string(kTopologyHead) + "spec: {levels: [x/block, x/rack, kubernetes.io/hostname]}");
  EXPECT_EQ(topology.meta.Key(), "fabric");
  EXPECT_EQ(topology.levels, (Strings{"x/block", "x/rack", "kubernetes.io/hostname"}));
  EXPECT_TRUE(topology.dialect_kind.empty());
  EXPECT_EQ(QualifiedKindOf(topology), "Topology");
}

TEST(DecodeTopology, ReportsFaults) {
  const std::string object = "in.yaml:4: Topology fabric: ";
  const std::pair<std::string, std::string> cases[] = {
      {"spec: {}", "spec.levels: found none, expected one label key or more, widest first"},
      {"spec: {levels: []}",
       "spec.levels: found none, expected one label key or more, widest first"},
      {"spec: {levels: rack}", "spec.levels: found \"rack\", expected a list"},
      {"spec: {levels: [{nodeLabel: rack}]}", "spec.levels[0]: found a mapping, expected a string"},
      {"spec: {levels: [\"\"]}",
       "spec.levels[0]: found \"\", expected the key of a label of nodes"},
      {"spec: {levels: [rack, rack]}",
       "spec.levels[1]: found \"rack\" a second time, expected each level once"},
      {"spec: {levels: [rack], nodes: 3}",
       "spec.nodes: found an unknown field, expected one of levels"},
  };
  for (const auto& [text, fault] : cases) {
    EXPECT_EQ(FaultsOf(std::string(kTopologyHead) + text), Strings{object + fault}) << text;
  }
}

constexpr std::string_view kWorkloadHead =
    "apiVersion: fairlead.dev/v1alpha1\nkind: Workload\nmetadata: {name: w}\n";

TEST(DecodeWorkload, ReadsTopologyOfAllAndOfPodSets) {
  const std::string text = std::string(kWorkloadHead) + R"(
spec:
  podSets:
  - {name: leader, count: 1, topology: {group: g}}
  - name: worker
    count: 8
    topology: {name: fabric, required: block, preferred: rack, slices: {size: 4, required: host},
               group: g, onTopologyBroken: Restart}
  - {name: plain, count: 1}
  topology: {required: x/zone}
)";
  const Workload workload = ReadOne<Workload>(text);
  ASSERT_TRUE(workload.topology && workload.pod_sets[0].topology && workload.pod_sets[1].topology);
  EXPECT_EQ(*workload.topology, (TopologyConstraint{.required = "x/zone"}));
  EXPECT_EQ(*workload.pod_sets[0].topology, (TopologyConstraint{.group = "g"}));
  EXPECT_EQ(*workload.pod_sets[1].topology,
            (TopologyConstraint{.name = "fabric",
                                .required = "block",
                                .preferred = "rack",
                                .slice_size = 4,
                                .slice_required = "host",
                                .group = "g",
                                .on_broken = OnTopologyBroken::kRestart}));
  EXPECT_FALSE(workload.pod_sets[2].topology);
  Workload again = ReadOne<Workload>(boost::json::serialize(ToJson(workload)));
  again.meta.source = workload.meta.source;
  EXPECT_EQ(again, workload);
}

TEST(DecodeWorkload, ReportsFaultsOfItsTopology) {
  const std::string object = "in.yaml:4: Workload default/w: ";
  const std::pair<std::string, std::string> cases[] = {
      {"{}", "found none of required, preferred and slices, expected one or more"},
      {"{name: fabric}", "found none of required, preferred and slices, expected one or more"},
      {"{slices: {required: rack}}",
       ".slices.size: found none, expected the number of pods of a slice"},
      {"{slices: {size: 0, required: rack}}",
       ".slices.size: found number 0, expected a whole number from 1 to 2147483647"},
      {"{slices: {size: 4}}",
       ".slices.required: found none, expected the level of which a slice is in one domain"},
      {"{required: rack, onTopologyBroken: Stop}",
       ".onTopologyBroken: found \"Stop\", expected Wait or Restart"},
      {"{required: [rack]}", ".required: found a list, expected a string"},
  };
  for (const auto& [topology, fault] : cases) {
    const std::string of_set =
        std::string(kWorkloadHead) + "spec: {podSets: [{count: 1, topology: " + topology + "}]}";
    const std::string of_all =
        std::string(kWorkloadHead) + "spec: {podSets: [{count: 1}], topology: " + topology + "}";
    const std::string said = fault.starts_with('.') ? fault : ": " + fault;
    EXPECT_EQ(FaultsOf(of_set), Strings{object + "spec.podSets[0].topology" + said}) << topology;
    EXPECT_EQ(FaultsOf(of_all), Strings{object + "spec.topology" + said}) << topology;
  }
  EXPECT_EQ(FaultsOf(std::string(kWorkloadHead) +
                     "spec: {podSets: [{count: 1}], topology: {required: rack, group: g}}")
                .size(),
            1u);
}

}  // namespace
}  // namespace fairlead::objects
