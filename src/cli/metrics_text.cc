#include "cli/metrics_text.h"

#include <string_view>

#include <fmt/format.h>

#include "engine/daemon_set_room.h"

namespace fairlead::cli {
namespace {

std::string Head(std::string_view name, std::string_view help) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} counter\n", name, help);
}

}  // namespace

std::string MetricsText(const engine::Scheduler& scheduler) {
  const engine::DaemonSetCounts& counts = scheduler.daemon_set_counts();
  constexpr std::string_view kAttempts = "fairlead_daemonset_preemption_attempts_total";
  constexpr std::string_view kVictims = "fairlead_daemonset_preemption_victims_total";
  constexpr std::string_view kFailures = "fairlead_daemonset_preemption_failures_total";
  std::string text = Head(kAttempts, "Searches for pods to leave the node of a DaemonSet's pod.");
  text += fmt::format("{} {}\n", kAttempts, counts.attempts);
  text += Head(kVictims, "Pods that had to leave for a DaemonSet's pod.");
  text += fmt::format("{} {}\n", kVictims, counts.victims);
  text += Head(kFailures, "Searches that found nobody, by what stood in the way.");
  for (std::size_t i = 0; i < counts.failures.size(); ++i) {
    text += fmt::format("{}{{reason=\"{}\"}} {}\n", kFailures,
                        engine::ToString(static_cast<engine::NoVictims>(i)), counts.failures[i]);
  }
  return text;
}

}  // namespace fairlead::cli
