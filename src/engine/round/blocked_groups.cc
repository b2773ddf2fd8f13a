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
  const Place& place = PlaceOf(g);
  if (!place.listed && !place.aside_in.valid()) List(g);
}

void BlockedGroups::List(GroupId g) {
  const QueueId q = groups_[g.value()].queue;
  if (by_queue_.size() <= q.value()) by_queue_.resize(q.value() + std::size_t{1});
  OfQueue& of = by_queue_[q.value()];
  if (of.empty() && std::ranges::find(queues_, q) == queues_.end()) queues_.push_back(q);
  of.groups.push_back(g);
  PlaceOf(g).listed = true;
}

void BlockedGroups::Changed(GroupId g) {
  if (!StandsAside(g)) return;
  StepBack(g);
  if (groups_[g.value()].IsBlocked()) List(g);
}

void BlockedGroups::Clear() {
  for (const QueueId q : queues_) by_queue_[q.value()] = {};
  queues_.clear();
  places_.clear();
}

std::vector<GroupId> BlockedGroups::TakeAsking(const Asking& asking) {
  ListAnew();
  std::vector<GroupId> asks;
  for (const QueueId q : queues_) {
    OfQueue& of = by_queue_[q.value()];
    const bool anyhow = asking.anyhow(q, HighestIn(of));
    if (!anyhow) asking.left(q, left_);
    CallBack(of, anyhow ? Whom::kAll : Whom::kNoMoreThanLeft);
    DCHECK(!MayAnyAside(of, asking));
    if (of.groups.empty() || (!anyhow && !asking.by_right(q))) continue;
    std::erase_if(of.groups, [&](GroupId g) {
      if (asking.may(g)) {
        asks.push_back(g);
        return false;
      }
      const state::Amount* lack = anyhow ? nullptr : LackOf(g);
      if (lack != nullptr) StandAside(of, g, *lack);
      return lack != nullptr;
    });
  }
  std::erase_if(queues_, [this](QueueId q) { return by_queue_[q.value()].empty(); });
  return asks;
}

// Leaves out who waits no longer, and lists who does in another queue there.
void BlockedGroups::ListAnew() {
  std::vector<GroupId> moved;
  for (const QueueId q : queues_) {
    std::erase_if(by_queue_[q.value()].groups, [&](GroupId g) {
      const Group& group = groups_[g.value()];
      if (group.IsBlocked() && group.queue == q) return false;
      PlaceOf(g).listed = false;
      if (group.IsBlocked()) moved.push_back(g);
      return true;
    });
  }
  for (const GroupId g : moved) List(g);
}

// Of those that may preempt.
std::int32_t BlockedGroups::HighestIn(const OfQueue& of) const {
  std::int32_t highest = of.highest_aside;
  for (const GroupId g : of.groups) {
    const Group& group = groups_[g.value()];
    if (!group.never_preempts) highest = std::max(highest, group.priority);
  }
  return highest;
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
  const Group& group = groups_[g.value()];
  of.aside[lack.resource].emplace(lack.amount, g);
  if (!group.never_preempts) of.highest_aside = std::max(of.highest_aside, group.priority);
  PlaceOf(g) = {.aside_in = group.queue, .resource = lack.resource, .amount = lack.amount};
}

void BlockedGroups::StepBack(GroupId g) {
  const Place place = std::exchange(PlaceOf(g), {});
  OfQueue& of = by_queue_[place.aside_in.value()];
  const auto at = of.aside.find(place.resource);
  at->second.erase({place.amount, g});
  if (at->second.empty()) of.aside.erase(at);
  if (of.aside.empty()) of.highest_aside = kLowest;
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
    StepBack(g);
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
