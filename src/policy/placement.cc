#include "policy/placement.h"

#include <algorithm>

namespace fairlead::policy {
namespace {

using state::ResourceId;

constexpr std::uint32_t kGpuNodesLast = 1U << 31;
constexpr std::int64_t kMostFree = kGpuNodesLast - 1;
constexpr std::int64_t kMillion = 1'000'000;

// All GPUs of a row, in thousandths of a device.
std::int64_t GpuMilli(const state::ResourceTable& resources, const std::int64_t* row) {
  std::int64_t sum = 0;
  for (ResourceId r : resources.gpus()) {
    sum += r == state::kGpu ? row[r.value()] : row[r.value()] * 1000;
  }
  return sum;
}

std::uint32_t ScoreOf(objects::NodeChoice choice, std::int64_t free, std::int64_t all) {
  free = std::clamp<std::int64_t>(free, 0, all);
  if (choice != objects::NodeChoice::kSpread) {
    return static_cast<std::uint32_t>(std::min(free, kMostFree));
  }
  const std::int64_t idle =
      all == 0 ? 0
               : static_cast<std::int64_t>(static_cast<__uint128_t>(free) * kMillion /
                                           static_cast<__uint128_t>(all));
  return static_cast<std::uint32_t>(kMillion - idle);
}

}  // namespace

Axis AxisOf(const state::Shape& shape) { return shape.asks_gpu ? Axis::kGpu : Axis::kCpu; }

objects::NodeChoice ChoiceFor(const state::Cluster& cluster, const state::Shape& shape) {
  const objects::SchedulerConfiguration& configuration = cluster.configuration();
  return shape.asks_gpu ? configuration.gpu_placement : configuration.cpu_placement;
}

bool OnAxis(const state::Cluster& cluster, state::NodeId n, Axis axis) {
  return axis == Axis::kCpu || GpuMilli(cluster.resources(), cluster.nodes().allocatable(n)) > 0;
}

std::uint32_t Score(const state::Cluster& cluster, state::NodeId n, Axis axis, state::When when) {
  const std::int64_t* free = cluster.nodes().room(n, when);
  const std::int64_t* all = cluster.nodes().allocatable(n);
  const objects::SchedulerConfiguration& configuration = cluster.configuration();
  if (axis == Axis::kGpu) {
    return ScoreOf(configuration.gpu_placement, GpuMilli(cluster.resources(), free),
                   GpuMilli(cluster.resources(), all));
  }
  const std::uint32_t r = state::kCpu.value();
  const bool has_gpus = OnAxis(cluster, n, Axis::kGpu);
  return ScoreOf(configuration.cpu_placement, free[r], all[r]) + (has_gpus ? kGpuNodesLast : 0);
}

std::uint32_t LeastUsefulScore(const state::Cluster& cluster, const state::Shape& shape) {
  const bool gpu = shape.asks_gpu;
  if (ChoiceFor(cluster, shape) == objects::NodeChoice::kSpread) return 0;
  std::int64_t needed = 0;
  for (const state::Amount& a : shape.request) {
    if (gpu && cluster.resources().IsGpu(a.resource)) {
      needed += a.resource == state::kGpu ? a.amount : a.amount * 1000;
    }
    if (!gpu && a.resource == state::kCpu) needed = a.amount;
  }
  return static_cast<std::uint32_t>(std::min(needed, kMostFree));
}

}  // namespace fairlead::policy
