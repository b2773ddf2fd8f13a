#pragma once

#include <optional>
#include <vector>

#include "engine/room/booking.h"
#include "engine/round/job_admission.h"
#include "engine/round/kept_from_others.h"
#include "engine/round/loans.h"
#include "engine/round/reserved_candidates.h"
#include "engine/round/reserved_places.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Room that is kept for work which has waited for long and would be overtaken else (time.md §2):
// for whom, where, and from when on. Those that the state shows are looked at before the turns, the
// oldest first; at its turn work that may have one, and finds no room, is given one.
//
// Others start around it: while they are tried they see no more of the nodes than they may take
// (KeepFrom), and nothing of those that a window closes to them.
class ReservedStarts {
 public:
  ReservedStarts(RoundContext& round, JobAdmission& admission, GangStarts& starts)
      : round_(round),
        cluster_(round.cluster),
        backlog_(round.backlog),
        plan_(round.plan),
        admission_(admission),
        loans_(round, starts) {}

  // When the next of them begins.
  std::optional<Time> NextBegin() const;
  // Whether one has, or somebody has waited for long enough by now: nobody has to ask just for
  // that, since as long as nothing changes nobody starts before them.
  bool IsDue(Time now) const;

  // Whether there is anything to look at once more, where others have been placed.
  bool MayChange() const { return candidates_.AnybodyWaits() || !bookings_.empty(); }

  // Begins anew, with what the state shows and can still be kept. Returns all that it shows, the
  // oldest first.
  std::vector<state::WorkloadId> Start();
  // What is kept for the workload, which could not start: as before, better, or given up. Nobody
  // else's is put off by that. REQUIRES: of those of Start.
  void Renew(state::WorkloadId w);
  // It has started, and needs none any more. REQUIRES: likewise.
  void End(state::WorkloadId w);

  // Chooses who may be given one in this round, and makes them ready for their turns.
  void ChooseCandidates() { candidates_.Choose(); }
  bool Wants(GroupId g) const { return candidates_.Wants(g); }
  // Keeps room for the group's next step, where there will be any.
  void Reserve(GroupId g);

  // From now on whoever looks for room sees what the group may take; that and what is kept for
  // others, which is nobody's to ask for on closed nodes; and all that is free. The first two
  // return whether other nodes are closed to it than to whoever was asked before. `lender`: what is
  // kept for this one it may take. Later: it would wait for others to leave, so that nobody knows
  // by when it ends; returns whether it sees other room than who was asked so before.
  bool KeepFrom(GroupId g, state::WorkloadId lender = {});
  bool KeepFromLater(GroupId g);
  bool KeepClosed(GroupId g);
  // And nothing of what is kept for anybody else, whether it binds the group or not.
  void KeepAllFrom(GroupId g);
  void KeepNothing() { others_.KeepNothing(); }
  // Who may lend the group's next work what is kept for them, and else keep it from that: the
  // oldest first. It starts in the room of one of them.
  std::vector<state::WorkloadId> LendersTo(GroupId g);
  void Lend(GroupId g, state::WorkloadId lender);
  // REQUIRES: all else is decided in this round.
  void Close();
  // What the seats that are kept ask, and that shapes have other numbers but for these.
  std::vector<state::ShapeId> ShapesOfSeats() const;
  void ForgetShapes() { places_.ForgetShapes(); }
  // Nothing of the journal that stands before is needed any more: lowers what is.
  void Need(state::Journal::Positions& positions) const { places_.Need(positions); }

  // As of the last round, the oldest first.
  const Bookings& bookings() const { return bookings_; }
  // Of the group's next work, where its time has come; null: it has none, or that lies ahead.
  const Booking* DueOf(GroupId g);
  // Which of them bind the group's next work, a workload's, that would start now.
  std::vector<bool> BindsOn(const Group& group, state::WorkloadId w) const;

 private:
  RoomStep StepOfShown(state::WorkloadId w);
  void Book(Booking booking);
  Bookings::const_iterator BookingOf(state::WorkloadId w) const;  // end: it has none
  std::optional<Booking> TakeOut(state::WorkloadId w);
  std::vector<Booking::Seat> CallLoansIn(const RoomStep& step,
                                         const objects::Reservation& reservation);
  void DropStarted();
  void LetGoNodes(const objects::Reservation& reservation);
  void Decide(state::WorkloadId w, const Booking* booking);

  RoundContext& round_;
  state::Cluster& cluster_;
  Backlog& backlog_;
  PlanWriter& plan_;
  JobAdmission& admission_;
  Loans loans_;
  Bookings bookings_;
  Time asked_at_;                    // of the round in which they were looked at last
  std::uint32_t dropped_after_ = 0;  // so many steps those that have started
  ReservedPlaces places_{round_, bookings_};
  KeptFromOthers others_{round_, bookings_};
  ReservedCandidates candidates_{round_, admission_, bookings_, places_};
  std::vector<bool> asked_with_;  // who was asked last whether others leave room: what bound him
  std::vector<state::WorkloadId> ended_;
};

}  // namespace fairlead::engine
