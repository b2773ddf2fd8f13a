#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <boost/container/stable_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/place/placer.h"
#include "engine/room/room_step.h"
#include "engine/round/blocked_groups.h"
#include "engine/round/group.h"
#include "engine/round/groups_with_work.h"
#include "engine/round/room_lacks.h"
#include "state/cluster.h"

namespace fairlead::engine {

// The workload of which the group's next step is. REQUIRES: it has one, and was just asked for it.
state::WorkloadId NextOf(const state::Cluster& cluster, const Group& group);

// What a gang's next step asks of others. REQUIRES: the group is a gang's, and prepared.
RoomStep StepOfGang(const Group& group);

// All waiting work, in groups; which of it has to be looked at, and in which order within a queue.
class Backlog {
 public:
  explicit Backlog(const state::Cluster& cluster) : cluster_(cluster) {}

  Group& operator[](GroupId g) { return groups_[g.value()]; }
  const Group& operator[](GroupId g) const { return groups_[g.value()]; }

  // Takes up what changed about a workload: new pods, other traits, gone.
  void Refresh(state::WorkloadId w);
  // Those whose `wait` is not kNothing.
  const GroupsWithWork& with_work() const { return with_work_; }
  // Calls visit(group) for all that are to be tried in this round. REQUIRES: before the turns.
  template <typename Visit>
  void ForEachReady(Visit visit) {
    for (const state::QueueId q : ready_queues_) {
      for (const GroupId g : ready_[q.value()]) visit(g);
    }
  }
  // Whether any waits for room or a limit, or did when it was last asked for.
  bool AnyBlocked() const { return blocked_.any(); }
  // Works out the gang's next step anew. Returns whether there is one.
  bool PrepareGang(GroupId g);
  // The same beside the group; empty: there is none. REQUIRES: a gang's.
  std::optional<Group> NextStep(GroupId g) const;
  // Something may have happened to it since it was made ready: pods of a gang had to go, others of
  // its user's go first. Works its step out anew then. No: there is none any more.
  bool StillHasStep(GroupId g);

  // What the group's next step asks of others. REQUIRES: it has one.
  RoomStep StepOf(GroupId g);

  // The group's next pod, stale entries dropped; invalid when it is empty.
  state::PodId Head(GroupId g);
  void PopHead(GroupId g) {
    ++groups_[g.value()].head;
    SetWait(g, groups_[g.value()].wait);
  }

  // Whose limit stands in the way; neither: none does.
  struct Limit {
    state::QueueId queue;
    state::AccountId account;
    bool valid() const { return queue.valid() || account.valid(); }
  };
  // Until `lapse` at most.
  void Block(GroupId g, Group::Wait why, Limit limit, std::optional<Time> lapse = std::nullopt);
  void MakeReady(GroupId g);
  void WakeAll();
  // Whether most groups may be of nobody any more, and these more than `few`; and the same as
  // WakeAll, which lets go of them.
  bool IsStale(std::size_t few) const { return groups_.size() - unused_.size() > 2 * fresh_ + few; }
  void Sweep();
  // Those for whom there may be room on these nodes; and those whom others refuse, or do not
  // attract, for whom what is placed anywhere has changed since they had to wait. `whole`: gangs
  // only where all nodes hold as many pods as they lack, which nobody but they themselves and those
  // who have others leave for them could make a difference to.
  void WakeRoom(const std::vector<state::NodeId>& touched, Placer& placer, state::When when,
                bool whole = false);
  // Those whom a limit kept waiting, of a queue that has less or one above it, or of a user.
  void WakeQueues(const std::vector<state::Relief>& relieved);
  // Those whose moment has come; and the next such moment.
  void WakeLapsed(Time now);
  std::optional<Time> NextLapse();
  // Those that might be given room by others: asked again whenever something changed.
  void WakeAsking(const BlockedGroups::Asking& asking);

  // Between these two, groups are tried: the best ready group of a queue is on top, leaves by
  // PopReady and may come back by Continue. StartTrying drops what `can_start` refuses (and
  // blocks), and returns the queues that have any left. TakeWoken does the same with those that
  // were made ready meanwhile, and returns the queues that have got any.
  bool HasReady() const { return !ready_queues_.empty(); }
  std::vector<state::QueueId> StartTrying(const std::function<bool(GroupId)>& can_start);
  bool HasWoken() const { return !woken_.empty(); }
  std::vector<state::QueueId> TakeWoken(const std::function<bool(GroupId)>& can_start);
  void StopTrying();
  // REQUIRES: the group was tried just now.
  void Continue(GroupId g);
  GroupId TopReady(state::QueueId q) const;  // invalid when there is none
  void PopReady(state::QueueId q);

  GroupId GroupOfGang(state::WorkloadId w) const;
  // In which the workload is what is decided next; invalid: in none.
  GroupId GroupOf(state::WorkloadId w);
  // It is tried before its turn, outside of the turns: it stands in no list until it is continued
  // or made ready again.
  void TakeOut(GroupId g);

 private:
  struct SoloKey {
    std::uint32_t queue, shape, accounts;
    std::int32_t priority;
    bool preemptible, never_preempts, of_daemon_set;
    std::int64_t duration_us;  // kAnyDuration: does not matter
    bool operator==(const SoloKey&) const = default;
    friend std::size_t hash_value(const SoloKey& k) {  // NOLINT: Boost's name for it
      std::size_t h = k.queue;
      h = h * 0x9E3779B97F4A7C15ULL + k.shape;
      h = h * 0x9E3779B97F4A7C15ULL + k.accounts;
      h = h * 0x9E3779B97F4A7C15ULL + static_cast<std::uint32_t>(k.priority);
      const std::size_t switches =
          (k.preemptible ? 4U : 0U) + (k.never_preempts ? 2U : 0U) + (k.of_daemon_set ? 1U : 0U);
      h = h * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(k.duration_us);
      return (h * 8 + switches) * 0x9E3779B97F4A7C15ULL;
    }
  };
  static constexpr std::int64_t kAnyDuration = -1;
  GroupId NewGroup();
  // Whatever else of the group has changed is told by that, too.
  void SetWait(GroupId g, Group::Wait wait);
  GroupId GroupOfPod(state::PodId p);
  // Groups anew those of queues where it has come to matter, or not to, how long work runs.
  void RegroupByRunTime();
  void RefreshSolo(state::WorkloadId w);
  void RefreshGang(state::WorkloadId w);
  // How often in a pass a group is woken in vain before it is left to the next: one that every step
  // seems to help, and none does, costs a search each time.
  static constexpr std::uint32_t kOftenInVain = 8;
  void PushReady(GroupId g);
  // Whether a's next goes before b's: what a running gang's minimum lacks first, since the rest of
  // it holds its room in vain; priority, below-minimum first, creation, name.
  bool GoesFirst(GroupId a, GroupId b);

  const state::Cluster& cluster_;
  // Turns point to requests in it, and it grows.
  boost::container::stable_vector<Group> groups_;
  std::vector<GroupId> unused_;
  std::size_t fresh_ = 0;  // groups after the last sweep
  GroupsWithWork with_work_;
  boost::unordered_flat_map<SoloKey, GroupId, boost::hash<SoloKey>> solo_groups_;
  boost::unordered_flat_map<std::uint32_t, GroupId> gang_groups_;  // by workload
  struct Enqueued {
    GroupId group;
    std::uint32_t ticket = 0;
  };
  std::vector<Enqueued> enqueued_;  // by pod: its newest entry
  RoomLacks lacks_{cluster_};
  std::vector<std::vector<GroupId>> waiting_at_;   // by queue
  std::vector<std::vector<GroupId>> waiting_for_;  // by account
  std::vector<std::vector<GroupId>> ready_;        // by queue: heaps
  BlockedGroups blocked_{groups_};                 // wait for room or a limit
  std::set<std::pair<Time, GroupId>> lapses_;
  std::vector<state::QueueId> ready_queues_;
  std::vector<GroupId> woken_;  // made ready while others are tried
  std::vector<GroupId> late_;   // the same: left to the next pass
  std::uint32_t passes_ = 0;    // StartTrying so far
  bool trying_ = false;         // ready_ holds heaps
};

// The same of the group's next decision, its stale entries dropped. REQUIRES: it has work.
state::WorkloadId NextOf(const state::Cluster& cluster, Backlog& backlog, GroupId g);

}  // namespace fairlead::engine
