#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::cli {

// When `workload` ("namespace/name") is first placed if this state runs on by itself from `now`:
// everything ends when its annotation fairlead.dev/run-duration says so, and nothing else comes but
// what is announced by fairlead.dev/arrives-at. The same engine decides, on a virtual clock.
// Absent: it does not start by itself, or not within a year or kForecastSteps instants.
inline constexpr int kForecastSteps = 20'000;
std::optional<Time> ForecastStart(std::vector<objects::Object> objects, Time now,
                                  std::string_view workload);

}  // namespace fairlead::cli
