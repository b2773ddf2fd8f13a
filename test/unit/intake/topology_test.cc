#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/kueue.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Where pods of a workload are to stand to each other: whose words are read, which Topology they
// mean, and what the engine is told.

namespace fairlead::intake {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string TopologyIn(std::string_view api_version, std::string_view name,
                       std::string_view levels) {
  return fmt::format(
      "{{apiVersion: {}, kind: Topology, metadata: {{name: {}}}, spec: {{levels: "
      "[{}]}}}}\n---\n",
      api_version, name, levels);
}
std::string Topology(std::string_view name, std::string_view levels) {
  return TopologyIn("fairlead.dev/v1alpha1", name, levels);
}
std::string Fabric() { return Topology("fabric", "x/block, x/rack, kubernetes.io/hostname"); }

// The only line that begins so.
std::string LineOf(World& world, std::string_view begins) {
  std::vector<std::string> lines = world.Picture();
  std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(begins); });
  EXPECT_EQ(lines.size(), 1u) << testing::PrintToString(lines);
  return lines.empty() ? "" : lines.front();
}

// What the workload a/w asks, or what holds it.
std::string NearOf(const std::string& yaml) {
  World world;
  world.Upsert(yaml);
  const std::string line = LineOf(world, "workload a/w ");
  const std::size_t near = line.find(" near("), hold = line.find(" hold=");
  std::string text = near == std::string::npos ? "" : line.substr(near + 1);
  if (hold == std::string::npos) return text;
  for (const std::string& finding : world.Findings()) {
    const std::size_t at = finding.find("TopologyNotFound: ");
    if (at != std::string::npos) return finding.substr(at);
  }
  return "held: " + line.substr(hold);
}

std::string Asks(std::string_view topology) {
  return Workload("w", fmt::format("podSets: [{{count: 4}}], topology: {{{}}}", topology));
}

constexpr std::string_view kOfFabric = "of x/block,x/rack,kubernetes.io/hostname)";

TEST(TopologyTest, LevelsAreNamedByKeyOrLastWord) {
  for (const char* level : {"x/rack", "rack"}) {
    EXPECT_EQ(NearOf(Fabric() + Asks(fmt::format("required: {}", level))),
              fmt::format("near(0: required x/rack {}", kOfFabric));
  }
  EXPECT_EQ(NearOf(Fabric() + Asks("required: block, preferred: hostname, slices: {size: 2, "
                                   "required: rack}, onTopologyBroken: Restart")),
            "near(0: required x/block preferred kubernetes.io/hostname slices of 2 in x/rack of "
            "x/block,x/rack,kubernetes.io/hostname, restarts)");
}

TEST(TopologyTest, AWorkloadAndItsPodSetsAskBesideEachOther) {
  const std::string sets =
      "podSets: [{name: ps, count: 1}, {name: leader, count: 1, topology: {group: g, required: "
      "rack}}, {name: worker, count: 4, topology: {group: g}}, {name: log, count: 2, topology: "
      "{preferred: rack}}], topology: {required: block}";
  EXPECT_EQ(NearOf(Fabric() + Workload("w", sets)),
            fmt::format("near(0,1,2,3: required x/block {0} near(1,2: required x/rack {0} near(3: "
                        "preferred x/rack {0}",
                        kOfFabric));
}

TEST(TopologyTest, TemplatesAskByAnnotations) {
  const std::string annotations =
      "template: {metadata: {annotations: {fairlead.dev/topology: fabric, "
      "fairlead.dev/topology-required: rack, fairlead.dev/topology-slice-size: \"2\", "
      "fairlead.dev/topology-slice-required: hostname}}, spec: {containers: [{name: c}]}}";
  EXPECT_EQ(
      NearOf(Fabric() + Topology("other", "x/rack") +
             Workload("w", "podSets: [{count: 4, " + annotations + "}]")),
      fmt::format("near(0: required x/rack slices of 2 in kubernetes.io/hostname {}", kOfFabric));
}

TEST(TopologyTest, AJobAsksByItsOwnAnnotationsAndThoseOfItsTemplate) {
  const std::string job = fmt::format(
      "{{apiVersion: batch/v1, kind: Job, metadata: {{namespace: a, name: w, labels: "
      "{{fairlead.dev/queue: q}}, annotations: {{fairlead.dev/topology-required: block}}}}, spec: "
      "{{suspend: true, parallelism: 3, template: {{metadata: {{annotations: "
      "{{fairlead.dev/topology-preferred: rack}}}}, spec: {{schedulerName: fairlead, containers: "
      "[{{name: c}}]}}}}}}}}\n---\n");
  EXPECT_EQ(NearOf(Fabric() + Queue("q") + job),
            fmt::format("near(0: required x/block {0} near(0: preferred x/rack {0}", kOfFabric));
}

TEST(TopologyTest, PodsOfAGroupAskForIt) {
  const std::string group =
      "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {namespace: a, name: "
      "w}, spec: {minMember: 2}}\n---\n";
  const auto pod = [](std::string_view name, std::string_view level) {
    return Pod(name, fmt::format("labels: {{scheduling.x-k8s.io/pod-group: w}}, annotations: "
                                 "{{fairlead.dev/topology-required: {}}}",
                                 level));
  };
  // Of several the first by its text.
  EXPECT_EQ(NearOf(Fabric() + group + pod("p0", "rack") + pod("p1", "block")),
            fmt::format("near(0: required x/block {}", kOfFabric));
}

TEST(TopologyTest, WithoutAnObjectLabelsThatAreKnownAreTopologies) {
  EXPECT_EQ(NearOf(Asks("required: topology.kubernetes.io/zone")),
            "near(0: required topology.kubernetes.io/zone of topology.kubernetes.io/zone)");
  EXPECT_EQ(NearOf(Asks("name: zone, required: zone")),
            "near(0: required topology.kubernetes.io/zone of topology.kubernetes.io/zone)");
  EXPECT_EQ(NearOf(Asks("name: nvidia, required: spine")),
            "near(0: required network.topology.nvidia.com/spine of "
            "network.topology.nvidia.com/core,network.topology.nvidia.com/spine,"
            "network.topology.nvidia.com/leaf)");
  EXPECT_THAT(NearOf(Asks("name: gcp, required: gce-topology-block")),
              HasSubstr("of cloud.google.com/gce-topology-block,cloud.google.com/"
                        "gce-topology-subblock,cloud.google.com/gce-topology-host)"));
  EXPECT_THAT(NearOf(Asks("required: network.topology.nvidia.com/accelerator")),
              HasSubstr("of network.topology.nvidia.com/accelerator)"));
  // An object of the name wins.
  EXPECT_EQ(NearOf(Topology("zone", "x/z") + Asks("name: zone, required: z")),
            "near(0: required x/z of x/z)");
}

TEST(TopologyTest, NumberedLevelsAreThoseThatNodesCarry) {
  const auto node = [](std::string_view name, std::string_view labels) {
    return Node(name, "cpu: 1", fmt::format("labels: {{{}}}", labels));
  };
  World world;
  world.Upsert(Asks("name: topograph, required: tier-0"));
  EXPECT_THAT(world.Findings(),
              ElementsAre("Workload a/w: TopologyNotFound: Topology topograph is not there; there "
                          "are accelerator, gcp, nvidia, zone"));
  world.Take();
  world.Upsert(node("n1", "fabric.topograph.run/tier-0: s"));
  EXPECT_THAT(world.Take(), Contains(HasSubstr("of fabric.topograph.run/tier-0)")));
  // From the highest that any node carries, with those between; what is no number of a tier is
  // none.
  world.Upsert(node("n2",
                    "fabric.topograph.run/tier-2: s, fabric.topograph.run/tier-x: s, "
                    "fabric.topograph.run/tier-99: s"));
  EXPECT_THAT(world.Take(), Contains(HasSubstr("of fabric.topograph.run/tier-2,"
                                               "fabric.topograph.run/tier-1,"
                                               "fabric.topograph.run/tier-0)")));
  world.intake.Remove("Node", "", "n2");
  EXPECT_THAT(world.Take(), Contains(HasSubstr("of fabric.topograph.run/tier-0)")));
  EXPECT_EQ(NearOf(node("n1",
                        "topology.k8s.aws/network-node-layer-3: c, "
                        "topology.k8s.aws/network-node-layer-1: a") +
                   Asks("name: aws, required: network-node-layer-3")),
            "near(0: required topology.k8s.aws/network-node-layer-3 of "
            "topology.k8s.aws/network-node-layer-1,topology.k8s.aws/network-node-layer-3)");
}

TEST(TopologyTest, WhatIsMeantInVainIsSaid) {
  const std::string two = Topology("one", "x/rack") + Topology("two", "y/rack, z/rack");
  const std::pair<std::string, std::string> rows[] = {
      {Fabric() + Asks("name: fabrik, required: rack"),
       "Topology fabrik is not there; there are fabric, accelerator, gcp, nvidia, zone; did you "
       "mean fabric?"},
      {Fabric() + Asks("required: rak"),
       "Topology fabric has no level rak; its levels are x/block, x/rack, "
       "kubernetes.io/hostname; did you mean rack?"},
      {two + Asks("required: rack"),
       "it asks for the level rack and names no Topology, and there are one, two: write which"},
      {two + Asks("name: two, required: rack"),
       "rack may be y/rack or z/rack in Topology two: write the label key"},
      {Asks("required: rack"),
       "no Topology is there that has the level rack; without one a level is a label key such as "
       "topology.kubernetes.io/zone"},
      {Fabric() + Asks("required: rack, preferred: block"),
       "the preferred level x/block is wider than the required level x/rack of Topology fabric"},
      {Fabric() + Asks("required: rack, slices: {size: 2, required: block}"),
       "the level of the slices x/block is wider than the required level x/rack of Topology "
       "fabric"},
      {Fabric() + Workload("w",
                           "podSets: [{name: l, count: 1, topology: {group: g, required: "
                           "rack}}, {name: m, count: 2, topology: {group: g, required: "
                           "block}}]"),
       "pod sets l and m are of the topology group g and ask different things of it"},
      {Fabric() + Workload("w",
                           "podSets: [{count: 2, template: {metadata: {annotations: "
                           "{fairlead.dev/topology-slice-size: none, "
                           "fairlead.dev/topology-slice-required: rack}}, spec: {}}}]"),
       "annotation fairlead.dev/topology-slice-size is \"none\", expected a whole number from 1 "
       "on"},
      {Fabric() + Workload("w",
                           "podSets: [{count: 2, template: {metadata: {annotations: "
                           "{fairlead.dev/topology-slice-size: \"2\"}}, spec: {}}}]"),
       "annotation fairlead.dev/topology-slice-required is not there, expected the level that "
       "each slice of 2 pods is in one domain of"},
      {Fabric() + Workload("w",
                           "podSets: [{count: 2, template: {metadata: {annotations: "
                           "{fairlead.dev/topology-required: rack, "
                           "fairlead.dev/topology-on-broken: Stop}}, spec: {}}}]"),
       "annotation fairlead.dev/topology-on-broken is \"Stop\", expected Wait or Restart"},
  };
  for (const auto& [yaml, message] : rows) {
    EXPECT_EQ(NearOf(yaml), "TopologyNotFound: " + message) << yaml;
  }
}

TEST(TopologyTest, ATopologyThatComesChangesOrGoesJoinsAnew) {
  World world;
  world.Upsert(Asks("required: rack") + Pod("w-0", kMember));
  EXPECT_THAT(world.Take(), Contains(HasSubstr("workload a/w queue=default hold=")));
  world.Upsert(Fabric());
  EXPECT_THAT(world.Take(), ElementsAre(HasSubstr("near(0: required x/rack"),
                                        "pod a/w-0 pending workload=a/w[0] index=0"));
  world.Upsert(Fabric());
  EXPECT_THAT(world.Take(), IsEmpty());
  world.Upsert(Topology("fabric", "x/rack"));
  EXPECT_THAT(world.Take(), ElementsAre(HasSubstr("near(0: required x/rack of x/rack)")));
  EXPECT_TRUE(world.intake.Remove("Topology", "", "fabric"));
  EXPECT_FALSE(world.intake.Remove("Topology", "", "fabric"));
  EXPECT_THAT(world.Take(), ElementsAre(HasSubstr("hold="), "pod a/w-0 pending workload=a/w[0]"));
}

TEST(TopologyTest, APodSaysWhichOfItsSetItIs) {
  World world;
  const std::string of = "labels: {fairlead.dev/workload: w";
  const auto index_of = [&](const std::string& name, const std::string& meta) {
    World again;
    again.Upsert(Fabric() + Asks("required: rack") + Pod(name, meta));
    const std::string line = LineOf(again, "pod a/");
    const std::size_t at = line.find(" index=");
    return at == std::string::npos ? "" : line.substr(at + 7);
  };
  EXPECT_EQ(index_of("w-12", of + "}"), "12");
  EXPECT_EQ(index_of("w", of + "}"), "");
  EXPECT_EQ(index_of("w-x1", of + "}"), "");
  EXPECT_EQ(index_of("w-99999999999", of + "}"), "");
  EXPECT_EQ(index_of("w-0-77", of + ", batch.kubernetes.io/job-completion-index: \"3\"}"), "3");
  EXPECT_EQ(index_of("w-0-77", of + "}, annotations: {batch.kubernetes.io/job-completion-index: "
                                    "\"4\"}"),
            "4");
  EXPECT_EQ(index_of("w-7", of + ", apps.kubernetes.io/pod-index: \"5\"}"), "5");
  EXPECT_EQ(index_of("w-77", of + "}, generateName: w-"), "");
  // Nobody asks.
  world.Upsert(Workload("w", "podSets: [{count: 4}]") + Pod("w-1", kMember));
  EXPECT_THAT(world.Picture(), Contains("pod a/w-1 pending workload=a/w[0]"));
}

// The Jobs of a JobSet count their pods each for itself.
TEST(TopologyTest, APodOfAUnitSaysWhichOfThatUnitItIs) {
  World world;
  world.Upsert(
      Fabric() +
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {namespace: a, name: "
      "w, uid: u, labels: {fairlead.dev/queue: q}}, spec: {suspend: true, replicatedJobs: "
      "[{name: main, replicas: 3, template: {spec: {parallelism: 2, completions: 2, "
      "template: {metadata: {annotations: {fairlead.dev/topology-required: block}}, spec: "
      "{schedulerName: fairlead, containers: [{name: c}]}}}}}]}}\n---\n");
  const auto index_of = [&](std::string_view name, std::string_view unit, std::string_view index) {
    world.Upsert(
        Pod(name, fmt::format("labels: {{jobset.sigs.k8s.io/jobset-name: w, "
                              "jobset.sigs.k8s.io/replicatedjob-name: main, "
                              "jobset.sigs.k8s.io/job-index: {}, "
                              "batch.kubernetes.io/job-completion-index: {}}}, ownerReferences: "
                              "[{{apiVersion: batch/v1, kind: Job, name: j, uid: j, controller: "
                              "true}}]",
                              unit, index)));
    const std::string line = LineOf(world, fmt::format("pod a/{} ", name));
    const std::size_t at = line.find(" index=");
    return at == std::string::npos ? "" : line.substr(at + 7);
  };
  EXPECT_EQ(index_of("p00", "'0'", "'0'"), "0");
  EXPECT_EQ(index_of("p01", "'0'", "'1'"), "1");
  EXPECT_EQ(index_of("p10", "'1'", "'0'"), "2");
  EXPECT_EQ(index_of("p21", "'2'", "'1'"), "5");
  EXPECT_EQ(index_of("p02", "'0'", "'2'"), "") << "a Job has two";
  EXPECT_EQ(index_of("p30", "'3'", "'0'"), "") << "there are three Jobs";
  EXPECT_EQ(index_of("px0", "x", "'0'"), "");
  EXPECT_EQ(index_of("p-1", "'-1'", "'0'"), "");
}

// Workers are counted from their leader on, which is no pod of their set.
TEST(TopologyTest, TheFirstWorkerOfALeaderIsTheFirstOfItsSet) {
  const auto pod = [](std::string_view name, int index) {
    return Pod(name, fmt::format("labels: {{leaderworkerset.sigs.k8s.io/name: w, "
                                 "leaderworkerset.sigs.k8s.io/group-index: '0', "
                                 "leaderworkerset.sigs.k8s.io/worker-index: '{0}', "
                                 "apps.kubernetes.io/pod-index: '{0}'}}, ownerReferences: "
                                 "[{{apiVersion: apps/v1, kind: StatefulSet, name: w, uid: s, "
                                 "controller: true}}]",
                                 index));
  };
  World world;
  world.Upsert(
      Fabric() +
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: "
      "{namespace: a, name: w, annotations: {fairlead.dev/topology-required: rack}}, spec: "
      "{replicas: 1, leaderWorkerTemplate: {size: 3, workerTemplate: {spec: "
      "{schedulerName: fairlead, containers: [{name: c}]}}}}}\n---\n" +
      pod("w-0", 0) + pod("w-0-1", 1) + pod("w-0-2", 2));
  EXPECT_THAT(LineOf(world, "pod a/w-0 "), HasSubstr("workload=a/w-0[0] index=0"));
  EXPECT_THAT(LineOf(world, "pod a/w-0-1 "), HasSubstr("workload=a/w-0[1] index=0"));
  EXPECT_THAT(LineOf(world, "pod a/w-0-2 "), HasSubstr("workload=a/w-0[1] index=1"));
}

TEST(TopologyTest, APodOfItsOwnIsToBeInADomain) {
  World world;
  world.Upsert(Fabric() + Pod("p", "annotations: {fairlead.dev/topology-required: rack}",
                              "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuring"
                              "Execution: {nodeSelectorTerms: [{matchExpressions: [{key: a, "
                              "operator: Exists}]}]}}}"));
  world.Upsert(Pod("q", "annotations: {fairlead.dev/topology-required: block}"));
  world.Upsert(Pod("r", "annotations: {fairlead.dev/topology-preferred: block}"));
  world.Upsert(Pod("s", "annotations: {fairlead.dev/topology-required: bloc}"));
  std::map<std::string, std::string> demanded;
  for (const state::Change& change : world.intake.TakeChanges()) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod == nullptr) continue;
    std::string& keys = demanded[std::string(pod->name)];
    for (const objects::NodeSelectorTerm& term : pod->needs->required_terms) {
      for (const objects::Requirement& each : term.labels) keys += each.key + " ";
    }
    if (pod->solo->hold) keys += pod->solo->hold->message;
  }
  EXPECT_EQ(demanded["a/p"], "a x/block x/rack ");
  EXPECT_EQ(demanded["a/q"], "x/block ");
  EXPECT_EQ(demanded["a/r"], "");
  EXPECT_EQ(demanded["a/s"],
            "Topology fabric has no level bloc; its levels are x/block, x/rack, "
            "kubernetes.io/hostname; did you mean block?");
}

TEST(TopologyFindingsTest, NodesWithoutALevelAreCounted) {
  const auto node = [](int i, std::string_view labels) {
    return Node(fmt::format("n{}", i), "cpu: 1", fmt::format("labels: {{{}}}", labels));
  };
  World world;
  world.Upsert(Topology("t", "x/block, x/rack, x/host") + node(1, "x/block: b, x/rack: r") +
               node(2, "x/block: b") + node(3, "x/block: b"));
  const std::string rack =
      "Topology t: NodesWithoutLevel: 2 of 3 nodes, n2 the first, carry no label x/rack: they are "
      "in no domain of this level";
  world.Take();
  EXPECT_THAT(world.Findings(), ElementsAre(rack));
  world.Upsert(Asks("required: rack"));
  world.Take();
  EXPECT_THAT(world.Findings(),
              ElementsAre(rack,
                          "Topology t: NodesWithoutLevel: no node carries the label x/host: work "
                          "that asks for this level waits"));
}

TEST(TopologyFindingsTest, LevelsInTheWrongOrderAreSeen) {
  const auto findings = [](std::string_view levels, std::string_view second_block) {
    World world;
    world.Upsert(
        Topology("t", levels) + Node("n1", "cpu: 1", "labels: {x/block: b1, x/rack: r1}") +
        Node("n2", "cpu: 1", "labels: {x/block: b1, x/rack: r2}") +
        Node("n3", "cpu: 1", fmt::format("labels: {{x/block: {}, x/rack: r1}}", second_block)));
    world.Take();
    return world.Findings();
  };
  EXPECT_THAT(findings("x/rack, x/block", "b1"),
              ElementsAre("Topology t: LevelsOutOfOrder: x/rack stands before x/block, whose "
                          "domains hold several of its: write the wider one first"));
  EXPECT_THAT(findings("x/block, x/rack", "b1"), IsEmpty());
  EXPECT_THAT(findings("x/block, x/rack", "b2"), IsEmpty());  // two racks of one name
}

// Dialects ---------------------------------------------------------------------------------------

constexpr std::string_view kKueueApi = "kueue.x-k8s.io/v1beta1";
constexpr std::string_view kKaiApi = "kai.scheduler/v1alpha1";

std::string Annotated(std::string_view annotations) {
  return Workload("w", fmt::format("podSets: [{{count: 4, template: {{metadata: {{annotations: "
                                   "{{{}}}}}, spec: {{}}}}}}]",
                                   annotations));
}

TEST(TopologyDialectTest, OthersTopologiesAreReadAndOursCountFirst) {
  const std::string kueues = TopologyIn(kKueueApi, "t", "{nodeLabel: k/rack}");
  const std::string kais = TopologyIn(kKaiApi, "t", "{nodeLabel: i/rack}");
  const std::string asks = Asks("name: t, required: rack");
  World world;
  world.Upsert(kais + kueues + Topology("t", "o/rack") + asks);
  EXPECT_THAT(world.Take(), Contains(HasSubstr("required o/rack")));
  EXPECT_TRUE(world.intake.Remove("Topology", "", "t"));
  EXPECT_THAT(world.Take(), ElementsAre(HasSubstr("required k/rack")));
  EXPECT_TRUE(world.intake.Remove("Topology.kueue.x-k8s.io", "", "t"));
  EXPECT_THAT(world.Take(), ElementsAre(HasSubstr("required i/rack")));
  EXPECT_TRUE(world.intake.Remove("Topology.kai.scheduler", "", "t"));
  EXPECT_THAT(world.Take(), ElementsAre(HasSubstr("hold=")));
}

TEST(TopologyDialectTest, KueuesAnnotationsNameLabels) {
  const std::string rack = "kueue.x-k8s.io/podset-required-topology: k/rack";
  const std::string two = TopologyIn(kKueueApi, "b", "{nodeLabel: k/rack}") +
                          TopologyIn(kKueueApi, "a", "{nodeLabel: k/block}, {nodeLabel: k/rack}");
  EXPECT_EQ(NearOf(two + Annotated(rack)), "near(0: required k/rack of k/block,k/rack)");
  EXPECT_EQ(NearOf(two + Annotated("kueue.x-k8s.io/podset-preferred-topology: k/rack, "
                                   "kueue.x-k8s.io/podset-slice-required-topology: k/rack, "
                                   "kueue.x-k8s.io/podset-slice-size: \"2\"")),
            "near(0: preferred k/rack slices of 2 in k/rack of k/block,k/rack)");
  EXPECT_EQ(NearOf(two + Annotated("kueue.x-k8s.io/podset-unconstrained-topology: \"true\"")), "");
  EXPECT_EQ(NearOf(Annotated("kueue.x-k8s.io/podset-required-topology: "
                             "topology.kubernetes.io/zone")),
            "near(0: required topology.kubernetes.io/zone of topology.kubernetes.io/zone)");
  EXPECT_EQ(NearOf(Annotated(rack)), "TopologyNotFound: no Topology has the level k/rack");
  EXPECT_EQ(NearOf(Fabric() + Annotated(rack)),
            "TopologyNotFound: no Topology has the level k/rack");
}

TEST(TopologyDialectTest, KueuesFlavorsNameTheTopology) {
  const std::string objects =
      TopologyIn(kKueueApi, "a", "{nodeLabel: k/rack}") +
      TopologyIn(kKueueApi, "b", "{nodeLabel: k/block}, {nodeLabel: k/rack}") +
      ClusterQueue("q", Cpu("8")) + LocalQueue("l", "q");
  const std::string job =
      "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: w, labels: "
      "{kueue.x-k8s.io/queue-name: l}}, spec: {suspend: true, parallelism: 3, template: {metadata: "
      "{annotations: {kueue.x-k8s.io/podset-required-topology: k/rack}}, spec: {schedulerName: "
      "fairlead, containers: [{name: c}]}}}}\n---\n";
  World world;
  world.Upsert(objects + job + Flavor("f", "topologyName: b"));
  EXPECT_THAT(world.Take(), Contains(HasSubstr("near(0: required k/rack of k/block,k/rack)")));
  world.Upsert(Flavor("f"));
  EXPECT_THAT(world.Take(), Contains(HasSubstr("near(0: required k/rack of k/rack)")));
  world.Upsert(Flavor("f", "topologyName: c"));
  EXPECT_THAT(world.Take(), Contains(HasSubstr("hold=")));
}

TEST(TopologyDialectTest, KaisAnnotationsHoldForTheWholeWorkload) {
  const std::string kai = TopologyIn(kKaiApi, "t", "{nodeLabel: k/block}, {nodeLabel: k/rack}");
  EXPECT_EQ(NearOf(kai + Workload("w",
                                  "podSets: [{name: m, count: 1}, {name: n, count: 4, template: "
                                  "{metadata: {annotations: {kai.scheduler/topology: t, "
                                  "kai.scheduler/topology-required-placement: k/block, "
                                  "kai.scheduler/topology-preferred-placement: k/rack, "
                                  "kai.scheduler/segment-size: \"2\", "
                                  "kai.scheduler/segment-topology-required-placement: k/rack}}, "
                                  "spec: {}}}]")),
            "near(0,1: required k/block preferred k/rack of k/block,k/rack) near(1: slices of 2 "
            "in k/rack of k/block,k/rack)");
}

}  // namespace
}  // namespace fairlead::intake
