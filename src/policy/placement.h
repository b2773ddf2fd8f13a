#pragma once

#include <cstdint>

#include "state/cluster.h"

namespace fairlead::policy {

// Which node is the best of those that fit (semantics.md §3): the one with the smallest score, then
// the smallest name. Pods that ask a GPU are scored by GPUs, others by CPU and last onto GPU nodes.
//   binpack: the least that is free, in the resource's unit: the tightest fit.
//   spread:  the largest part of the node that is free, in parts per million: the most idle.
// Other choices depend on the pod as well (policy/shape_score.h); here they count as binpack, so
// that every node has a place in an order.
enum class Axis : std::uint8_t { kGpu, kCpu };

Axis AxisOf(const state::Shape& shape);

// The configured choice for the shape's pods.
objects::NodeChoice ChoiceFor(const state::Cluster& cluster, const state::Shape& shape);

// A node's score on an axis, by its room now or later; below 2^32. Depends on the node alone, so
// that one order of nodes serves every shape.
std::uint32_t Score(const state::Cluster& cluster, state::NodeId n, Axis axis, state::When when);

// Whether the node has a place on the axis: only nodes with GPUs are on the GPU axis.
bool OnAxis(const state::Cluster& cluster, state::NodeId n, Axis axis);

// No node with a smaller score can hold the shape: a search may start there.
std::uint32_t LeastUsefulScore(const state::Cluster& cluster, const state::Shape& shape);

}  // namespace fairlead::policy
