#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/booking.h"
#include "engine/room/known_ends.h"
#include "engine/room/nodes_in_time.h"
#include "engine/room/room_step.h"
#include "policy/run_time.h"
#include "policy/windows.h"
#include "state/cluster.h"

namespace fairlead::engine {

// The first moment at which there is room.
struct RoomInTime {
  Time at;
  std::vector<state::WorkloadId> ended;  // by which it comes: those that end just then
  std::vector<Booking::Seat> seats;      // where the step's pods stand then, sorted by node
  bool operator==(const RoomInTime&) const = default;
};

// What those who end of one queue give back of its allocated, added up from the first: of the state
// as it is while nothing is decided.
class EndedSums {
 public:
  explicit EndedSums(const state::Cluster& cluster) : cluster_(cluster) {}
  void Clear() { of_.clear(); }
  // Of the first `count` of the ends. Of no queue: what all of their pods ask, wherever they are.
  state::Amounts Of(state::QueueId q, const std::vector<policy::End>& ends, std::size_t count);

 private:
  struct Sums {
    std::size_t stride = 0;
    std::vector<std::int64_t> rows;  // one more than ends have been added
  };
  const state::Cluster& cluster_;
  std::map<state::QueueId, Sums> of_;
};

// What is followed of the cluster, so that not all of it has to be looked at.
struct Followed {
  const KnownEnds& ends;
  NodesInTime& nodes;
  EndedSums& sums;
  // Where it is known that others hold none of the step at any moment that is asked about: those
  // that may, among them all that do now, as nodes.Before has them.
  const std::vector<NodesInTime::From>* only = nullptr;

  std::span<const NodesInTime::From> Before(state::ShapeId s, Time until) const;
};

// What is known of the time to come: when work that runs ends, what is kept for whom, and when
// nodes are closed.
struct TimeToCome {
  const std::vector<policy::End>& ends;
  const Bookings& bookings;
  const policy::Windows& windows;
  Time now;
  Time until = Time::Max();            // from then on nobody asks
  const Followed* followed = nullptr;  // the same ends, and nodes caught up; null: nothing is
};
// Whether the step may have its room, asked in the state as it is when it would: whatever its
// queue's limits say is asked beside it.
using MayHaveThen = std::function<bool(const RoomStep&)>;

// When `step` first has room on nodes within the limits of its queues, as what runs ends, what is
// kept for others is theirs from when on it is kept, nodes are closed by windows, and nothing else
// comes or goes but for what is leaving already. Nothing of the cluster stays changed. Empty: not
// by those ends. Cost: a trial that lets go everything that ends by then; the gang is placed O(log
// n) times where it demands nothing of other pods and nothing is kept for others, else once an end,
// at most kMostMoments times. With what is followed, work that asks plain room alone has only those
// let go who stand on nodes that may hold it, and is placed only where they may hold enough.
// `by_nodes`: is told whether, where there is none, that is so as long as no node can hold more of
// it than now: room is all that it asks, and nothing else was in the way of any moment.
inline constexpr std::size_t kMostMoments = 256;
std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const TimeToCome& time, const MayHaveThen& may = nullptr,
                                    bool* by_nodes = nullptr);

}  // namespace fairlead::engine
