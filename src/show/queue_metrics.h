#pragma once

#include <string>

#include "engine/scheduler.h"

namespace fairlead::show {

// What the cluster has and what its queues are due, ask and use, in Prometheus' text format
// (0.0.4). Walks all nodes and workloads.
std::string QueueMetricsText(const engine::Scheduler& scheduler);

}  // namespace fairlead::show
