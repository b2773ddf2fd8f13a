#pragma once

#include <string>

#include "engine/scheduler.h"

namespace fairlead::show {

// What the scheduler counts since it began, in Prometheus' text format (0.0.4).
std::string MetricsText(const engine::Scheduler& scheduler);

}  // namespace fairlead::show
