#pragma once

#include <vector>

#include "engine/room/booking.h"
#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Work on loan (time.md §2.3): it starts in room that is kept for another, since it says that it
// ends before that begins. What still runs then goes first, whatever its rights are: it was told so
// when it started.
class Loans {
 public:
  Loans(RoundContext& round, GangStarts& starts)
      : round_(round), cluster_(round.cluster), starts_(starts) {}

  // Whether the group's next work, a workload's, may start in the booking's room by its word alone:
  // all may stop it, and it says that it ends by then.
  bool MayHave(const Group& group, state::WorkloadId w, const Booking& booking) const;
  void Lend(state::WorkloadId w, state::WorkloadId holder, Time until);

  // Those that give way to the holder by now and may be stopped, in the order of giving.
  std::vector<state::WorkloadId> Due(state::WorkloadId holder) const;
  void CallIn(state::WorkloadId w, state::WorkloadId holder);

  // Those are over that do not run any more, or for whose holders no room is kept; where these
  // begin earlier by now the others are told so. REQUIRES: all else is decided in this round.
  void FollowHolders();

 private:
  void End(state::WorkloadId w);

  RoundContext& round_;
  state::Cluster& cluster_;
  GangStarts& starts_;
};

}  // namespace fairlead::engine
