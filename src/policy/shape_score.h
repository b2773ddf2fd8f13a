#pragma once

#include <cstdint>
#include <vector>

#include "policy/device_prices.h"
#include "policy/fragmentation.h"
#include "state/cluster.h"

namespace fairlead::policy {

// Whether a choice judges a node by what the pod asks: then there is an order of nodes per shape.
bool DependsOnShape(objects::NodeChoice choice);

// Choices of nodes that the study of fragmentation compares (Weng et al., "Beware of
// Fragmentation", ATC'23; their definitions are those of its simulator,
// hkust-adsl/kubernetes-scheduler-simulator, pkg/simulator/plugin). Each gives a node 0..100 points
// in whole numbers, as plugins of kube-scheduler do; the most points win, then the smallest name.
// C and G are the largest node's CPU and GPUs, c and g what is free, asked is what the pod asks:
//   bestFit        100 − 50·(c − asked)/C − 50·(g − asked)/G: the least that is left
//   dotProduct     100 − 50·(c·asked/C² + g·asked/G²): the least alignment (Tetris, SIGCOMM'14)
//   clustering     nodes with pods of its own kind only (a share, or so many devices), then of its
//                  and others', then unused ones, then others; within each the fewest free GPUs
//   packing        devices in shared use, the fullest first; then free devices of used nodes; then
//                  unused nodes, the smallest first
//   fgd            100·σ(ΔF) by the GPUs that typical pods can use no longer, or again; σ is the
//                  logistic function
// clustering and packing give pods without GPUs no points: the smallest name.
//
// And one of our own, fragmentation: the least is wasted, in GPUs,
//   ΔF + 0.05·(c − asked)/C + 0.05·(g − asked)/G + 2·ΔS + 10·ΔV, of what is free before and after:
//   F  what typical pods cannot use, as fgd has it, not rounded
//   S  free GPUs for which no CPU is left, at the mean CPU that typical pods ask by their GPUs
//   V  what the rest of the device is worth to typical shares, of a pod that takes a share
//      (device_prices.h)
// Both are bestFit without typical pods.
class ShapeScore {
 public:
  explicit ShapeScore(const state::Cluster& cluster) : cluster_(cluster), fragmentation_(cluster) {}

  // After nodes or the configuration changed. Cost: O(nodes × typical pods).
  void Prepare();

  // What is lacking to 100 points, or is wasted: the least is the best. REQUIRES: the node holds
  // the shape.
  std::uint32_t Of(const state::Shape& shape, state::NodeId n, state::When when) const;

  // The device for a share of a GPU; NodeTable::kBestDevice: the tightest. `draw` is any number,
  // another one each time: random takes a device by it.
  std::int8_t DeviceFor(const state::Shape& shape, state::NodeId n, state::Stay stay,
                        std::uint64_t draw) const;

 private:
  // As configured; bestFit where typical pods are asked for and none are known.
  objects::NodeChoice ChoiceOf(const state::Shape& shape) const;
  struct Room;  // what a node has free
  Room RoomOf(state::NodeId n, state::Stay stay) const;
  std::int64_t BestFit(const state::Shape& shape, const Room& room) const;
  std::int64_t DotProduct(const state::Shape& shape, const Room& room) const;
  std::int64_t Clustering(const state::Shape& shape, state::NodeId n, const Room& room) const;
  std::int64_t Packing(const state::Shape& shape, state::NodeId n, const Room& room) const;
  template <typename Judge>
  std::int64_t LeastOf(const state::Shape& shape, Room room, std::int8_t* device,
                       Judge judge) const;
  std::int64_t Fgd(const state::Shape& shape, state::NodeId n, const Room& room,
                   std::int8_t* device) const;
  std::int64_t Waste(const state::Shape& shape, state::NodeId n, const Room& room,
                     std::int8_t* device) const;
  std::int64_t Stranded(const Room& room) const;
  void PrepareTypical();

  const state::Cluster& cluster_;
  Fragmentation fragmentation_;
  DevicePrices prices_;
  std::int64_t cpu_per_gpu_ = 1;
  std::int64_t largest_cpu_ = 1, largest_gpu_ = 1;  // of one node
};

}  // namespace fairlead::policy
