// 1. Which pods: those of the step, by index. Pods that exist have theirs (pod_indices.h), those to
//    come take what is left.
// 2. Which domains may be: with pods of it running, those that they are in; else all of the level.
//    From the preferred level outwards to the required one, at most to all nodes.
// 3. Which holds them: by counts, a proof where pods of one shape take room alone. Of those that
//    do, the first by the order of choice; where counts are only a bound, the next if it fails.
// 4. Inside it: leaf by leaf, node by node, each filled before the next. Pods of several shapes, or
//    that demand something of each other, may fail so and still fit: then any arrangement inside
//    the domain serves (PlaceAnywhere).
//
// Worked: 8 pods of a GPU, required rack. Rack r1 has 6 free, r2 8 on three nodes, r3 9 on two. Two
// of them hold it; r3 needs fewer nodes. Pods 0 to 3 go to its first node by name, 4 to 7 to the
// next, if these have four each.

#include "engine/place/topology_gang.h"

#include <algorithm>
#include <utility>

#include "engine/place/pod_indices.h"
#include "policy/dynamic_demand.h"
#include "state/favour.h"

namespace fairlead::engine {

using state::DomainId;
using state::DomainTree;
using state::NodeId;
using state::PodId;
using state::ShapeId;

bool AsksTopology(const state::Cluster& cluster, state::WorkloadId w) {
  return !cluster.workloads()[w].solo() && !cluster.workloads().gang(w).topology.empty();
}

TopologyGang::TopologyGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                           const std::vector<GangPart>& parts, state::When when,
                           state::Trial& trial)
    : placer_(placer), cluster_(cluster), workload_(w), parts_(parts), when_(when), trial_(trial) {
  FindIndices();
}

// Indices -----------------------------------------------------------------------------------------

void TopologyGang::FindIndices() {
  of_parts_.resize(parts_.size());
  for (std::size_t s = 0; s < gang().sets.size(); ++s) {
    const state::PodSet& set = gang().sets[s];
    const PodIndices indices = IndicesOf(cluster_, set);
    std::vector<std::int32_t> taken;
    for (const auto& [p, index] : indices.of) taken.push_back(index);
    std::sort(taken.begin(), taken.end());
    std::int32_t next = 0;  // of those that no pod has
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const GangPart& part = parts_[k];
      if (part.pod_set != s) continue;
      for (const PodId p : part.pods) of_parts_[k].push_back(indices.Of(p));
      for (std::int64_t i = 0; i < part.expected; ++i) {
        while (std::binary_search(taken.begin(), taken.end(), next)) ++next;
        of_parts_[k].push_back(next++);
      }
    }
    of_pods_.push_back(indices.of);
  }
}

// Of the pods before it, in sets that come before its own.
std::int32_t TopologyGang::FirstIndexOf(const Demand& demand, std::uint16_t set) const {
  std::int32_t first = 0;
  for (const std::uint16_t each : demand.sets) {
    if (each == set) break;
    first += gang().sets[each].count;
  }
  return first;
}

std::vector<TopologyGang::Item> TopologyGang::ItemsOf(const Demand& demand) const {
  std::vector<Item> items;
  for (const std::uint16_t set : demand.sets) {
    const std::int32_t first = FirstIndexOf(demand, set);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (parts_[k].pod_set != set) continue;
      for (std::int64_t i = 0; i < parts_[k].count(); ++i) {
        items.push_back(
            {.part = k, .i = i, .index = first + of_parts_[k][static_cast<std::size_t>(i)]});
      }
    }
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.index < b.index; });
  return items;
}

// Which domains ----------------------------------------------------------------------------------

// Where its pods are that are placed already, once for each of them.
std::vector<NodeId> TopologyGang::RunsOn(const Demand& demand) const {
  std::vector<NodeId> nodes;
  for (const std::uint16_t set : demand.sets) {
    for (const PodId p : gang().sets[set].pods) {
      if (cluster_.pods()[p].counts()) nodes.push_back(cluster_.pods()[p].node);
    }
  }
  return nodes;
}

std::optional<DomainId> TopologyGang::HomeOf(const Demand& demand) const {
  const DomainTree& tree = cluster_.trees()[demand.tree];
  if (demand.required == Demand::kNoLevel) return DomainId();
  const std::optional<DomainId> home = tree.CommonOf(RunsOn(demand), demand.required);
  return home && home->valid() && !tree[*home].named ? std::nullopt : home;
}

// All of the level that may be looked at; where pods run, those that hold most of them first.
std::vector<DomainId> TopologyGang::DomainsAt(const Demand& demand, std::int32_t level) const {
  const DomainTree& tree = cluster_.trees()[demand.tree];
  const std::optional<DomainId> home = HomeOf(demand);
  if (!home) return {};
  const Reach* reach = placer_.classes().reach();
  const bool is_confined = reach != nullptr && reach->tree == demand.tree;
  const auto may_be = [&](DomainId d) {
    return (!home->valid() || tree.IsWithin(d, *home)) &&
           (!is_confined || tree.IsWithin(d, reach->domain));
  };
  std::vector<DomainId> domains;
  std::vector<std::pair<std::int64_t, DomainId>> of_running;
  for (const NodeId n : RunsOn(demand)) {
    if (!tree.LeafOf(n).valid()) continue;
    const DomainId d = tree.Of(n, level);
    if (!tree[d].named) continue;
    const auto at = std::ranges::find(of_running, d, [](const auto& each) { return each.second; });
    if (at != of_running.end()) {
      ++at->first;
    } else if (may_be(d)) {
      of_running.emplace_back(1, d);
    }
  }
  if (!of_running.empty()) {
    std::stable_sort(of_running.begin(), of_running.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : ComesBefore(tree, a.second, b.second);
    });
    for (const auto& [pods, d] : of_running) domains.push_back(d);
    return domains;
  }
  // A domain that is confined to is all of what is around it.
  if (is_confined && tree[reach->domain].level > level) {
    return may_be(reach->domain) ? std::vector{reach->domain} : domains;
  }
  domains = tree.Within(is_confined ? reach->domain : DomainTree::Root(), level);
  std::erase_if(domains, [&](DomainId d) { return !may_be(d); });
  return domains;
}

std::vector<DomainId> TopologyGang::WidestDomains(const Demand& demand) const {
  return DomainsAt(demand, std::max(demand.required, DomainTree::kRoot));
}

// Of each shape, the most pods first.
std::vector<std::pair<ShapeId, std::int64_t>> TopologyGang::CountsOf(
    const std::vector<Item>& items) const {
  std::vector<std::pair<ShapeId, std::int64_t>> counts;
  for (const Item& item : items) {
    const ShapeId shape = ShapeOf(item);
    const auto at = std::ranges::find(counts, shape, [](const auto& each) { return each.first; });
    if (at == counts.end()) {
      counts.emplace_back(shape, 1);
    } else {
      ++at->second;
    }
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return counts;
}

DomainPacking TopologyGang::Packing(const Demand& demand, const std::vector<Item>& items) {
  const std::vector<std::pair<ShapeId, std::int64_t>> counts = CountsOf(items);
  // Tables that are new may move others.
  for (const auto& [shape, pods] : counts) placer_.domain_rooms().Of(demand.tree, shape, when_);
  std::vector<DomainPacking::Load> loads;
  for (const auto& [shape, pods] : counts) {
    loads.push_back({.shape = shape,
                     .rooms = &placer_.domain_rooms().Of(demand.tree, shape, when_),
                     .pods = pods});
  }
  return {cluster_.trees()[demand.tree],
          std::move(loads),
          {.size = demand.slice_size, .level = demand.slice_level}};
}

// What is asked of its main shape in the end, where the rest may come later: of an elastic gang.
std::int64_t TopologyGang::AskedOf(const Demand& demand, const DomainPacking& packing) const {
  std::int64_t asked = packing.pods();
  if (!gang().elastic) return asked;
  const ShapeId shape = packing.shape();
  for (const std::uint16_t s : demand.sets) {
    const state::PodSet& set = gang().sets[s];
    const bool is_of_shape =
        set.expected_shape == shape ||
        std::ranges::any_of(set.pods, [&](PodId p) { return cluster_.pods()[p].shape == shape; });
    const std::int64_t placed =
        std::ranges::count_if(set.pods, [&](PodId p) { return cluster_.pods()[p].counts(); });
    std::int64_t in_step = 0;
    for (const GangPart& part : parts_) in_step += part.pod_set == s ? part.count() : 0;
    if (is_of_shape)
      asked += std::max<std::int64_t>(0, set.count - placed - set.succeeded - in_step);
  }
  return asked;
}

bool TopologyGang::MightEverFit() const {
  return std::ranges::all_of(gang().topology, [&](const Demand& demand) {
    const std::vector<std::pair<ShapeId, std::int64_t>> counts = CountsOf(ItemsOf(demand));
    return counts.empty() || std::ranges::any_of(WidestDomains(demand), [&](DomainId d) {
             return std::ranges::all_of(counts, [&](const auto& each) {
               return placer_.domain_rooms().WhenEmpty(demand.tree, each.first).PodsIn(d) >=
                      each.second;
             });
           });
  });
}

TopologyGang::Rooms TopologyGang::RoomsAt(const Demand& demand, std::int32_t level) {
  const DomainPacking packing = Packing(demand, ItemsOf(demand));
  Rooms rooms{.shape = packing.shape(), .wanted = packing.pods(), .domains = {}};
  for (const DomainId d : DomainsAt(demand, level)) {
    rooms.domains.push_back({.domain = d, .pods = packing.RoomIn(d)});
  }
  std::stable_sort(rooms.domains.begin(), rooms.domains.end(),
                   [](const auto& a, const auto& b) { return a.pods > b.pods; });
  return rooms;
}

bool TopologyGang::IsChosenBefore(const Demand& demand, DomainId a, DomainId b) {
  const DomainPacking packing = Packing(demand, ItemsOf(demand));
  std::vector<DomainId> both;
  for (const DomainId d : {a, b}) {
    if (packing.MightHold(d)) both.push_back(d);
  }
  packing.SortByChoice(both, AskedOf(demand, packing));
  return !both.empty() && both.front() == a;
}

bool TopologyGang::IsIdeal(const Demand& demand, DomainId d) {
  const DomainTree& tree = cluster_.trees()[demand.tree];
  const DomainPacking packing = Packing(demand, ItemsOf(demand));
  const std::int64_t pods = packing.pods();
  if (packing.RoomIn(d) != pods || AskedOf(demand, packing) != pods) return false;
  const DomainPacking::Use use = packing.Pack(d);
  if (use.broken > 0) return false;
  const DomainRooms::Table& empty = placer_.domain_rooms().WhenEmpty(demand.tree, packing.shape());
  std::vector<std::int64_t> roomiest(tree.levels().size(), 0);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const std::int32_t level = tree[DomainId(i)].level;
    if (level < 0) continue;
    std::int64_t& most = roomiest[static_cast<std::size_t>(level)];
    most = std::max(most, empty.PodsIn(DomainId(i)));
  }
  for (std::int32_t level = tree[d].level + 1; level <= tree.last_level(); ++level) {
    const auto l = static_cast<std::size_t>(level);
    if (use.domains[l] * roomiest[l] >= pods + roomiest[l]) return false;
  }
  return true;
}

TopologyGang::Candidates TopologyGang::CandidatesOf(const Demand& demand,
                                                    const std::vector<Item>& items) {
  Candidates candidates;
  const std::vector<Item> unbound = Unbound(demand, items);
  const DomainPacking packing = Packing(demand, unbound.empty() ? items : unbound);
  const bool runs = !RunsOn(demand).empty();
  const std::int32_t from =
      demand.preferred != Demand::kNoLevel ? demand.preferred : demand.required;
  for (std::int32_t level = from; level >= demand.required && level >= DomainTree::kRoot; --level) {
    std::vector<DomainId> domains = DomainsAt(demand, level);
    if (!unbound.empty()) {
      std::erase_if(domains, [&](DomainId d) { return !packing.MightHold(d); });
    }
    if (!runs) packing.SortByChoice(domains, AskedOf(demand, packing));
    if (!domains.empty()) candidates.push_back(std::move(domains));
  }
  return candidates;
}

// Placing ----------------------------------------------------------------------------------------

// Whether counts are the answer, and no arrangement has to be found.
bool TopologyGang::IsExact() const {
  return gang().asks_one_topology() && AreOfOneShape(parts_) &&
         cluster_.shapes()[parts_.front().shape].gpu_milli == 0 &&
         !DependOnDomains(cluster_, parts_) && MostVolumes(cluster_, parts_) == 0;
}

GangVerdict TopologyGang::Could() {
  const Demand& demand = gang().topology.front();
  const bool by_counts = IsExact() && (demand.slice_size <= 1 || RunsOn(demand).empty());
  if (!by_counts) return Run();
  const DomainPacking packing = Packing(demand, ItemsOf(demand));
  const bool holds =
      std::ranges::any_of(WidestDomains(demand), [&](DomainId d) { return packing.MightHold(d); });
  return holds ? GangVerdict::kPlaced : GangVerdict::kNoRoom;
}

GangVerdict TopologyGang::Run() {
  const bool favours = when_ == state::When::kLater && PreferPods(cluster_, parts_);
  const state::Favour favour(cluster_, favours ? workload_ : cluster_.demands().favoured());
  const std::span<const Demand> demands(gang().topology);
  const Demand* outer = gang().outer_topology();
  return outer != nullptr ? PlaceOuter(*outer, demands.subspan(1)) : PlaceEach(demands);
}

GangVerdict TopologyGang::PlaceOuter(const Demand& demand, std::span<const Demand> inner) {
  const Candidates candidates = CandidatesOf(demand, ItemsOf(demand));
  GangVerdict verdict = GangVerdict::kNoRoom;
  for (const std::vector<DomainId>& of_level : candidates) {
    for (const DomainId d : of_level) {
      const Confinement confinement(cluster_, placer_.classes(), demand.tree, d);
      if (PlaceEach(inner) == GangVerdict::kPlaced) return GangVerdict::kPlaced;
      verdict = GangVerdict::kNotFound;
    }
  }
  return verdict;
}

// One after the other, and then who asks nothing of the kind.
GangVerdict TopologyGang::PlaceEach(std::span<const Demand> demands) {
  const std::size_t mark = trial_.Mark();
  bool first = true;
  for (const Demand& demand : demands) {
    const GangVerdict verdict = PlaceOne(demand);
    if (verdict != GangVerdict::kPlaced) {
      trial_.UndoTo(mark);
      return first ? verdict : GangVerdict::kNotFound;
    }
    first = false;
  }
  const GangVerdict rest = PlaceRest(demands);
  if (rest == GangVerdict::kPlaced) return rest;
  trial_.UndoTo(mark);
  return GangVerdict::kNotFound;
}

GangVerdict TopologyGang::PlaceRest(std::span<const Demand> demands) {
  std::vector<GangPart> rest;
  for (const GangPart& part : parts_) {
    const bool is_placed = std::ranges::any_of(
        demands, [&](const Demand& demand) { return demand.IsOf(part.pod_set); });
    if (!is_placed) rest.push_back(part);
  }
  if (rest.empty()) return GangVerdict::kPlaced;
  return PlaceAnywhere(placer_, cluster_, workload_, rest, when_, trial_);
}

GangVerdict TopologyGang::PlaceOne(const Demand& demand) {
  const std::vector<Item> items = ItemsOf(demand);
  if (items.empty()) return GangVerdict::kPlaced;
  GangVerdict verdict = GangVerdict::kNoRoom;
  for (const std::vector<DomainId>& of_level : CandidatesOf(demand, items)) {
    for (const DomainId d : of_level) {
      const GangVerdict here = PlaceIn(demand, items, d);
      if (here == GangVerdict::kPlaced) return here;
      if (here == GangVerdict::kNotFound) verdict = here;
    }
  }
  return verdict;
}

GangVerdict TopologyGang::PlaceIn(const Demand& demand, const std::vector<Item>& items,
                                  DomainId d) {
  const std::size_t mark = trial_.Mark();
  if (demand.slice_size > 1 ? WalkSlices(demand, items, d) : Walk(demand, items, d)) {
    return GangVerdict::kPlaced;
  }
  trial_.UndoTo(mark);
  if (demand.slice_size > 1) return GangVerdict::kNotFound;
  const std::vector<GangPart> parts = PartsOf(demand, parts_);
  const Confinement confinement(cluster_, placer_.classes(), demand.tree, d);
  return PlaceAnywhere(placer_, cluster_, workload_, parts, when_, trial_);
}

bool TopologyGang::Walk(const Demand& demand, const std::vector<Item>& items, DomainId d) {
  const DomainTree& tree = cluster_.trees()[demand.tree];
  std::vector<NodeId> nodes;
  for (const DomainId leaf : Packing(demand, items).Pack(d).leaves) {
    nodes.insert(nodes.end(), tree[leaf].members.begin(), tree[leaf].members.end());
  }
  return PlaceItems(items, nodes);
}

// Each shape fills node after node; in the order of their indices.
bool TopologyGang::PlaceItems(std::span<const Item> items, std::span<const NodeId> nodes) {
  std::vector<std::pair<ShapeId, std::size_t>> next;  // the first node that may still take it
  for (const Item& item : items) {
    const ShapeId shape = ShapeOf(item);
    auto at = std::ranges::find(next, shape, [](const auto& each) { return each.first; });
    if (at == next.end()) at = next.insert(next.end(), {shape, 0});
    while (at->second < nodes.size() && !placer_.Fits(shape, nodes[at->second], when_))
      ++at->second;
    if (at->second == nodes.size()) return false;
    PutPod(trial_, workload_, parts_[item.part], item.i, nodes[at->second], when_,
           of_parts_[item.part][static_cast<std::size_t>(item.i)]);
  }
  return true;
}

// Slices -----------------------------------------------------------------------------------------

// Where those of the slice are that run; invalid: none do; absent: in several domains.
std::optional<DomainId> TopologyGang::HomeOfSlice(const Demand& demand, std::int32_t slice) const {
  std::vector<NodeId> nodes;
  for (const std::uint16_t set : demand.sets) {
    const std::int32_t first = FirstIndexOf(demand, set);
    for (const auto& [p, index] : of_pods_[set]) {
      const state::Pod& pod = cluster_.pods()[p];
      const bool is_of_slice = (first + index) / demand.slice_size == slice;
      if (is_of_slice && pod.counts()) nodes.push_back(pod.node);
    }
  }
  return cluster_.trees()[demand.tree].CommonOf(nodes, demand.slice_level);
}

// Those that may go to any domain of their slices' level: of the others' slices some run.
std::vector<TopologyGang::Item> TopologyGang::Unbound(const Demand& demand,
                                                      const std::vector<Item>& items) const {
  if (demand.slice_size <= 1 || RunsOn(demand).empty()) return items;
  std::vector<Item> unbound;
  std::int32_t known = -1;  // a slice
  bool is_unbound = false;
  for (const Item& item : items) {
    const std::int32_t slice = item.index / demand.slice_size;
    if (std::exchange(known, slice) != slice) {
      const std::optional<DomainId> home = HomeOfSlice(demand, slice);
      is_unbound = home && !home->valid();
    }
    if (is_unbound) unbound.push_back(item);
  }
  return unbound;
}

std::vector<TopologyGang::Slice> TopologyGang::SlicesOf(const Demand& demand) const {
  std::vector<Slice> slices;
  for (const Item& item : ItemsOf(demand)) {
    const std::int32_t number = item.index / demand.slice_size;
    if (slices.empty() || slices.back().number != number) {
      slices.push_back({.number = number, .home = HomeOfSlice(demand, number), .parts = {}});
    }
    const GangPart& of = parts_[item.part];
    GangPart& part = PartFor(slices.back().parts, of.pod_set, of.shape);
    if (item.i < std::ssize(of.pods)) {
      part.pods.push_back(of.pods[static_cast<std::size_t>(item.i)]);
    } else {
      ++part.expected;
    }
  }
  return slices;
}

// How many of the slice are not placed: all of them are to find room where the first does.
std::int64_t TopologyGang::MissingOf(const Demand& demand, std::int32_t slice) const {
  std::int64_t all = 0, placed = 0;
  for (const std::uint16_t set : demand.sets) {
    const std::int32_t first = FirstIndexOf(demand, set);
    all += gang().sets[set].count;
    for (const auto& [p, index] : of_pods_[set]) {
      const bool is_of_slice = (first + index) / demand.slice_size == slice;
      placed += is_of_slice && cluster_.pods()[p].counts() ? 1 : 0;
    }
  }
  const std::int64_t begin = std::int64_t{slice} * demand.slice_size;
  return std::clamp<std::int64_t>(all - begin, 0, demand.slice_size) - placed;
}

bool TopologyGang::WalkSlices(const Demand& demand, std::vector<Item> items, DomainId d) {
  const DomainTree& tree = cluster_.trees()[demand.tree];
  const auto slice_of = [&](const Item& item) { return item.index / demand.slice_size; };
  const auto end_of_slice = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < items.size() && slice_of(items[end]) == slice_of(items[begin])) ++end;
    return end;
  };
  const auto place_in = [&](std::span<const Item> slice, DomainId domain) {
    const std::size_t mark = trial_.Mark();
    if (PlaceItems(slice, tree.NodesIn(domain))) return true;
    trial_.UndoTo(mark);
    return false;
  };
  // Who has others of its slice running goes to them.
  std::vector<Item> free;
  for (std::size_t begin = 0; begin < items.size();) {
    const std::size_t end = end_of_slice(begin);
    const std::span<const Item> slice(items.data() + begin, end - begin);
    const std::optional<DomainId> home = HomeOfSlice(demand, slice_of(slice.front()));
    if (!home) return false;
    if (!home->valid()) {
      free.insert(free.end(), slice.begin(), slice.end());
    } else if (!tree.IsWithin(*home, d) || !place_in(slice, *home)) {
      return false;
    }
    begin = end;
  }
  items = std::move(free);
  if (items.empty()) return true;
  const DomainPacking packing = Packing(demand, items);
  const DomainPacking::Use use = packing.Pack(d);
  std::vector<DomainId> domains;  // of the slices' level, in the order in which they are filled
  for (const DomainId leaf : use.leaves) {
    const DomainId of = tree.Above(leaf, demand.slice_level);
    if (domains.empty() || domains.back() != of) domains.push_back(of);
  }
  // A short slice may fit beside whole ones.
  const std::vector<DomainId> all = tree.Within(d, demand.slice_level);
  std::size_t next = 0;
  for (std::size_t begin = 0; begin < items.size();) {
    const std::size_t end = end_of_slice(begin);
    const std::span<const Item> slice(items.data() + begin, end - begin);
    const std::int64_t missing = MissingOf(demand, slice_of(slice.front()));
    const auto holds = [&](DomainId of) {
      return missing == std::ssize(slice) || packing.RoomIn(of) >= missing;
    };
    while (next < domains.size() && !(holds(domains[next]) && place_in(slice, domains[next]))) {
      ++next;
    }
    const bool placed =
        next < domains.size() ||
        std::ranges::any_of(all, [&](DomainId of) { return holds(of) && place_in(slice, of); });
    if (!placed) return false;
    begin = end;
  }
  return true;
}

}  // namespace fairlead::engine
