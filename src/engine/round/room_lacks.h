#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/sorted_set.h"
#include "engine/place/placer.h"
#include "state/cluster.h"

namespace fairlead::engine {

using GroupId = Id<struct GroupTag>;

// One that is tried often leaves entries behind: those that wait no longer are dropped before the
// list grows.
template <typename Waits>
void AddWaiting(std::vector<GroupId>& groups, GroupId g, Waits waits) {
  if (groups.size() > 64 && groups.size() == groups.capacity()) {
    std::erase_if(groups, [&](GroupId w) { return !waits(w); });
    MakeSet(groups);
  }
  groups.push_back(g);
}

// Who waits for which room: so that a node that changed costs a question for each kind of lack, not
// for each of those who wait.
class RoomLacks {
 public:
  // Nodes for so many pods of the shape; or, where they are to be near each other, a domain of the
  // level for them.
  struct Lack {
    state::ShapeId shape;
    state::TreeId tree;  // invalid: any nodes
    std::int32_t level = 0;
    std::int64_t pods = 1;
    auto operator<=>(const Lack&) const = default;
  };
  explicit RoomLacks(const state::Cluster& cluster) : cluster_(cluster) {}

  // What a gang lacks for these parts: each of them is necessary. `needs_all`: it cannot start with
  // fewer pods. `by_sum`: and there is nothing to be found out by asking it where so many find
  // none.
  std::vector<Lack> Of(state::WorkloadId gang, const std::vector<GangPart>& parts, bool needs_all,
                       bool by_sum) const;
  // `waits`: whether a group that was added before still does.
  void Wait(const Lack& lack, GroupId g, const std::function<bool(GroupId)>& waits);
  // Those for whom there may be room on these nodes, and where `whole` is said on all nodes for as
  // many pods as they lack; and those whom others refuse, or do not attract, for whom what is
  // placed anywhere has changed since they had to wait.
  std::vector<GroupId> TakeMet(const std::vector<state::NodeId>& touched, Placer& placer,
                               state::When when, bool whole);
  void Clear();

 private:
  struct Lacking {
    Lack lack;
    std::vector<GroupId> groups;
    // What was placed when the first had to wait (policy::VersionOf); 0: it is no matter.
    std::uint64_t others_seen = 0;
  };
  struct Hash {
    std::size_t operator()(const Lack& lack) const;
  };
  // Of resources that most ask, what a node must have for it at the least: where no node that was
  // touched has that, nothing more is asked of it.
  struct WaitedFor {
    std::array<std::int64_t, 3> least;
    std::uint32_t lacking = 0;  // in `lacking_`
  };
  static constexpr std::array<state::ResourceId, 3> kCompared = {state::kCpu, state::kMemory,
                                                                 state::kGpuWhole};
  static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
  std::array<std::int64_t, 3> LeastFor(const Lacking& lacking) const;
  bool MightBeMet(const Lacking& lacking, const std::vector<state::NodeId>& touched, Placer& placer,
                  state::When when, bool whole) const;

  const state::Cluster& cluster_;
  boost::unordered_flat_map<Lack, std::uint32_t, Hash> places_;  // in …
  std::vector<Lacking> lacking_;                                 // … this
  std::vector<WaitedFor> waited_for_;                            // those of them with groups
};

}  // namespace fairlead::engine
