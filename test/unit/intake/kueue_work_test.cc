#include <algorithm>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/kueue.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Who comes to a ClusterQueue, and by what name; what its flavor asks of nodes; Kueue's Workloads.

namespace fairlead::intake {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;

std::string KueueBase() {
  return Flavor("f") + ClusterQueue("x", Cpu("10")) + LocalQueue("l", "x");
}

std::vector<std::string> Work(World& world) {
  std::vector<std::string> lines = world.Picture();
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("queue "); });
  return lines;
}

TEST(KueueWork, ALabelNamesTheLocalQueueOrElseAQueue) {
  World world;
  world.Upsert(KueueBase() + Queue("q") + Queue("l") + Pod("by-local", InQueue("l")) +
               Pod("by-queue", InQueue("q")) + Pod("ours", "labels: {fairlead.dev/queue: l}") +
               Job("j", InQueue("l"), "suspend: true, parallelism: 3"));
  EXPECT_THAT(Work(world),
              ElementsAre("pod a/by-local pending solo queue=x",
                          "pod a/by-queue pending solo queue=q", "pod a/ours pending solo queue=l",
                          "workload a/j queue=x main=3/3 expects=cpu:2"));
  // The LocalQueue goes, and its work with it to the Queue of that name.
  world.intake.Remove("LocalQueue", "a", "l");
  EXPECT_THAT(world.Take(), ElementsAre("workload a/j queue=l main=3/3 expects=cpu:2",
                                        "pod a/by-local pending solo queue=l"));
}

TEST(KueueWork, AWorkloadThatStandsForAJobNamesItsQueueAsTheJobDoes) {
  World world;
  world.Upsert(KueueBase() + Job("j", "uid: u, " + InQueue("l"), "suspend: true, parallelism: 3") +
               "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: "
               "j, " +
               OfJob("j") + "}, spec: {queueName: l, podSets: [{name: main, count: 3}]}}");
  EXPECT_THAT(Work(world), ElementsAre("workload a/j queue=x main=3/3 expects=cpu:2"));
}

TEST(KueueWork, ALocalQueueIsStoppedOrLeadsNowhere) {
  World world;
  world.Upsert(KueueBase() + LocalQueue("stopped", "x", "stopPolicy: Hold") +
               LocalQueue("lost", "nobody") + Pod("p", InQueue("stopped")) +
               Pod("q", InQueue("lost")) + Pod("r", InQueue("l")));
  EXPECT_THAT(Work(world), ElementsAre("pod a/p pending solo queue=x hold=QueueNotReady",
                                       "pod a/q pending solo queue=nobody hold=QueueNotFound",
                                       "pod a/r pending solo queue=x"));
  world.Upsert(LocalQueue("stopped", "x"));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p pending solo queue=x"));
}

TEST(KueueWork, OnlyNamespacesThatAreSelected) {
  const std::string selector = KueueObject(
      "ClusterQueue", "name: x", "namespaceSelector: {matchLabels: {team: red}}, " + Cpu("1"));
  const std::string red =
      "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {team: red}}}";
  World world;
  world.Upsert(Flavor("f") + selector + LocalQueue("l", "x") + Pod("p", InQueue("l")) +
               Pod("q", "labels: {fairlead.dev/queue: x}"));
  EXPECT_THAT(Work(world), ElementsAre("pod a/p pending solo queue=x hold=QueueNotAllowed",
                                       "pod a/q pending solo queue=x hold=QueueNotAllowed"));
  world.Upsert(red);
  EXPECT_THAT(world.Take(),
              ElementsAre("pod a/p pending solo queue=x", "pod a/q pending solo queue=x"));
  world.intake.Remove("Namespace", "", "a");
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p pending solo queue=x hold=QueueNotAllowed",
                                        "pod a/q pending solo queue=x hold=QueueNotAllowed"));
  // Every namespace has its name as a label.
  world.Upsert(KueueObject(
      "ClusterQueue", "name: x",
      "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}, " + Cpu("1")));
  EXPECT_THAT(world.Take(),
              ElementsAre("pod a/p pending solo queue=x", "pod a/q pending solo queue=x"));
}

TEST(KueueWork, ANamespaceIsBoundToACohort) {
  World world;
  world.Upsert(NameSpace("a", "c") + Flavor("f") + ClusterQueue("x", "cohortName: c, " + Cpu("1")) +
               ClusterQueue("y", Cpu("1")) + LocalQueue("l", "x") + LocalQueue("m", "y") +
               Pod("p", InQueue("l")) + Pod("q", InQueue("m")));
  EXPECT_THAT(Work(world), ElementsAre("pod a/p pending solo queue=x",
                                       "pod a/q pending solo queue=y hold=QueueNotAllowed"));
}

// Each pod's node selector and how many taints it tolerates, and whether it has other terms.
std::vector<std::string> Demands(World& world) {
  std::vector<std::string> lines;
  for (const state::Change& change : world.intake.TakeChanges()) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod == nullptr) continue;
    std::string line = std::string(pod->name) + ":";
    for (const auto& [key, value] : pod->needs->node_selector) line += " " + key + "=" + value;
    if (!pod->needs->tolerations.empty()) {
      line += " tolerates " + std::to_string(pod->needs->tolerations.size());
    }
    for (const objects::NodeSelectorTerm& term : pod->needs->required_terms) {
      for (const objects::Requirement& label : term.labels) {
        line += " and " + label.key + "=" + label.values.front();
      }
    }
    lines.push_back(line);
  }
  return lines;
}

const std::string kAsksCpu = "containers: [{name: c, resources: {requests: {cpu: 1}}}]";

std::string Asking(std::string_view name, std::string_view queue, std::string_view spec = "") {
  std::string text = "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: ";
  text.append(name).append(", ").append(InQueue(queue)).append("}, spec: {schedulerName: fairlead");
  return text.append(", ").append(kAsksCpu).append(spec.empty() ? "" : ", ").append(spec) +
         "}}\n---\n";
}

TEST(KueueWork, AFlavorSaysOnWhichNodes) {
  World world;
  const std::string spot =
      Flavor("f", "nodeLabels: {kind: spot}, tolerations: [{key: spot, operator: Exists}]");
  world.Upsert(spot + ClusterQueue("x", Cpu("10")) + LocalQueue("l", "x") + Asking("any", "l") +
               Asking("same", "l", "nodeSelector: {kind: spot}") +
               Asking("other", "l", "nodeSelector: {kind: dear}") +
               Asking("terms", "l",
                      "nodeSelector: {kind: dear}, affinity: {nodeAffinity: "
                      "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}, "
                      "{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}}") +
               Pod("asks-none", InQueue("l")) + Pod("elsewhere"));
  EXPECT_THAT(
      Demands(world),
      ElementsAre("a/any: kind=spot tolerates 1", "a/asks-none:", "a/elsewhere:",
                  "a/other: kind=dear tolerates 1 and kind=spot", "a/same: kind=spot tolerates 1",
                  "a/terms: kind=dear tolerates 1 and zone=a and kind=spot"));
  world.Upsert(Flavor("f", "nodeLabels: {kind: new}"));
  EXPECT_THAT(Demands(world), IsSupersetOf({"a/any: kind=new", "a/same: kind=spot and kind=new"}));
  world.intake.Remove("ClusterQueue", "", "x");
  EXPECT_THAT(Demands(world), Contains("a/any:"));
}

// What each pod is counted as, by what it asks.
std::vector<std::string> Counted(World& world) {
  std::vector<std::string> lines;
  for (const state::Change& change : world.intake.TakeChanges()) {
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod == nullptr) continue;
    std::string line = std::string(pod->name) + ":";
    for (const auto& [name, amount] : pod->needs->request) line += " " + name;
    lines.push_back(line);
  }
  return lines;
}

std::string LabelledNode(std::string_view name, std::string_view labels) {
  return "{apiVersion: v1, kind: Node, metadata: {name: " + std::string(name) + ", labels: {" +
         std::string(labels) + "}}, status: {allocatable: {cpu: 8, memory: 1Gi}}}\n---\n";
}

TEST(KueueWork, OfSeveralFlavorsTheFirstThatSuits) {
  World world;
  const std::string dear = "nodeLabels: {kind: dear}, nodeTaints: [{key: gpu, effect: NoSchedule}]";
  world.Upsert(
      Flavor("dear", dear) + Flavor("spot", "nodeLabels: {kind: spot}") +
      ClusterQueue("x", SpotAndDear("8", "4")) + LocalQueue("l", "x") + Asking("any", "l") +
      Asking("dear", "l", "nodeSelector: {kind: dear}, tolerations: [{operator: Exists}]") +
      Asking("taint", "l", "nodeSelector: {kind: dear}") +
      Asking("near", "l",
             "tolerations: [{operator: Exists}], affinity: {nodeAffinity: "
             "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{}, "
             "{matchExpressions: [{key: kind, operator: NotIn, values: [spot]}]}]}}}") +
      Asking("runs", "l", "nodeName: n") + Pod("asks-none", InQueue("l")));
  // `taint` suits none: it is the first one's, and fits nowhere.
  EXPECT_THAT(Counted(world), ElementsAre("a/any: cpu cpu[spot]", "a/asks-none:",
                                          "a/dear: cpu cpu[dear]", "a/near: cpu cpu[dear]",
                                          "a/runs: cpu cpu[spot]", "a/taint: cpu cpu[spot]"));
  // What runs is of its node's flavor, whenever that comes, goes, or changes.
  world.Upsert(LabelledNode("n", "kind: dear"));
  EXPECT_THAT(Counted(world), ElementsAre("a/runs: cpu cpu[dear]"));
  world.Upsert(LabelledNode("n", "kind: spot"));
  EXPECT_THAT(Counted(world), ElementsAre("a/runs: cpu cpu[spot]"));
  world.Upsert(LabelledNode("n", "kind: dear"));
  world.intake.TakeChanges();
  world.intake.Remove("Node", "", "n");
  EXPECT_THAT(Counted(world), ElementsAre("a/runs: cpu cpu[spot]"));
  // One flavor is left: nothing is counted by it any more.
  world.Upsert(ClusterQueue("x", Cpu("8", "spot")));
  EXPECT_THAT(Counted(world), ElementsAre("a/any: cpu", "a/asks-none:", "a/dear: cpu",
                                          "a/near: cpu", "a/runs: cpu", "a/taint: cpu"));
}

TEST(KueueWork, ANodeTellsWhatItHasOfEachFlavor) {
  const auto has = [](World& world) {
    std::vector<std::string> lines;
    for (const state::Change& change : world.intake.TakeChanges()) {
      const auto* node = std::get_if<state::NodeChange>(&change);
      if (node == nullptr) continue;
      std::string line = node->name + ":";
      for (const auto& [name, amount] : *node->allocatable) {
        line += " " + name + "=" + std::to_string(amount);
      }
      lines.push_back(line);
    }
    return lines;
  };
  World world;
  world.Upsert(LabelledNode("n", "kind: dear") + LabelledNode("m", "kind: other"));
  EXPECT_THAT(has(world),
              ElementsAre("m: cpu=8000 memory=1073741824", "n: cpu=8000 memory=1073741824"));
  world.Upsert(Flavor("spot", "nodeLabels: {kind: spot}") +
               Flavor("dear", "nodeLabels: {kind: dear}") +
               ClusterQueue("x", SpotAndDear("8", "4")));
  EXPECT_THAT(has(world), Contains("n: cpu=8000 cpu[dear]=8000 memory=1073741824"));
  world.intake.Remove("ClusterQueue", "", "x");
  EXPECT_THAT(has(world), Contains("n: cpu=8000 memory=1073741824"));
}

TEST(KueueWork, AWorkloadOfKueues) {
  World world;
  const std::string sets =
      "podSets: [{name: ps, template: {spec: {containers: [{name: c, resources: {requests: {cpu: "
      "1}}}]}}}, {name: worker, count: 20, minCount: 10}]";
  world.Upsert(KueueBase() + KueueWorkload("w", "",
                                           "queueName: l, priority: 7, priorityClassName: "
                                           "lost, " +
                                               sets));
  EXPECT_THAT(Work(world),
              ElementsAre("workload a/w queue=x priority=7 ps=1/1 expects=cpu:1 worker=10/20"));
  world.Upsert(KueueWorkload("w", "", "queueName: l, " + sets,
                             "{admission: {clusterQueue: x, podSetAssignments: [{name: ps}, {name: "
                             "worker, count: 15}]}}"));
  EXPECT_THAT(world.Take(),
              ElementsAre("workload a/w queue=x ps=1/1 admitted=1 expects=cpu:1 worker=10/20 "
                          "admitted=15"));
  world.Upsert(
      KueueWorkload("w", "",
                    "queueName: l, active: false, maximumExecutionTimeSeconds: 5, "
                    "podSets: [{count: 4, minCount: 3, topologyRequest: {required: rack}}]",
                    "{reclaimablePods: [{name: main, count: 2}]}"));
  EXPECT_THAT(world.Take(), ElementsAre("workload a/w queue=x inactive "
                                        "hold=TopologyNotFound main=2/2"));
  EXPECT_THAT(world.Findings(),
              ElementsAre("Workload a/w: TopologyNotFound: no Topology has the level rack"));
  world.Upsert(KueueWorkload(
      "w", "",
      "queueName: l, podSets: [{count: 4, topologyRequest: {preferred: "
      "topology.kubernetes.io/zone, "
      "podSetSliceRequiredTopology: topology.kubernetes.io/zone, podSetSliceSize: 2}}]"));
  EXPECT_THAT(world.Take(), ElementsAre(testing::HasSubstr(
                                "near(0: preferred topology.kubernetes.io/zone slices of 2 in "
                                "topology.kubernetes.io/zone of topology.kubernetes.io/zone)")));
  world.intake.Remove("Workload", "a", "w");
  EXPECT_THAT(world.Take(), ElementsAre("gone workload a/w"));
}

TEST(KueueWork, AWorkloadStandsForItsJob) {
  World world;
  const std::string sets =
      "queueName: l, podSets: [{count: 3, minCount: 1, template: {spec: {schedulerName: fairlead, "
      "containers: [{name: c, resources: {requests: {cpu: 2}}}]}}}]";
  world.Upsert(KueueBase() + Job("j", "uid: u, " + InQueue("l"), "suspend: true, parallelism: 3") +
               KueueWorkload("job-j-1", OfJob("j"), sets));
  EXPECT_THAT(Work(world), ElementsAre("workload a/j queue=x main=1/3 expects=cpu:2"));
  world.Upsert(Job("j", "uid: u, " + InQueue("l"), "parallelism: 2") +
               KueueWorkload("job-j-1", OfJob("j"), sets,
                             "{admission: {podSetAssignments: [{name: main, count: 2}]}}") +
               Pod("j-0", OfJob("j")));
  EXPECT_THAT(Work(world), ElementsAre("pod a/j-0 pending workload=a/j[0]",
                                       "workload a/j queue=x main=1/3 admitted=2 expects=cpu:2"));
  // One that is over gives way to a younger one.
  world.Upsert(KueueWorkload("job-j-0", "creationTimestamp: 2025-01-01T00:00:00Z, " + OfJob("j"),
                             sets, "{conditions: [{type: Finished, status: \"True\"}]}"));
  EXPECT_THAT(world.Take(), testing::IsEmpty());
  world.intake.Remove("Workload", "a", "job-j-1");
  world.intake.Remove("Workload", "a", "job-j-0");
  EXPECT_THAT(Work(world), ElementsAre("pod a/j-0 pending solo queue=x"));
}

// Its template is the Job's, which names its scheduler itself.
TEST(KueueWork, AJobOfAnotherSchedulerIsNotAdmitted) {
  World world;
  world.Upsert(KueueBase() + KueueWorkload("w", OfJob("j"),
                                           "queueName: l, podSets: [{template: {spec: "
                                           "{containers: [{name: c}]}}}]"));
  EXPECT_THAT(Work(world),
              ElementsAre("workload a/j queue=x "
                          "hold=OtherScheduler(spec.podSets[*].template.spec.schedulerName) "
                          "main=1/1 expects="));
}

std::vector<objects::Object> AllOfIt() {
  return Read(
      NameSpace("a", "c") + "{apiVersion: v1, kind: Namespace, metadata: {name: b}}\n---\n" +
      Flavor("f", "nodeLabels: {kind: spot}") + Flavor("g") + Cohort("c", "parentName: d") +
      Cohort("d", Cpu("1")) + Queue("y") +
      ClusterQueue("x", "cohortName: c, " + Cpu("10, lendingLimit: 4")) +
      ClusterQueue("y", "cohortName: c, " + Cpu("6", "g")) +
      KueueObject("ClusterQueue", "name: z",
                  "namespaceSelector: {matchLabels: {team: red}}, cohortName: d, " + Cpu("1")) +
      LocalQueue("l", "x") + LocalQueue("m", "y") + LocalQueue("n", "z") +
      LocalQueue("o", "x", "stopPolicy: Hold") + Asking("p", "l") + Asking("q", "m") +
      Asking("r", "n") + Asking("s", "o") + Asking("t", "y") +
      Job("j", "uid: u, " + InQueue("l"), "suspend: true, parallelism: 3") +
      Job("k", "uid: v, " + InQueue("m"), "suspend: true, parallelism: 3") +
      KueueWorkload("job-j-1", OfJob("j"), "queueName: l, podSets: [{count: 3, minCount: 1}]") +
      KueueWorkload("job-j-2", OfJob("j"), "queueName: l, podSets: [{count: 2}]") +
      KueueWorkload("w", "", "queueName: m, podSets: [{count: 2}]"));
}

TEST(KueueOrder, AnyOrderGivesOnePicture) {
  const std::vector<objects::Object> objects = AllOfIt();
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  const auto picture = [&](std::size_t take_every) {
    World world;
    std::size_t count = 0;
    for (int i : order) {
      world.Upsert(objects[i]);
      if (++count % take_every == 0) world.Take();
    }
    return world.Picture();
  };
  const std::vector<std::string> expected = picture(1000);
  std::mt19937 random(7);
  for (std::size_t round = 0; round < 200; ++round) {
    std::ranges::shuffle(order, random);
    ASSERT_EQ(picture(1 + round % 9), expected) << testing::PrintToString(order);
  }
}

TEST(KueueOrder, RemovedAndMadeAgainGivesThePictureOfMadeOnce) {
  const std::vector<objects::Object> objects = AllOfIt();
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  World world;
  for (const objects::Object& object : objects) world.Upsert(object);
  const std::vector<std::string> expected = world.Picture();
  std::mt19937 random(7);
  for (std::size_t round = 0; round < 100; ++round) {
    std::ranges::shuffle(order, random);
    const auto some = std::span(order).first(1 + round % order.size());
    for (int i : some) {
      const objects::Meta& meta = objects::MetaOf(objects[i]);
      world.intake.Remove(objects::KindOf(objects[i]), meta.name_space, meta.name);
      if (round % 3 == 0) world.Take();
    }
    for (int i : some) {
      world.Upsert(objects[i]);
      if (round % 3 == 1) world.Take();
    }
    ASSERT_EQ(world.Picture(), expected) << round;
  }
  for (const objects::Object& object : objects) {
    const objects::Meta& meta = objects::MetaOf(object);
    world.intake.Remove(objects::KindOf(object), meta.name_space, meta.name);
  }
  EXPECT_THAT(world.Picture(), testing::IsEmpty());
}

}  // namespace
}  // namespace fairlead::intake
