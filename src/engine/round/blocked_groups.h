#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <boost/container/stable_vector.hpp>

#include "engine/round/group.h"
#include "engine/round/room_lacks.h"
#include "state/ids.h"

namespace fairlead::engine {

// Groups that are blocked, by queue, so that whoever might ask others for room is found again. One
// that asks more of a resource than its queue's rights leave, and has nothing else to ask by, is
// not looked at until they leave so much.
//
// Invariant: of those that stand aside none asks less than it stands aside for.
// Cost of asking again: a look at each queue that has any; where anybody of it might ask, at each
// of its groups that does not stand aside. O(log n) to stand aside, and to do so no longer.
class BlockedGroups {
 public:
  using Groups = boost::container::stable_vector<Group>;
  explicit BlockedGroups(const Groups& groups) : groups_(groups) {}

  // Whether there are any, or were when they were last asked for.
  bool any() const { return !queues_.empty(); }
  // REQUIRES: it is blocked, and Changed was told so.
  void Add(GroupId g);
  // What it waits for, or asks, may be another by now; or it waits no longer, or in another queue.
  void Changed(GroupId g);
  void Clear();
  bool StandsAside(GroupId g) const {
    return g.value() < places_.size() && places_[g.value()].stands_aside();
  }

  // Who might be given room by others.
  struct Asking {
    // Whether any of the queue's, of that priority at most, might ask by another reason than a
    // right.
    std::function<bool(state::QueueId, std::int32_t highest)> anyhow;
    // At most so much does any right leave the queue, by resource.
    std::function<void(state::QueueId, std::vector<std::int64_t>& into)> left;
    // Whether there is anybody who could be asked by a right.
    std::function<bool(state::QueueId)> by_right;
    std::function<bool(GroupId)> may;
  };
  std::vector<GroupId> TakeAsking(const Asking& asking);

 private:
  static constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  // In one queue.
  struct OfQueue {
    std::vector<GroupId> groups;  // some of them may be blocked no longer
    std::size_t blocked = 0;      // of these
    // Those that stand aside, by how much of the resource they ask.
    std::map<state::ResourceId, std::set<std::pair<std::int64_t, GroupId>>> aside;
    // No priority of one that is blocked here and may preempt is higher.
    std::int32_t highest = kLowest;
    bool known = false;  // among `queues_`
    bool any() const { return blocked > 0 || !aside.empty(); }
  };
  // Where a group stands.
  struct Place {
    state::QueueId queue;  // in whose `groups` it is, or who stand aside; invalid: nowhere
    bool counts = false;   // in `blocked`
    state::Amount lack;    // for which it stands aside; of no resource: it does not
    bool stands_aside() const { return lack.resource.valid(); }
  };
  Place& PlaceOf(GroupId g);
  void List(GroupId g);
  void Leave(GroupId g);
  void Count(GroupId g, bool blocked);
  void LookAt(state::QueueId q, OfQueue& of, const Asking& asking, std::vector<GroupId>& asks);
  const state::Amount* LackOf(GroupId g) const;
  void StandAside(OfQueue& of, GroupId g, const state::Amount& lack);
  enum class Whom : std::uint8_t { kAll, kNoMoreThanLeft };  // stand aside for
  void CallBack(const OfQueue& of, Whom whom);
  static bool MayAnyAside(const OfQueue& of, const Asking& asking);

  const Groups& groups_;
  std::vector<Place> places_;           // by group
  std::vector<OfQueue> by_queue_;       // by queue
  std::vector<state::QueueId> queues_;  // with any
  std::vector<std::int64_t> left_;      // of the queue at hand
};

}  // namespace fairlead::engine
