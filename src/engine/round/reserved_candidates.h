#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/room/booking.h"
#include "engine/round/job_admission.h"
#include "engine/round/reserved_places.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Who may be given room that is kept (time.md §2): work that has waited for long enough, and that
// no limit keeps from all room; of each leaf those that are served first, and leaves that have none
// before others.
//
// A leaf where a limit of its own keeps everybody waiting is not looked at again before something
// changes there, or time makes a difference to it.
class ReservedCandidates {
 public:
  // `bookings`: for whom room is kept, as they stand when something is asked.
  ReservedCandidates(RoundContext& round, JobAdmission& admission, const Bookings& bookings,
                     ReservedPlaces& places)
      : round_(round),
        cluster_(round.cluster),
        backlog_(round.backlog),
        admission_(admission),
        bookings_(bookings),
        places_(places) {}

  // Whether no more may be given any.
  bool IsFull() const;
  // Whether anybody may be given one as soon as something changes; and whether somebody has waited
  // for long enough by now, since when he may.
  bool AnybodyWaits() const { return anybody_waits_; }
  bool IsDue(Time now) const { return !IsFull() && next_to_wait_ <= now; }

  // Nobody may, until they are chosen.
  void Start();
  // Chooses those who may in this round, and makes them ready for their turns.
  void Choose();
  bool Wants(GroupId g) const;
  // It had its turn. `given`: it was given one.
  void Serve(GroupId g, bool given);

  // Whether the group has work that could start as far as it itself and its queues are concerned.
  bool MayHave(GroupId g);
  // Since when that waits. REQUIRES: it has work.
  Time SinceOf(GroupId g);
  // The fewest pods with which it starts; without parts: there is nothing to start.
  RoomStep LeastStep(GroupId g);
  // Whether it is none, or a limit of its queues keeps it from all room.
  bool IsBarred(const RoomStep& step) const;

 private:
  static constexpr std::size_t kTriesOfALeaf = 4;
  // What there is to be known of a leaf in which nobody may be given any: as long as its figures
  // are these, nothing was noted of its groups since, and `until` lies ahead.
  struct InVain {
    std::vector<std::int64_t> figures;
    std::uint64_t work = 0;
    bool any_waited = false;
    Time next_to_wait, until;
  };
  struct Leaf {
    state::QueueId queue;
    std::vector<GroupId> waited = {};  // for long enough
    bool any_waited = false;
    Time next_to_wait = Time::Max();
    Time until = Time::Max();
    bool shows_changes = true;  // whatever makes a difference is to be seen by what is kept
  };
  bool IsEligible(GroupId g, Leaf& leaf);
  void NoteReady();
  bool NobodyMayHaveOne();
  Leaf LookAt(state::QueueId q, std::span<const GroupId> groups);
  std::vector<GroupId> FirstOf(Leaf& leaf);
  std::vector<std::int64_t> FiguresOf(state::QueueId q) const;
  const InVain* KnownInVain(state::QueueId q, std::span<const GroupId> groups);
  void KeepInVain(const Leaf& leaf);

  RoundContext& round_;
  state::Cluster& cluster_;
  Backlog& backlog_;
  JobAdmission& admission_;
  const Bookings& bookings_;
  ReservedPlaces& places_;

  // In the round: who may be given one.
  std::set<GroupId> wants_;
  std::set<state::QueueId> leaves_with_;
  bool all_leaves_have_ = false;
  // Between rounds.
  bool anybody_waits_ = false;
  Time next_to_wait_ = Time::Max();                // somebody will have waited for long enough then
  std::vector<std::optional<InVain>> in_vain_;     // by queue
  std::pair<std::uint64_t, std::uint64_t> as_of_;  // queues and configuration, of the journal
};

}  // namespace fairlead::engine
