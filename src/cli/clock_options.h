#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/command.h"
#include "virtual/cluster.h"

namespace fairlead::cli {

// How fast the pretended kubelets and controllers of volumes are, as text: --start-delay, --grace
// and --volume-delay.
struct DelayOptions {
  std::string start = "0s";
  std::string grace = "0s";
  std::string volumes = "0s";
};
void AddDelayOptions(DelayOptions& options, std::vector<Option>& into);
Result<virtual_cluster::Delays> DelaysOf(const DelayOptions& options);

// From when to when a virtual clock runs, and what is pretended on it: --until and --start too.
struct ClockOptions {
  std::string until = "idle";
  std::string start;
  DelayOptions delays;
};
struct ClockSettings {
  std::optional<Time> start;      // absent: the newest time in the input
  std::optional<Duration> until;  // absent: idle
  virtual_cluster::Delays delays;
};
void AddClockOptions(ClockOptions& options, std::vector<Option>& into);
Result<ClockSettings> ClockSettingsOf(const ClockOptions& options);

}  // namespace fairlead::cli
