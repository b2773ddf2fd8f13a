#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/room/booking.h"
#include "engine/round/round_context.h"
#include "state/kept_back.h"

namespace fairlead::engine {

// Whether the group's next work, a workload's, would start anew now, and not just be made whole.
bool StartsAnew(const state::Cluster& cluster, const Group& group);

// While others look for room: what of the nodes is kept for those who have reservations, and is
// none of theirs, and which nodes windows close to them. It is as if there were less.
class KeptFromOthers {
 public:
  // `bookings`: for whom room is kept, as they stand when something is asked.
  KeptFromOthers(RoundContext& round, Bookings& bookings)
      : round_(round),
        cluster_(round.cluster),
        bookings_(bookings),
        kept_(round.cluster),
        closed_(round.cluster) {}

  // Whether it has to leave what is kept. `runs`: by when it has ended if it starts now; absent:
  // nobody can rely on that.
  bool Binds(const Booking& booking, const Group& group, state::WorkloadId w,
             std::optional<Duration> runs) const;

  // From now on nothing is seen of what these bookings keep, nor of nodes that are closed to the
  // group's next work; of those nodes alone; all that is free. The first two return whether other
  // nodes are closed than before.
  bool Keep(const Group& group, state::WorkloadId w, std::vector<bool> binds);
  bool KeepClosed(const Group& group, state::WorkloadId w);
  void KeepNothing();

 private:
  void GiveKept();

  RoundContext& round_;
  state::Cluster& cluster_;
  Bookings& bookings_;
  // What is kept back, from whom it binds, and as of where in the log of touched nodes.
  state::KeptBack kept_;
  std::vector<bool> kept_from_;
  state::WorkloadId kept_for_;
  std::uint64_t seen_ = 0;
  // The windows whose nodes are closed, and these nodes; none: no window is there.
  std::vector<bool> closed_by_;
  state::KeptBack closed_;
};

}  // namespace fairlead::engine
