#include "policy/windows.h"

#include <algorithm>

#include "base/sorted_set.h"
#include "objects/selector.h"

// A window from 06:00 to 10:00, worked through:
//
//   04:00  a limit of 2 h: it starts there, as it has left at 06:00
//   04:01  not any more; what has no limit still does
//   05:00  from here on that does not either
//   10:00  everybody does again

namespace fairlead::policy {

using state::NodeId;
using state::QueueId;

namespace {

// Without a limit nobody knows when work ends: it does not start so shortly before.
constexpr Duration kWithoutLimit = Duration::Seconds(3600);

}  // namespace

Windows::Start Windows::StartOf(const state::Cluster& cluster, state::WorkloadId w, Time at) {
  return {.queue = cluster.workloads()[w].queue,
          .at = at,
          .limit = cluster.workloads().run_time(w).limit};
}

bool Windows::Evicts(const objects::Window& window, Time now) {
  return window.at_begin == objects::AtBegin::kEvict && window.from <= now &&
         (!window.until || *window.until > now);
}

bool Windows::IsFor(const objects::Window& window, const state::Cluster& cluster, QueueId queue) {
  const state::QueueTree& queues = cluster.queues();
  for (QueueId q = queue; q.valid() && !window.queues.empty(); q = queues[q].parent) {
    if (std::ranges::find(window.queues, queues[q].name) != window.queues.end()) return true;
  }
  return false;
}

void Windows::CatchUp() {
  const state::NodeTable& nodes = cluster_.nodes();
  windows_.clear();
  for (const objects::Window& window : cluster_.windows().all()) {
    Row& row = windows_.emplace_back(Row{.window = window, .nodes = {}});
    for (const std::string& name : window.nodes) {
      const NodeId n = nodes.Find(name);
      if (n.valid() && nodes.exists(n)) row.nodes.push_back(n);
    }
    for (std::uint32_t i = 0; i < nodes.size() && window.nodes.empty(); ++i) {
      const NodeId n(i);
      if (nodes.exists(n) && objects::HasAll(nodes.labels(n), window.node_selector)) {
        row.nodes.push_back(n);
      }
    }
    MakeSet(row.nodes);
  }
}

bool Windows::ClosedTo(std::size_t i, const Start& start) const {
  const objects::Window& window = windows_[i].window;
  if (window.until && *window.until <= start.at) return false;
  const bool is_early =
      start.at < window.from && (start.limit ? start.at + *start.limit <= window.from
                                             : start.at + kWithoutLimit < window.from);
  return !is_early && !IsFor(window, cluster_, start.queue);
}

std::vector<bool> Windows::ClosedTo(const Start& start) const {
  std::vector<bool> closed(windows_.size());
  for (std::size_t i = 0; i < windows_.size(); ++i) closed[i] = ClosedTo(i, start);
  return closed;
}

bool Windows::IsClosed(NodeId n, const Start& start) const {
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const std::vector<NodeId>& nodes = windows_[i].nodes;
    if (std::ranges::binary_search(nodes, n) && ClosedTo(i, start)) return true;
  }
  return false;
}

std::vector<Time> Windows::ClosingTimes(std::optional<Duration> limit) const {
  std::vector<Time> times;
  const Duration before = limit ? Duration{limit->us - 1} : kWithoutLimit;
  for (const Row& row : windows_) {
    times.push_back(row.window.from);
    times.push_back(row.window.from + Duration{-before.us});
  }
  return times;
}

void Windows::Close(const std::vector<bool>& which, state::KeptBack& kept) const {
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    if (!which[i]) continue;
    for (const NodeId n : windows_[i].nodes) {
      // Every pod takes a place among the pods.
      const std::int64_t places = cluster_.nodes().allocatable(n)[state::kPods.value()];
      if (places > 0) kept.Keep(n, {{state::kPods, places}});
    }
  }
}

}  // namespace fairlead::policy
