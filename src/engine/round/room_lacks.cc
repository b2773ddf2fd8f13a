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
                                           const std::vector<GangPart>& parts,
                                           bool needs_all) const {
  const auto& demands = cluster_.workloads().gang(gang).topology;
  std::vector<Lack> lacks;
  const auto add = [&](const Lack& lack) {
    if (std::ranges::find(lacks, lack) == lacks.end()) lacks.push_back(lack);
  };
  for (const GangPart& part : parts) {
    const auto demand = std::ranges::find_if(demands, [&](const state::GangTopology& each) {
      return each.required != state::GangTopology::kNoLevel && each.IsOf(part.pod_set);
    });
    if (!needs_all || demand == demands.end()) {
      add({.shape = part.shape, .tree = {}});
      continue;
    }
    Lack lack{.shape = part.shape, .tree = demand->tree, .level = demand->required, .pods = 0};
    for (const GangPart& other : parts) {
      if (other.shape == part.shape && demand->IsOf(other.pod_set)) lack.pods += other.count();
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
    waited_for_.push_back(at->second);
    const state::Shape& shape = cluster_.shapes()[lack.shape];
    lacking.others_seen = shape.dynamic->empty() ? 0 : policy::VersionOf(cluster_, shape);
  }
  AddWaiting(lacking.groups, g, waits);
}

void RoomLacks::Clear() {
  places_.clear();
  lacking_.clear();
  waited_for_.clear();
}

std::vector<GroupId> RoomLacks::TakeMet(const std::vector<NodeId>& touched, Placer& placer,
                                        state::When when) {
  std::vector<GroupId> met;
  std::erase_if(waited_for_, [&](std::uint32_t i) {
    if (!MightBeMet(lacking_[i], touched, placer, when)) return false;
    const std::vector<GroupId> groups = std::exchange(lacking_[i].groups, {});
    met.insert(met.end(), groups.begin(), groups.end());
    return true;
  });
  return met;
}

// Others of a gang may meet what it demands of them: only refusals are sure.
bool RoomLacks::MightBeMet(const Lacking& lacking, const std::vector<NodeId>& touched,
                           Placer& placer, state::When when) const {
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
  return std::any_of(touched.begin(), touched.end(), [&](NodeId n) {
    return placer.Fits(lack.shape, n, when, policy::Asked::kRefusals) &&
           (!lack.tree.valid() || domain_holds(n));
  });
}

}  // namespace fairlead::engine
