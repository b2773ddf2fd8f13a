#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/number_set.h"
#include "engine/round/room_lacks.h"
#include "state/ids.h"

namespace fairlead::engine {

// Which groups have work waiting, or had when they were last asked for it: by number, and by queue.
// So that whoever looks at all of them looks at none that is over, however long it has been going.
class GroupsWithWork {
 public:
  // It has some in that queue; invalid: it has none. Anything else of it may have changed, too.
  void Note(GroupId g, state::QueueId queue) {
    if (places_.size() <= g.value()) places_.resize(g.value() + std::size_t{1});
    const state::QueueId was = places_[g.value()].queue;
    if (was != queue) {
      if (was.valid()) Leave(g);
      if (queue.valid()) Join(g, queue);
    }
    if (queue.valid()) ++of_[queue.value()].changes;
  }

  // Calls visit(group) for each, by number, until it returns true. Whether it did.
  template <typename Visit>
  bool Any(Visit visit) const {
    return all_.Any([&](std::uint32_t i) { return visit(GroupId(i)); });
  }
  // Calls visit(queue, groups) for each queue in which any are, by number; these in no order, and
  // good until anything is noted.
  template <typename Visit>
  void ForEachQueue(Visit visit) const {
    queues_.Any([&](std::uint32_t i) {
      visit(state::QueueId(i), std::span<const GroupId>(of_[i].groups));
      return false;
    });
  }
  // How often anything was noted of groups of the queue.
  std::uint64_t ChangesIn(state::QueueId q) const {
    return q.value() < of_.size() ? of_[q.value()].changes : 0;
  }

 private:
  struct OfQueue {
    std::vector<GroupId> groups;
    std::uint64_t changes = 0;
  };
  struct Place {
    state::QueueId queue;  // invalid: none
    std::uint32_t at = 0;  // among those of the queue
  };

  void Leave(GroupId g) {
    Place& place = places_[g.value()];
    OfQueue& of = of_[place.queue.value()];
    const GroupId last = of.groups.back();
    of.groups[place.at] = last;
    places_[last.value()].at = place.at;
    of.groups.pop_back();
    ++of.changes;
    if (of.groups.empty()) queues_.Drop(place.queue.value());
    place.queue = state::QueueId();
    all_.Drop(g.value());
  }
  void Join(GroupId g, state::QueueId queue) {
    if (of_.size() <= queue.value()) of_.resize(queue.value() + std::size_t{1});
    std::vector<GroupId>& groups = of_[queue.value()].groups;
    places_[g.value()] = {.queue = queue, .at = static_cast<std::uint32_t>(groups.size())};
    groups.push_back(g);
    queues_.Add(queue.value());
    all_.Add(g.value());
  }

  NumberSet all_;
  NumberSet queues_;           // with any
  std::vector<OfQueue> of_;    // by queue
  std::vector<Place> places_;  // by group
};

}  // namespace fairlead::engine
