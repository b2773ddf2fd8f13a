#include "cli/clock_options.h"

#include "host/input.h"

namespace fairlead::cli {

void AddDelayOptions(DelayOptions& options, std::vector<Option>& into) {
  into.push_back({.flags = "--start-delay",
                  .value = "DURATION",
                  .help = "from bound to running",
                  .into = &options.start});
  into.push_back({.flags = "--grace",
                  .value = "DURATION",
                  .help = "from evicted to gone",
                  .into = &options.grace});
  into.push_back({.flags = "--volume-delay",
                  .value = "DURATION",
                  .help = "from a volume asked for to bound",
                  .into = &options.volumes});
}

Result<virtual_cluster::Delays> DelaysOf(const DelayOptions& options) {
  const auto start = host::DurationFlag("--start-delay", options.start);
  const auto grace = host::DurationFlag("--grace", options.grace);
  const auto volumes = host::DurationFlag("--volume-delay", options.volumes);
  if (!start) return tl::unexpected(start.error());
  if (!grace) return tl::unexpected(grace.error());
  if (!volumes) return tl::unexpected(volumes.error());
  return virtual_cluster::Delays{.start = *start, .grace = *grace, .volumes = *volumes};
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
  AddDelayOptions(options.delays, into);
}

Result<ClockSettings> ClockSettingsOf(const ClockOptions& options) {
  const auto start = host::TimeFlag("--start", options.start);
  const auto delays = DelaysOf(options.delays);
  if (!start) return tl::unexpected(start.error());
  if (!delays) return tl::unexpected(delays.error());
  ClockSettings settings{.start = *start, .until = {}, .delays = *delays};
  if (options.until == "idle") return settings;
  const auto until = host::DurationFlag("--until", options.until);
  if (!until) return Fail(until.error().message + "; or \"idle\"");
  settings.until = *until;
  return settings;
}

}  // namespace fairlead::cli
