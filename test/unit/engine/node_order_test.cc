// The order of nodes gives the very node that looking at all of them gives, while they change.

#include "engine/place/node_order.h"

#include <random>

#include <gmock/gmock.h>

#include "policy/node_fit.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::ShapeId;

class NodeOrderTest : public testing::Test {
 protected:
  state::NeedsPtr Needs(std::int64_t cpu, const char* zone) {
    objects::PodNeeds needs;
    needs.request = {{"cpu", cpu}};
    if (zone != nullptr) needs.node_selector = {{"zone", zone}};
    return std::make_shared<const objects::PodNeeds>(needs);
  }

  void PutNode(std::uint32_t i) {
    state::NodeChange node{.name = "n" + std::to_string(i)};
    node.allocatable = {{"cpu", 1000 * (1 + static_cast<std::int64_t>(random_() % 32))}};
    if (random_() % 5 == 0) node.allocatable.Edit().emplace_back("nvidia.com/gpu", 4000);
    node.labels = {{"zone", random_() % 3 == 0 ? "x" : "y"}};
    if (random_() % 9 == 0) node.taints = {{"kept", "", objects::TaintEffect::kNoSchedule}};
    cluster_.Apply(node);
  }

  // Semantics §3, one node after the other.
  NodeId Best(ShapeId s) {
    NodeId best;
    auto key = [&](NodeId n) {
      return std::pair(policy::Score(cluster_, n, policy::Axis::kCpu, state::When::kNow),
                       cluster_.nodes().name(n));
    };
    for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
      const NodeId n(i);
      const state::Shape& shape = cluster_.shapes()[s];
      if (!policy::FitsClass(cluster_, shape, n)) continue;
      if (!state::Holds(cluster_.nodes().free(n), shape.fit)) continue;
      if (!best.valid() || key(n) < key(best)) best = n;
    }
    return best;
  }

  std::mt19937 random_{7};
  state::Cluster cluster_;
  state::LogReader<NodeId> reshaped_{cluster_.journal().reshaped};
  state::LogReader<NodeId> touched_{cluster_.journal().touched};
};

TEST_F(NodeOrderTest, FirstIsTheBest) {
  for (const auto packing : {objects::NodeChoice::kSpread, objects::NodeChoice::kBinpack}) {
    objects::SchedulerConfiguration configuration;
    configuration.cpu_placement = packing;
    cluster_.Apply(state::ConfigurationChange{
        std::make_shared<const objects::SchedulerConfiguration>(configuration)});
    const state::NeedsPtr kinds[] = {Needs(500, nullptr), Needs(4000, nullptr), Needs(12000, "x"),
                                     Needs(1000, "y"), Needs(30000, nullptr)};
    for (std::uint32_t i = 0; i < 400; ++i) PutNode(i);
    NodeClasses classes(cluster_);
    NodeOrder order(cluster_, classes, policy::Axis::kCpu, state::When::kNow);
    bool fresh = true;
    for (int step = 0; step < 4000; ++step) {
      state::PodChange pod{.name = "s/p" + std::to_string(step % 900),
                           .uid = Uid(std::to_string(step))};
      pod.needs = kinds[random_() % 5];
      pod.solo = state::WorkloadTraits{.queue = "a"};
      if (step % 3 != 0) {  // bound somewhere: that node changes
        pod.state = state::PodState::kBound;
        pod.node = "n" + std::to_string(random_() % 400);
      }
      cluster_.Apply(pod);
      if (step % 50 == 0) PutNode(static_cast<std::uint32_t>(random_() % 420));
      if (step % 70 == 0) {
        cluster_.Apply(
            state::Removal{state::RowKind::kNode, "n" + std::to_string(random_() % 400)});
      }
      cluster_.Settle();
      const bool reranked = cluster_.RerankNodes();
      const bool reclassed = classes.Refresh(reshaped_.Take());
      const std::vector<NodeId> touched = touched_.Take();
      if (fresh || reranked || reclassed) order.Rebuild();
      fresh = false;
      for (NodeId n : touched) order.Refresh(n);

      const ShapeId s = cluster_.pods()[cluster_.pods().Find(pod.name)].shape;
      const state::Shape& shape = cluster_.shapes()[s];
      const NodeId found =
          order.First(shape.fit, classes.Mask(s), policy::LeastUsefulScore(cluster_, shape),
                      [&](NodeId n) { return classes.Fits(s, n); });
      ASSERT_EQ(found, Best(s)) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace fairlead::engine
