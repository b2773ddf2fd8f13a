#pragma once

#include <string>

#include "engine/scheduler.h"

namespace fairlead::show {

// What the scheduler has counted since it began, and what the cluster and its queues have, in
// Prometheus' text format (0.0.4).
std::string MetricsText(const engine::Scheduler& scheduler);

}  // namespace fairlead::show
