#include "engine/room/drain.h"

#include <algorithm>
#include <utility>

#include "base/halving.h"
#include "policy/eviction_cost.h"
#include "policy/run_time.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;

namespace {

// Ends by itself, some day.
bool MayEnd(const state::Pod& pod) {
  return pod.live() && !pod.foreign && !pod.of_daemon_set() && !pod.is_static;
}

// What is still to be run of the node's pods: dominant part × seconds.
policy::Work LeftOn(const state::Cluster& cluster, NodeId n, Time now) {
  policy::Work left = 0;
  for (const PodId p : cluster.nodes().pods(n)) {
    const state::Pod& pod = cluster.pods()[p];
    if (!MayEnd(pod)) continue;
    const std::optional<Time> end = policy::ExpectedEnd(cluster, pod.workload, now);
    const Time start = std::min(cluster.workloads()[pod.workload].start, now);
    const Duration runs = end ? *end - now : now - start;
    left += static_cast<policy::Work>(policy::DominantPart(cluster, pod.shape)) *
            static_cast<policy::Work>(runs.us / 1'000'000);
  }
  return left;
}

class Draining {
 public:
  Draining(Placer& placer, state::Cluster& cluster, const RoomStep& step)
      : placer_(placer), cluster_(cluster), step_(step), trial_(cluster) {}

  void Begin(const Bookings& bookings) {
    for (const Booking& booking : bookings) TakeSeats(booking, trial_);
  }

  // Whether it stands somewhere once these nodes are empty. REQUIRES: the first are always the
  // same.
  bool Holds(const std::vector<NodeId>& nodes, std::size_t emptied) {
    if (emptied < marks_.size()) {
      trial_.UndoTo(marks_[emptied]);
      marks_.resize(emptied);
    }
    while (marks_.size() < emptied) {
      const NodeId n = nodes[marks_.size()];
      marks_.push_back(trial_.Mark());
      Empty(n);
    }
    seats_ = SeatsFor(placer_, cluster_, step_, trial_);
    return !seats_.empty();
  }

  // Those that were found last, where it may have them. REQUIRES: some were.
  std::vector<Booking::Seat> TakeFound(const MayHaveThen& may) {
    trial_.UndoTo(marks_.front());
    NodeId last;
    for (const Booking::Seat& seat : seats_) {
      if (std::exchange(last, seat.node) != seat.node) Empty(seat.node);
    }
    return may(step_) ? std::move(seats_) : std::vector<Booking::Seat>();
  }

 private:
  void Empty(NodeId n) {
    for (const PodId p : std::vector<PodId>(cluster_.nodes().pods(n))) {
      if (MayEnd(cluster_.pods()[p])) trial_.Evict(p);
    }
  }

  Placer& placer_;
  state::Cluster& cluster_;
  const RoomStep& step_;
  state::Trial trial_;
  std::vector<std::size_t> marks_;
  std::vector<Booking::Seat> seats_;
};

}  // namespace

std::vector<NodeId> ByWhatIsLeft(const state::Cluster& cluster, Time now) {
  std::vector<std::pair<policy::Work, NodeId>> nodes;
  for (const NodeId n : cluster.nodes().by_name()) {
    if (cluster.nodes().in_service(n)) nodes.emplace_back(LeftOn(cluster, n, now), n);
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<NodeId> order;
  order.reserve(nodes.size());
  for (const auto& [left, n] : nodes) order.push_back(n);
  return order;
}

std::vector<Booking::Seat> SeatsByDraining(Placer& placer, state::Cluster& cluster,
                                           const RoomStep& step, const Bookings& bookings,
                                           const std::vector<NodeId>& nodes,
                                           const MayHaveThen& may) {
  Draining draining(placer, cluster, step);
  draining.Begin(bookings);
  const auto holds = [&](std::size_t emptied) { return draining.Holds(nodes, emptied); };
  const std::size_t first = FirstOf(nodes.size(), holds);
  if (first == 0 || !holds(first)) return {};
  return draining.TakeFound(may);
}

bool MayDrainFor(const state::Cluster& cluster, const RoomStep& step) {
  const std::int64_t percent = cluster.configuration().backfill.max_drained_percent;
  return std::all_of(step.request.begin(), step.request.end(), [&](const state::Amount& asked) {
    const std::int64_t capacity = cluster.queues().capacity(asked.resource);
    return !cluster.queues().Counts(asked.resource) ||
           asked.amount <= capacity / 100 * percent + capacity % 100 * percent / 100;
  });
}

}  // namespace fairlead::engine
