#include "cli/clock_options.h"

#include "host/input.h"

namespace fairlead::cli {

void AddKubeletOptions(KubeletOptions& options, std::vector<Option>& into) {
  into.push_back({.flags = "--start-delay",
                  .value = "DURATION",
                  .help = "from bound to running",
                  .into = &options.start_delay});
  into.push_back({.flags = "--grace",
                  .value = "DURATION",
                  .help = "from evicted to gone",
                  .into = &options.grace});
}

Result<KubeletSettings> KubeletSettingsOf(const KubeletOptions& options) {
  const auto delay = host::DurationFlag("--start-delay", options.start_delay);
  const auto grace = host::DurationFlag("--grace", options.grace);
  if (!delay) return tl::unexpected(delay.error());
  if (!grace) return tl::unexpected(grace.error());
  return KubeletSettings{.start_delay = *delay, .grace = *grace};
}

void AddClockOptions(ClockOptions& options, std::vector<Option>& into) {
  into.push_back({.flags = "--until",
                  .value = "DURATION",
                  .help = "how long to run; idle: until nothing more can change",
                  .into = &options.until});
  into.push_back({.flags = "--start",
                  .value = "TIME",
                  .help = "RFC 3339; by default the newest time in the input",
                  .into = &options.start});
  AddKubeletOptions(options.kubelets, into);
}

Result<ClockSettings> ClockSettingsOf(const ClockOptions& options) {
  const auto start = host::TimeFlag("--start", options.start);
  const auto kubelets = KubeletSettingsOf(options.kubelets);
  if (!start) return tl::unexpected(start.error());
  if (!kubelets) return tl::unexpected(kubelets.error());
  ClockSettings settings{.start = *start, .until = {}, .kubelets = *kubelets};
  if (options.until == "idle") return settings;
  const auto until = host::DurationFlag("--until", options.until);
  if (!until) return Fail(until.error().message + "; or \"idle\"");
  settings.until = *until;
  return settings;
}

}  // namespace fairlead::cli
