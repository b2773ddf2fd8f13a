// Whom to look at again, of those that wait.
//
// Whenever anything changed, others may have come to give somebody room. Whether they might is a
// question of a few comparisons, but of each who waits, and there may be ten thousand. Nearly all
// hear no for the same reason, that their queue's rights leave less than they ask. So they stand
// aside, sorted by how much that is, until the queue has so much less, or may have so much more.
//
// Worked: a queue's share is 64 GPUs, and it has 60. Gangs of 8 and pods of 1 wait. The gangs are
// looked at once, and stand aside for 8 GPUs; the pods, one group, are looked at in each round. A
// pod of 4 ends: the share leaves 8, and the gangs are looked at again.

#include "engine/round/blocked_groups.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fairlead::engine {

using state::QueueId;
using state::ResourceId;

BlockedGroups::Place& BlockedGroups::PlaceOf(GroupId g) {
  if (places_.size() <= g.value()) places_.resize(groups_.size());
  return places_[g.value()];
}

void BlockedGroups::Add(GroupId g) {
  DCHECK(groups_[g.value()].IsBlocked());
  if (!PlaceOf(g).queue.valid()) List(g);
}

void BlockedGroups::Changed(GroupId g) {
  const Group& group = groups_[g.value()];
  const Place& place = PlaceOf(g);
  if (!place.queue.valid()) return;
  if (place.stands_aside() || place.queue != group.queue) {
    Leave(g);
    if (group.IsBlocked()) List(g);
  } else {
    Count(g, group.IsBlocked());
  }
}

void BlockedGroups::List(GroupId g) {
  const QueueId q = groups_[g.value()].queue;
  if (by_queue_.size() <= q.value()) by_queue_.resize(q.value() + std::size_t{1});
  OfQueue& of = by_queue_[q.value()];
  if (!std::exchange(of.known, true)) queues_.push_back(q);
  of.groups.push_back(g);
  PlaceOf(g) = {.queue = q};
  Count(g, true);
}

// Those who are listed leave in a walk over all of them: it is rare that work changes its queue.
void BlockedGroups::Leave(GroupId g) {
  Count(g, false);
  const Place place = std::exchange(PlaceOf(g), {});
  OfQueue& of = by_queue_[place.queue.value()];
  if (!place.stands_aside()) {
    std::erase(of.groups, g);
    return;
  }
  const auto at = of.aside.find(place.lack.resource);
  at->second.erase({place.lack.amount, g});
  if (at->second.empty()) of.aside.erase(at);
}

// Of one that is listed.
void BlockedGroups::Count(GroupId g, bool blocked) {
  const Group& group = groups_[g.value()];
  Place& place = PlaceOf(g);
  OfQueue& of = by_queue_[place.queue.value()];
  if (blocked && !group.never_preempts) of.highest = std::max(of.highest, group.priority);
  if (std::exchange(place.counts, blocked) == blocked) return;
  blocked ? ++of.blocked : --of.blocked;
}

void BlockedGroups::Clear() {
  for (const QueueId q : queues_) by_queue_[q.value()] = {};
  queues_.clear();
  places_.clear();
}

std::vector<GroupId> BlockedGroups::TakeAsking(const Asking& asking) {
  std::vector<GroupId> asks;
  std::erase_if(queues_, [&](QueueId q) {
    OfQueue& of = by_queue_[q.value()];
    if (of.any()) LookAt(q, of, asking, asks);
    if (of.any()) return false;
    for (const GroupId g : of.groups) PlaceOf(g) = {};
    of = {};
    return true;
  });
  return asks;
}

void BlockedGroups::LookAt(QueueId q, OfQueue& of, const Asking& asking,
                           std::vector<GroupId>& asks) {
  const bool anyhow = asking.anyhow(q, of.highest);
  if (!anyhow) asking.left(q, left_);
  CallBack(of, anyhow ? Whom::kAll : Whom::kNoMoreThanLeft);
  DCHECK(!MayAnyAside(of, asking));
  if (of.blocked == 0 || (!anyhow && !asking.by_right(q))) return;
  if (of.aside.empty()) of.highest = kLowest;
  std::erase_if(of.groups, [&](GroupId g) {
    if (!groups_[g.value()].IsBlocked()) {
      PlaceOf(g) = {};
      return true;
    }
    Count(g, true);
    if (asking.may(g)) {
      asks.push_back(g);
      return false;
    }
    const state::Amount* lack = anyhow ? nullptr : LackOf(g);
    if (lack != nullptr) StandAside(of, g, *lack);
    return lack != nullptr;
  });
}

// What it asks more of than is left; null: nothing, or it may start with fewer pods.
const state::Amount* BlockedGroups::LackOf(GroupId g) const {
  const Group& group = groups_[g.value()];
  if (group.wait == Group::Wait::kEither) return nullptr;
  const auto lack = std::ranges::find_if(
      group.request, [&](const state::Amount& a) { return a.amount > left_[a.resource.value()]; });
  return lack == group.request.end() ? nullptr : &*lack;
}

void BlockedGroups::StandAside(OfQueue& of, GroupId g, const state::Amount& lack) {
  Count(g, false);
  of.aside[lack.resource].emplace(lack.amount, g);
  PlaceOf(g).lack = lack;
}

void BlockedGroups::CallBack(const OfQueue& of, Whom whom) {
  std::vector<GroupId> back;
  for (const auto& [resource, aside] : of.aside) {
    for (const auto& [amount, g] : aside) {
      if (whom == Whom::kNoMoreThanLeft && amount > left_[resource.value()]) break;
      back.push_back(g);
    }
  }
  for (const GroupId g : back) {
    Leave(g);
    List(g);
  }
}

bool BlockedGroups::MayAnyAside(const OfQueue& of, const Asking& asking) {
  for (const auto& [resource, aside] : of.aside) {
    const auto may = [&](const auto& each) { return asking.may(each.second); };
    if (std::ranges::any_of(aside, may)) return true;
  }
  return false;
}

}  // namespace fairlead::engine
