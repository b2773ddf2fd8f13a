#include "policy/start_time.h"

#include <algorithm>

namespace fairlead::policy {

std::optional<Time> StartOf(const state::Cluster& cluster, state::WorkloadId w) {
  const state::Gang& gang = cluster.workloads().gang(w);
  bool complete = true;
  std::optional<Time> derived;
  Time oldest = Time::Max();
  for (const state::PodSet& set : gang.sets) {
    std::vector<Time> times;
    for (state::PodId p : set.pods) {
      const state::Pod& pod = cluster.pods()[p];
      if (!pod.live() || pod.expected) continue;
      times.push_back(pod.scheduled == Time::Max() ? pod.created : pod.scheduled);
      oldest = std::min(oldest, pod.created);
    }
    const std::int64_t minimum = std::max(0, set.min_count - set.succeeded);
    if (std::ssize(times) < minimum) complete = false;
    // Below its minimum it has lost pods since it started, and some may have succeeded: those that
    // are left still bound it.
    const std::int64_t asked = set.min_count > 0 ? std::max<std::int64_t>(1, minimum) : 0;
    const auto m = static_cast<std::size_t>(std::min<std::int64_t>(asked, std::ssize(times)));
    if (m == 0) continue;
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(m) - 1,
                     times.end());
    derived = std::max(derived.value_or(times[m - 1]), times[m - 1]);
  }
  if (!derived) return std::nullopt;
  const bool believable =
      gang.recorded_start && *gang.recorded_start >= oldest && *gang.recorded_start <= *derived;
  if (believable) return gang.recorded_start;
  // That a start was recorded tells that it had started, whatever the time is worth.
  return complete || gang.recorded_start ? derived : std::nullopt;
}

}  // namespace fairlead::policy
