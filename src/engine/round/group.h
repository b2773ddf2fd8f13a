#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/place/placer.h"
#include "engine/round/standing_refusals.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Waiting work that is decided together: pods of one shape, queue and priority that are workloads
// of their own, count under the same limits of users and, where that matters, run as long, first
// come first served; or the next step of one gang. When the first of a group cannot start, none of
// it can.
struct Group {
  enum class Wait : std::uint8_t {
    kNothing,  // no work in it
    kReady,    // to be tried in this round
    kRoom,     // no node, or not enough of them: until a node changes that could hold a pod of it
    kQueue,    // a limit at `blocker`, or a queue that is not ready: until that changes
    kUser,     // a limit of a user or group: until `account` has less
    kEither,   // it may start with fewer pods: any node or any limit on its way may matter
  };
  state::QueueId queue;
  std::int32_t priority = 0;
  bool preemptible = true;
  bool never_preempts = false;
  bool above_minimum = false;  // a surplus pod of an elastic workload
  bool replaces = false;       // pods that a running gang's minimum lacks
  bool of_daemon_set = false;
  Wait wait = Wait::kNothing;
  state::QueueId blocker;           // kQueue: whose allocated must go down
  state::AccountId account;         // kUser: likewise
  std::uint32_t refused_in = 0;     // the round that last found no way to start it,
  std::uint32_t refused_after = 0;  // and after how many steps
  Time retry_at = Time::Max();      // a protection lapses then: others may be asked for room
  Time not_before;                  // it is left alone until then
  // Of others, while it stands.
  StandingRefusals::Number refusal = StandingRefusals::kNone;
  state::Amounts request;  // of the next decision

  bool IsBlocked() const { return wait != Wait::kNothing && wait != Wait::kReady; }

  // Pods that are workloads of their own:
  struct Entry {
    state::PodId pod;
    std::uint32_t ticket = 0;  // another one in the pod's record: the entry is stale
  };
  state::ShapeId shape;
  bool by_run_time = false;  // it mattered when they were put together
  std::vector<Entry> pods;   // from `head` on, sorted by (creation, name) up to `sorted`
  std::size_t head = 0;
  std::size_t sorted = 0;

  // A gang's next step: its whole minimum, or one pod once it has started.
  state::WorkloadId gang;
  std::vector<GangPart> parts;
  // The counts with which it could start, found in a round after so many steps; none: it cannot.
  std::vector<std::int32_t> fewer;
  std::uint32_t fewer_in = 0, fewer_after = 0;
  bool outdated = false;            // it is ready, and something about it changed since
  bool searched_in_vain = false;    // the last search for room ended at its bound, without a proof
  std::uint32_t waiting_since = 0;  // how many workloads had been placed when it first had to wait
  // How often it was woken in vain while others were tried, and in which pass.
  std::uint32_t woken_in_vain = 0, woken_in = 0;
};

}  // namespace fairlead::engine
