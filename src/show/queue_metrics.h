#pragma once

#include <string>

#include "engine/scheduler.h"
#include "view/view.h"

namespace fairlead::show {

// What the cluster has and what its queues are due, ask and use, in Prometheus' text format
// (0.0.4). Walks all nodes and workloads.
std::string QueueMetricsText(const engine::Scheduler& scheduler);

// How many of those that wait can never start as they are written, as far as the view knows why.
std::string HopelessMetricsText(const view::View& view);

}  // namespace fairlead::show
