#include "engine/round/window_stops.h"

#include <algorithm>
#include <vector>

#include "base/sorted_set.h"
#include "engine/round/stop_whole.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

std::optional<Time> WindowStops::NextDue() const {
  std::optional<Time> next;
  const auto note = [&](Time at) {
    if (at > served_at_) next = std::min(next.value_or(at), at);
  };
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    if (windows_[i].at_begin == objects::AtBegin::kEvict) note(windows_[i].from);
    if (windows_[i].until) note(*windows_[i].until);
  }
  return next;
}

bool WindowStops::Serve() {
  bool stopped = false;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const std::optional<Time> until = windows_[i].until;
    if (until && *until > served_at_ && *until <= round_.now) {
      const std::vector<NodeId>& nodes = windows_.nodes(i);
      round_.notices.given_up.insert(round_.notices.given_up.end(), nodes.begin(), nodes.end());
    }
    if (policy::Windows::Evicts(windows_[i], round_.now)) stopped = Stop(i) || stopped;
  }
  served_at_ = round_.now;
  return stopped;
}

bool WindowStops::Stop(std::size_t i) {
  std::vector<WorkloadId> there;
  for (const NodeId n : windows_.nodes(i)) {
    for (const PodId p : cluster_.nodes().pods(n)) {
      const state::Pod& pod = cluster_.pods()[p];
      const bool stays = !pod.live() || pod.foreign || pod.of_daemon_set() || pod.is_static;
      if (stays) continue;
      const state::QueueId queue = cluster_.workloads()[pod.workload].queue;
      if (policy::Windows::IsFor(windows_[i], cluster_, queue)) continue;
      there.push_back(pod.workload);
    }
  }
  MakeSet(there);
  SortByName(cluster_, there);
  bool stopped = false;
  for (const WorkloadId w : there) {
    if (!BudgetsLetGo(cluster_, w)) continue;
    StopWhole(round_, starts_, w, policy::RoomAction::kWindow);
    stopped = true;
  }
  return stopped;
}

}  // namespace fairlead::engine
