#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/time.h"
#include "engine/room/make_room.h"
#include "engine/room/room_step.h"
#include "engine/round/standing_refusals.h"
#include "state/trial.h"

namespace fairlead::engine {

// All of a step that makes a difference to a search for room; unless what others may lose for it is
// bounded by how long it has waited.
std::vector<std::uint64_t> KeyOfAsk(const state::Cluster& cluster, const RoomStep& step);

// Nothing but what it asks makes a difference to the search: all of its pods are there, and none
// runs or was claimed room.
bool AsksAsAnybody(const state::Cluster& cluster, const RoomStep& step);

// Answers of the search for room that still hold, so that nothing is searched for twice: an answer
// is good until the next step changes the state, and for every step that asks the same.
//
// Invariant: what a kept answer says, and what it does in a trial, is what the search would say and
// do now.
// Cost: O(log answers) and the parts of the step; memory only until the next step.
class KeptAnswers {
 public:
  struct Kept {
    RoomStep step;                   // for which it was found
    Time waits_since = {};           // it
    bool given = false;              // room
    std::optional<Time> lapse = {};  // not given: from when on time alone gives it
    // Not given: as it stands.
    StandingRefusals::Number refusal = StandingRefusals::kNone;
    RoomAnswer answer = {};                     // given
    std::vector<state::Trial::Step> acts = {};  // given: what the search left in its trial
  };

  explicit KeptAnswers(const state::Cluster& cluster) : cluster_(cluster) {}

  void Clear() { kept_.clear(); }

  // Null: none is known. `steps`: so many have changed the state by now.
  const Kept* Find(const RoomStep& step, std::uint32_t steps);
  // In the place of one that does not serve all who ask the same.
  void Keep(const RoomStep& step, std::uint32_t steps, Kept kept);

  // Does in the trial what the search would do for the step, where an answer that gives room is
  // known and can be done again. REQUIRES: nothing has been done in the trial.
  std::optional<RoomAnswer> Redo(const RoomStep& step, std::uint32_t steps, state::Trial& trial);

 private:
  using Key = std::vector<std::uint64_t>;
  void DropOutdated(std::uint32_t steps);

  const state::Cluster& cluster_;
  std::map<Key, Kept> kept_;
  std::uint32_t after_ = 0;  // so many steps kept_ was found
};

}  // namespace fairlead::engine
