#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/command.h"

namespace fairlead::cli {

// How fast the pretended kubelets are: --start-delay and --grace, as text, and once they make
// sense.
struct KubeletOptions {
  std::string start_delay = "0s";
  std::string grace = "0s";
};
struct KubeletSettings {
  Duration start_delay, grace;
};
void AddKubeletOptions(KubeletOptions& options, std::vector<Option>& into);
Result<KubeletSettings> KubeletSettingsOf(const KubeletOptions& options);

// From when to when a virtual clock runs, and its kubelets: --until and --start too.
struct ClockOptions {
  std::string until = "idle";
  std::string start;
  KubeletOptions kubelets;
};
struct ClockSettings {
  std::optional<Time> start;      // absent: the newest time in the input
  std::optional<Duration> until;  // absent: idle
  KubeletSettings kubelets;
};
void AddClockOptions(ClockOptions& options, std::vector<Option>& into);
Result<ClockSettings> ClockSettingsOf(const ClockOptions& options);

}  // namespace fairlead::cli
