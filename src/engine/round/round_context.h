#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "engine/place/placer.h"
#include "engine/plan/plan_writer.h"
#include "engine/room/make_room.h"
#include "engine/round/backlog.h"
#include "engine/round/vacated.h"
#include "policy/windows.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What one part of a round has to tell the others. A part writes it down and goes on; Round hands
// it over between the phases.
struct RoundNotices {
  std::vector<state::NodeId> given_up;      // nothing is held for somebody there any more
  Vacated vacated;                          // by this round's victims
  std::vector<state::Relief> lost_to_try;   // who gave room to the step at hand
  std::vector<state::WorkloadId> moved_in;  // gangs of which no pod moves any more
  bool claims_were_lifted = false;          // others may have what they held
};

// All that a part of the round gets to see: the state, who waits, the searches, the plan.
struct RoundContext {
  state::Cluster& cluster;
  Placer& placer;
  Backlog& backlog;
  MakeRoom& room;
  PlanWriter& plan;
  RoundNotices notices = {};
  policy::Windows windows{cluster};
  // What became of workloads, and which queues have less than they had: what the state notes, and
  // what parts tell beside it. Taken up by whoever comes to it first.
  state::LogReader<state::WorkloadId> changed{cluster.journal().workloads};
  state::LogReader<state::Relief> relieved{cluster.journal().relieved};
  Time now = Time::Max();    // of the last round; before the first nothing is still to come
  std::uint32_t number = 0;  // of the round
  std::uint32_t steps = 0;   // that changed the state, in all rounds
};

// Fair shares as they follow from what is placed and asked by now: who starts with fewer pods asks
// for no more, and what is held on a node out of service is part of the capacity. With other shares
// others are entitled to room, and whoever was refused is asked again.
void UpdateFairShares(RoundContext& round);

}  // namespace fairlead::engine
