#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"
#include "virtual/cluster.h"

namespace fairlead::host {

// When `workload` ("namespace/name") is first placed if this state runs on by itself from
// options.start, with kubelets as they are there. Everything in `objects` is taken as being there,
// as `explain` takes it: fairlead.dev/arrives-at does not count. Nothing else comes, and everything
// ends when its annotation fairlead.dev/run-duration says so. The same engine decides, on a virtual
// clock.
// Absent: it does not start by itself, or not within a year or kForecastSteps instants.
inline constexpr int kForecastSteps = 20'000;
std::optional<Time> ForecastStart(std::vector<objects::Object> objects,
                                  const virtual_cluster::Options& options,
                                  std::string_view workload);

}  // namespace fairlead::host
