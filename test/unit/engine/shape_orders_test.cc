// Placement that depends on the pod: what the tree gives is what looking at all nodes gives, while
// the cluster changes; and the choices by hand.

#include "engine/place/shape_orders.h"

#include <random>

#include <gmock/gmock.h>

#include "engine/place/placer.h"
#include "engine/scheduler.h"

namespace fairlead::engine {
namespace {

using objects::NodeChoice;
using state::NodeId;

constexpr NodeChoice kChoices[] = {NodeChoice::kBestFit,    NodeChoice::kDotProduct,
                                   NodeChoice::kClustering, NodeChoice::kPacking,
                                   NodeChoice::kFgd,        NodeChoice::kFragmentation};

class OrderedWorld {
 public:
  void Configure(NodeChoice choice, std::vector<objects::TypicalPod> typical = {},
                 std::int64_t seed = 0) {
    auto configuration = std::make_shared<objects::SchedulerConfiguration>();
    configuration->gpu_placement = configuration->cpu_placement = choice;
    configuration->typical_pods = std::move(typical);
    configuration->placement_seed = seed;
    scheduler_.Apply(std::vector<state::Change>{state::ConfigurationChange{configuration}});
  }

  void PutNode(const std::string& name, std::int64_t cpu, std::int64_t gpus,
               const std::string& model = "T4") {
    state::NodeChange node{.name = name};
    node.allocatable = {{"cpu", cpu * 1000}, {"nvidia.com/gpu", gpus * 1000}, {"pods", 110}};
    node.labels = {{"model", model}};
    scheduler_.Apply(std::vector<state::Change>{node});
  }

  // Where it is put; empty: nowhere.
  std::string Place(const std::string& name, std::int64_t cpu, std::int64_t gpus,
                    std::int32_t gpu_milli = 0) {
    objects::PodNeeds needs;
    needs.request = {{"cpu", cpu * 1000}};
    if (gpus > 0) needs.request.emplace_back("nvidia.com/gpu", gpus * 1000);
    needs.gpu_milli = gpu_milli;
    state::PodChange pod{.name = name};
    pod.needs = std::make_shared<const objects::PodNeeds>(needs);
    pod.solo.emplace().queue = "default";
    scheduler_.Apply(std::vector<state::Change>{state::QueueChange{.name = "default"}, pod});
    const Plan plan = scheduler_.Round(Time{});
    for (const Decision& decision : plan.decisions) {
      if (decision.type != DecisionType::kBind) continue;
      device_ = decision.gpu_device;
      return scheduler_.cluster().nodes().name(decision.node);
    }
    return {};
  }

  int device() const { return device_; }  // of the last that was placed

 private:
  Scheduler scheduler_;
  int device_ = -1;
};

class ShapePlacement : public testing::Test, public OrderedWorld {};

// Two nodes of 2 GPUs, one with half a device taken: 1.5 free against 2.
TEST_F(ShapePlacement, BestFitLeavesTheLeast) {
  Configure(NodeChoice::kBestFit);
  PutNode("a", 32, 2);
  PutNode("b", 32, 2);
  PutNode("c", 32, 1);
  EXPECT_EQ(Place("p1", 1, 0, 500), "c");
  EXPECT_EQ(Place("p2", 1, 2), "a");  // a tie, by name
  EXPECT_EQ(Place("p3", 1, 1), "b");
  EXPECT_EQ(Place("p4", 1, 0, 500), "c");
}

// A pod of two devices goes to an unused node rather than to those that hold shares.
TEST_F(ShapePlacement, ClusteringKeepsKindsTogether) {
  Configure(NodeChoice::kClustering);
  PutNode("a", 32, 8);
  PutNode("b", 32, 8);
  EXPECT_EQ(Place("s1", 1, 0, 500), "a");
  EXPECT_EQ(Place("w1", 1, 2), "b");
  EXPECT_EQ(Place("s2", 1, 0, 500), "a");
  EXPECT_EQ(Place("w2", 1, 2), "b");
}

// A device in shared use before a free one of a used node before an unused node.
TEST_F(ShapePlacement, PackingFillsWhatIsUsed) {
  Configure(NodeChoice::kPacking);
  PutNode("a", 32, 4);
  PutNode("b", 32, 2);
  EXPECT_EQ(Place("p1", 1, 0, 500), "b");  // the smaller of two unused ones
  EXPECT_EQ(Place("p2", 1, 0, 600), "b");
  EXPECT_EQ(Place("p3", 1, 0, 300), "b");
  EXPECT_EQ(device(), 1);  // 400 free there, 500 on the other
  EXPECT_EQ(Place("p4", 1, 1), "a");
}

// Tetris: the larger the product with what is free, the fewer points. GPUs are scarce on b.
TEST_F(ShapePlacement, DotProductAvoidsWhatIsAlike) {
  Configure(NodeChoice::kDotProduct);
  PutNode("a", 64, 8);
  PutNode("b", 64, 2);
  EXPECT_EQ(Place("p1", 1, 1), "b");
}

// Typical pods ask a whole device and 8 CPUs. Taking 4 of b's 8 CPUs would make its free GPU
// useless to them; on a nothing is lost.
TEST_F(ShapePlacement, FgdMindsWhatIsExpected) {
  const std::vector<objects::TypicalPod> typical = {
      {.count = 3, .cpu_milli = 8000, .gpus = 1, .gpu_milli = 0, .node_labels = {}}};
  Configure(NodeChoice::kFgd, typical);
  PutNode("a", 64, 1);
  PutNode("b", 8, 1);
  EXPECT_EQ(Place("p1", 4, 0), "a");
  // Half of b's device is what a typical pod cannot use any more: the same on both, by name; then
  // the rest of that one.
  EXPECT_EQ(Place("p2", 1, 0, 500), "a");
  EXPECT_EQ(Place("p3", 1, 0, 500), "a");
}

// Pods that are expected ask 0.6 of a device, or 0.4 of one.
TEST_F(ShapePlacement, FragmentationKeepsDevicesForWhatFillsThem) {
  const auto share = [](std::int32_t milli) {
    return objects::TypicalPod{
        .count = 5, .cpu_milli = 1000, .gpus = 0, .gpu_milli = milli, .node_labels = {}};
  };
  Configure(NodeChoice::kFragmentation, {share(600), share(400)});
  PutNode("a", 64, 1);
  PutNode("b", 64, 1);
  EXPECT_EQ(Place("p1", 1, 0, 500), "a");
  EXPECT_EQ(Place("p2", 1, 0, 200), "b") << "a has just enough for 0.4";
  EXPECT_EQ(Place("p3", 1, 0, 400), "a");
}

// Typical pods ask 8 CPUs a GPU. On a 8 CPUs are left for 2 GPUs, of which one is stranded; on b
// none is.
TEST_F(ShapePlacement, FragmentationStrandsNoGpus) {
  Configure(NodeChoice::kFragmentation,
            {{.count = 1, .cpu_milli = 8000, .gpus = 1, .gpu_milli = 0, .node_labels = {}}});
  PutNode("a", 16, 2);
  PutNode("b", 24, 2);
  EXPECT_EQ(Place("p1", 8, 0), "b");
  EXPECT_EQ(Place("p2", 8, 0), "a");
}

// Whoever was expected before makes no difference: nobody asks for GPUs now, and none is stranded.
TEST_F(ShapePlacement, FragmentationForgetsWhoWasExpected) {
  Configure(NodeChoice::kFragmentation,
            {{.count = 1, .cpu_milli = 8000, .gpus = 1, .gpu_milli = 0, .node_labels = {}}});
  PutNode("a", 16, 2);
  PutNode("b", 24, 2);
  EXPECT_EQ(Place("p1", 1, 0), "b");
  Configure(NodeChoice::kFragmentation,
            {{.count = 1, .cpu_milli = 1000, .gpus = 0, .gpu_milli = 0, .node_labels = {}}});
  EXPECT_EQ(Place("p2", 8, 0), "a");
}

// The pods that are expected may only enter nodes of another model: GPUs elsewhere are of no use to
// them, and are given away first.
TEST_F(ShapePlacement, FragmentationMindsLabels) {
  objects::Requirement wanted;
  wanted.key = "model";
  wanted.values = {"T4"};
  Configure(NodeChoice::kFragmentation,
            {{.count = 1, .cpu_milli = 1000, .gpus = 1, .gpu_milli = 0, .node_labels = {wanted}}});
  PutNode("a", 32, 2, "T4");
  PutNode("b", 32, 2, "P100");
  EXPECT_EQ(Place("p1", 1, 1), "b");
  EXPECT_EQ(Place("p2", 1, 1), "b");
  EXPECT_EQ(Place("p3", 1, 1), "a");
}

TEST_F(ShapePlacement, RandomIsByTheSeed) {
  const auto placed = [](std::int64_t seed) {
    OrderedWorld world;
    world.Configure(NodeChoice::kRandom, {}, seed);
    for (char name = 'a'; name < 'q'; ++name) world.PutNode(std::string(1, name), 32, 2);
    std::vector<std::string> nodes;
    for (int i = 0; i < 16; ++i) nodes.push_back(world.Place("p" + std::to_string(i), 1, 0, 500));
    return nodes;
  };
  EXPECT_EQ(placed(1), placed(1));
  EXPECT_NE(placed(1), placed(2));
}

TEST_F(ShapePlacement, RandomFindsTheOnlyNodeThatFits) {
  Configure(NodeChoice::kRandom);
  for (int i = 0; i < 100; ++i) PutNode("small" + std::to_string(i), 32, 1);
  PutNode("large", 32, 8);
  EXPECT_EQ(Place("p1", 1, 8), "large");
  EXPECT_EQ(Place("p2", 1, 8), "");
}

// Whoever draws says as well whether there is anything to draw, until nothing has room any more.
TEST(Placer, AnyFitsWhereSomethingIsDrawn) {
  std::mt19937 random(5);
  state::Cluster cluster;
  auto configuration = std::make_shared<objects::SchedulerConfiguration>();
  configuration->gpu_placement = configuration->cpu_placement = NodeChoice::kRandom;
  cluster.Apply(state::ConfigurationChange{configuration});
  Placer placer(cluster);
  for (int i = 0; i < 60; ++i) {
    state::NodeChange node{.name = "n" + std::to_string(i)};
    node.allocatable = {{"cpu", 4000}, {"nvidia.com/gpu", 1000 * std::int64_t{1 + i % 4}}};
    cluster.Apply(node);
  }
  cluster.Apply(state::QueueChange{.name = "q"});
  int placed = 0, refused = 0;
  for (int step = 0; step < 300; ++step) {
    objects::PodNeeds needs;
    needs.request = {{"cpu", 500}};
    if (random() % 2 == 0) {
      needs.request.emplace_back("nvidia.com/gpu",
                                 1000 * static_cast<std::int64_t>(1 + random() % 4));
    } else {
      needs.gpu_milli = 100 * static_cast<std::int32_t>(1 + random() % 9);
    }
    state::PodChange pod{.name = "p" + std::to_string(step)};
    pod.needs = std::make_shared<const objects::PodNeeds>(needs);
    pod.solo.emplace().queue = "q";
    cluster.Apply(pod);
    cluster.Settle();
    placer.CatchUp();
    const state::PodId p = cluster.pods().Find(pod.name);
    const state::ShapeId s = cluster.pods()[p].shape;
    bool any = false;
    for (std::uint32_t i = 0; i < cluster.nodes().size(); ++i) any |= placer.Fits(s, NodeId(i));
    ASSERT_EQ(placer.AnyFits(s), any) << "step " << step;
    const NodeId drawn = placer.Best(s);
    ASSERT_EQ(drawn.valid(), any) << "step " << step;
    ++(any ? placed : refused);
    if (!any) continue;
    ASSERT_TRUE(placer.Fits(s, drawn)) << "step " << step;
    cluster.Place(p, drawn);
  }
  EXPECT_GT(placed, 60);
  EXPECT_GT(refused, 20);
}

// Random pods come to random nodes and go: at every step the best by the tree is the best of all.
TEST(ShapeOrders, TheBestOfTheTreeIsTheBestOfAll) {
  for (const NodeChoice choice : kChoices) {
    SCOPED_TRACE(objects::ToString(choice));
    std::mt19937 random(11);
    state::Cluster cluster;
    auto configuration = std::make_shared<objects::SchedulerConfiguration>();
    configuration->gpu_placement = configuration->cpu_placement = choice;
    configuration->typical_pods = {{.count = 2, .cpu_milli = 4000, .gpus = 1},
                                   {.count = 1, .cpu_milli = 2000, .gpus = 0, .gpu_milli = 300}};
    cluster.Apply(state::ConfigurationChange{configuration});
    Placer placer(cluster);
    for (int i = 0; i < 40; ++i) {
      state::NodeChange node{.name = "n" + std::to_string(i)};
      node.allocatable = {{"cpu", 1000 * (8 + static_cast<std::int64_t>(random() % 32))},
                          {"nvidia.com/gpu", 1000 * static_cast<std::int64_t>(random() % 5)}};
      cluster.Apply(node);
    }
    cluster.Apply(state::QueueChange{.name = "q"});
    std::vector<std::string> names;
    for (int step = 0; step < 600; ++step) {
      if (!names.empty() && random() % 3 == 0) {
        const std::size_t gone = random() % names.size();
        cluster.Apply(state::Removal{state::RowKind::kPod, names[gone]});
        names.erase(names.begin() + static_cast<std::ptrdiff_t>(gone));
      }
      objects::PodNeeds needs;
      needs.request = {{"cpu", 500 * static_cast<std::int64_t>(1 + random() % 6)}};
      if (random() % 3 == 0) {
        needs.request.emplace_back("nvidia.com/gpu",
                                   1000 * static_cast<std::int64_t>(1 + random() % 2));
      } else if (random() % 2 == 0) {
        needs.gpu_milli = 100 * static_cast<std::int32_t>(1 + random() % 9);
      }
      state::PodChange pod{.name = "p" + std::to_string(step)};
      pod.needs = std::make_shared<const objects::PodNeeds>(needs);
      pod.solo.emplace().queue = "q";
      cluster.Apply(pod);
      cluster.Settle();
      placer.CatchUp();
      const state::PodId p = cluster.pods().Find(pod.name);
      const state::ShapeId s = cluster.pods()[p].shape;
      NodeId best;
      auto key = [&](NodeId n) {
        return std::pair(placer.ScoreOf(s, n, state::When::kNow), cluster.nodes().name(n));
      };
      for (std::uint32_t i = 0; i < cluster.nodes().size(); ++i) {
        const NodeId n(i);
        if (placer.Fits(s, n) && (!best.valid() || key(n) < key(best))) best = n;
      }
      ASSERT_EQ(placer.Best(s), best) << "step " << step;
      if (!best.valid()) continue;
      cluster.Place(p, best);
      names.emplace_back(pod.name);
    }
  }
}

}  // namespace
}  // namespace fairlead::engine
