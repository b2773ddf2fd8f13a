#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/room/booking.h"
#include "engine/room/nodes_in_time.h"
#include "engine/room/room_step.h"
#include "objects/reservation.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What was found out of those for whom room is kept, and still holds: nobody is asked again where
// nothing has changed that could make a difference to him.
//
// Invariant: what a kept answer says is what would be found now.
class ReservedAnswers {
 public:
  ReservedAnswers(state::Cluster& cluster, Placer& placer)
      : cluster_(cluster), nodes_(cluster, placer) {}

  NodesInTime& nodes() { return nodes_; }
  const NodesInTime& nodes() const { return nodes_; }

  // Whether the step has no room at any moment before `until`, for sure: by what nodes can hold by
  // then at most. Asked again, it looks at nodes that changed.
  bool InVain(const RoomStep& step, const Bookings& others, Time now, Time until);
  // On which nodes alone it may have some, among them all that hold some now, the earliest first;
  // null: that is not known. As of the last question, where the answer was no.
  const std::vector<NodesInTime::From>* Only() const { return knows_only_ ? &only_ : nullptr; }
  // That was found, in another way, after InVain could not tell, and holds as long as no node can
  // hold more of it. REQUIRES: its pods are of one shape, and plain.
  void KeepInVain(const RoomStep& step, const Bookings& others, Time until);

  // Where the step's pods stand on the nodes that are kept for it, as was found before; null: that
  // has to be found again. `others`: for whom room is kept before it.
  const std::vector<Booking::Seat>* Seats(const RoomStep& step,
                                          const objects::Reservation& reservation,
                                          const Bookings& others);
  void KeepSeats(const RoomStep& step, const objects::Reservation& reservation,
                 const Bookings& others, const std::vector<Booking::Seat>& seats);

  // Whether it makes no difference to the step what stands on other nodes than its own.
  bool StandsByItself(const RoomStep& step) const;

  // Shapes have other numbers.
  void Forget();
  // Nothing is to be known of others than these.
  void KeepOf(const std::vector<state::WorkloadId>& workloads);

 private:
  struct Vain {
    std::uint64_t after = 0;  // changes of nodes
    std::uint64_t others = 0;
    std::optional<Duration> runs, limit;
    Time until;
    state::ShapeId shape;
    std::int64_t asked = 0;
    std::int64_t most = 0;  // that there may be; below `asked`
    bool none = false;      // for sure no node holds any
  };
  struct Seated {
    std::uint64_t after = 0;  // changes of nodes
    std::uint64_t others = 0;
    std::vector<GangPart> parts;
    objects::Reservation reservation;
    std::vector<Booking::Seat> seats;
  };
  Vain VainOf(const RoomStep& step, state::ShapeId shape, std::uint64_t others, Time until) const;
  bool IsOf(const Vain& vain, const RoomStep& step, std::uint64_t others, Time until) const;
  bool StillInVain(Vain& vain, Time until);
  void FindOnly(const Vain& vain, Time now, Time until);
  std::uint64_t ThereWhenBegins(const std::vector<Booking::Seat>& seats,
                                const objects::Reservation& reservation,
                                const Bookings& others) const;

  state::Cluster& cluster_;
  NodesInTime nodes_;
  std::map<state::WorkloadId, Vain> vain_;
  bool knows_only_ = false;
  std::vector<NodesInTime::From> only_;
  std::map<state::WorkloadId, Seated> seated_;
};

}  // namespace fairlead::engine
