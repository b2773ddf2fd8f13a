#include "engine/round/room_lacks.h"

#include <algorithm>

#include "policy/dynamic_demand.h"

namespace fairlead::engine {

using state::NodeId;

std::size_t RoomLacks::Hash::operator()(const Lack& lack) const {
  std::size_t h = lack.shape.value();
  h = h * 0x9E3779B97F4A7C15ULL + lack.tree.value();
  h = h * 0x9E3779B97F4A7C15ULL + static_cast<std::size_t>(lack.level);
  return (h * 0x9E3779B97F4A7C15ULL + static_cast<std::size_t>(lack.pods)) * 0x9E3779B97F4A7C15ULL;
}

std::vector<RoomLacks::Lack> RoomLacks::Of(state::WorkloadId gang,
                                           const std::vector<GangPart>& parts, bool needs_all,
                                           bool by_sum) const {
  const auto& demands = cluster_.workloads().gang(gang).topology;
  std::vector<Lack> lacks;
  const auto add = [&](const Lack& lack) {
    if (std::ranges::find(lacks, lack) == lacks.end()) lacks.push_back(lack);
  };
  for (const GangPart& part : parts) {
    const auto demand = std::ranges::find_if(demands, [&](const state::GangTopology& each) {
      return each.required != state::GangTopology::kNoLevel && each.IsOf(part.pod_set);
    });
    const bool near = needs_all && demand != demands.end();
    const bool plain = demands.empty() && cluster_.shapes()[part.shape].dynamic->empty();
    Lack lack{.shape = part.shape, .tree = {}};
    if (near) {
      lack.tree = demand->tree;
      lack.level = demand->required;
    }
    if (near || (needs_all && by_sum && plain)) {
      lack.pods = 0;
      for (const GangPart& other : parts) {
        const bool counts = other.shape == part.shape && (!near || demand->IsOf(other.pod_set));
        if (counts) lack.pods += other.count();
      }
    }
    add(lack);
  }
  return lacks;
}

void RoomLacks::Wait(const Lack& lack, GroupId g, const std::function<bool(GroupId)>& waits) {
  const auto [at, added] = places_.try_emplace(lack, static_cast<std::uint32_t>(lacking_.size()));
  if (added) lacking_.push_back({.lack = lack, .groups = {}});
  Lacking& lacking = lacking_[at->second];
  if (lacking.groups.empty()) {
    const state::Shape& shape = cluster_.shapes()[lack.shape];
    lacking.others_seen = shape.dynamic->empty() ? 0 : policy::VersionOf(cluster_, shape);
    waited_for_.push_back({.least = LeastFor(lacking), .lacking = at->second});
  }
  AddWaiting(lacking.groups, g, waits);
}

// Of whom others keep off, or attract, any node may be one that holds it by now.
std::array<std::int64_t, 3> RoomLacks::LeastFor(const Lacking& lacking) const {
  std::array<std::int64_t, 3> least;
  least.fill(kNothing);
  if (lacking.others_seen != 0) return least;
  for (const state::Amount& a : cluster_.shapes()[lacking.lack.shape].fit) {
    for (std::size_t i = 0; i < kCompared.size(); ++i) {
      if (a.resource == kCompared[i]) least[i] = a.amount;
    }
  }
  return least;
}

void RoomLacks::Clear() {
  places_.clear();
  lacking_.clear();
  waited_for_.clear();
}

std::vector<GroupId> RoomLacks::TakeMet(const std::vector<NodeId>& touched, Placer& placer,
                                        state::When when, bool whole) {
  std::vector<GroupId> met;
  std::array<std::int64_t, 3> most;
  most.fill(kNothing);
  for (const NodeId n : touched) {
    if (!cluster_.nodes().exists(n)) continue;
    const std::int64_t* room = cluster_.nodes().room(n, when);
    for (std::size_t i = 0; i < most.size(); ++i) {
      most[i] = std::max(most[i], room[kCompared[i].value()]);
    }
  }
  std::erase_if(waited_for_, [&](const WaitedFor& waited_for) {
    const std::array<std::int64_t, 3>& least = waited_for.least;
    if (least[0] > most[0] || least[1] > most[1] || least[2] > most[2]) return false;
    Lacking& lacking = lacking_[waited_for.lacking];
    if (!MightBeMet(lacking, touched, placer, when, whole)) return false;
    const std::vector<GroupId> groups = std::exchange(lacking.groups, {});
    met.insert(met.end(), groups.begin(), groups.end());
    return true;
  });
  return met;
}

// Others of a gang may meet what it demands of them: only refusals are sure.
bool RoomLacks::MightBeMet(const Lacking& lacking, const std::vector<NodeId>& touched,
                           Placer& placer, state::When when, bool whole) const {
  const Lack& lack = lacking.lack;
  const state::Shape& shape = cluster_.shapes()[lack.shape];
  const bool others_moved = lacking.others_seen != 0 && policy::DependsOnDomains(cluster_, shape) &&
                            lacking.others_seen != policy::VersionOf(cluster_, shape);
  if (others_moved) return placer.AnyFits(lack.shape, when, policy::Asked::kRefusals);
  const auto domain_holds = [&](NodeId n) {
    const state::DomainTree& tree = cluster_.trees()[lack.tree];
    return tree.LeafOf(n).valid() &&
           placer.domain_rooms().Of(lack.tree, lack.shape, when).PodsIn(tree.Of(n, lack.level)) >=
               lack.pods;
  };
  const bool holds_one = std::any_of(touched.begin(), touched.end(), [&](NodeId n) {
    return placer.Fits(lack.shape, n, when, policy::Asked::kRefusals) &&
           (!lack.tree.valid() || domain_holds(n));
  });
  const bool needs_more = whole && lack.pods > 1 && !lack.tree.valid();
  return holds_one && (!needs_more || placer.RoomFor(lack.shape, lack.pods, when) >= lack.pods);
}

}  // namespace fairlead::engine
