#pragma once

#include <optional>
#include <vector>

#include "engine/room/booking.h"
#include "engine/room/known_ends.h"
#include "engine/room/room_in_time.h"
#include "engine/room/room_step.h"
#include "engine/round/reserved_answers.h"
#include "engine/round/round_context.h"
#include "objects/reservation.h"
#include "state/journal.h"

namespace fairlead::engine {

// Where and when there is room for those for whom room is kept, beside all others for whom it is.
// What that rests on is followed from round to round as long as anybody has some, or waits for it.
class ReservedPlaces {
 public:
  // `bookings`: for whom room is kept, as they stand when something is asked.
  ReservedPlaces(RoundContext& round, const Bookings& bookings)
      : round_(round),
        cluster_(round.cluster),
        placer_(round.placer),
        bookings_(bookings),
        ends_(round.cluster),
        ended_sums_(round.cluster),
        answers_(round.cluster, round.placer) {}

  // `shown`: all that may have room kept; whether anybody else waits for some.
  void Start(const std::vector<state::WorkloadId>& shown, bool anybody_waits);
  // Pods may have been placed since something was asked.
  void NotePlaced() { ended_sums_.Clear(); }
  void ForgetShapes() { answers_.Forget(); }  // they have other numbers
  // Nothing of the journal that stands before is needed any more: lowers what is.
  void Need(state::Journal::Positions& positions) const;

  // Whether no moment lies ahead at which there could be more room.
  bool NothingComes();
  Booking BookingFor(const RoomStep& step, const objects::Reservation& reservation,
                     std::vector<Booking::Seat> seats) const;
  // Where the step's pods stand on the nodes that are kept for it, once those have left who are
  // told to by then, or nobody but those who leave already; empty: they find no place there.
  std::vector<Booking::Seat> SeatsOn(const RoomStep& step, const objects::Reservation& reservation,
                                     bool is_due);
  // The earliest time at which it has its room by what is known, where that is before `before`.
  // In this and the next its queue stays within its guarantee or fair share with it then.
  std::optional<Booking> InTime(const RoomStep& step, Time since, std::optional<Time> before);
  // `waits_since`: the work.
  std::optional<Booking> ByDraining(const RoomStep& step, Time since, Time waits_since);

 private:
  const std::vector<policy::End>& Ends();
  bool NothingElseComes() const;
  bool MayHave(const RoomStep& step) const;
  bool MightEverHave(const RoomStep& step) const;
  const std::vector<state::NodeId>& NodesToDrain();
  std::vector<Booking::Seat> FindSeats(const RoomStep& step,
                                       const objects::Reservation& reservation, bool is_due);

  RoundContext& round_;
  state::Cluster& cluster_;
  Placer& placer_;
  const Bookings& bookings_;
  KnownEnds ends_;
  bool ends_seen_ = false;  // since the start
  EndedSums ended_sums_;
  ReservedAnswers answers_;
  std::vector<state::NodeId> to_drain_;  // as of so many steps; empty: not known
  std::uint32_t to_drain_after_ = 0;
};

}  // namespace fairlead::engine
