#include "engine/place/domain_rooms.h"

#include <algorithm>
#include <limits>

#include "engine/place/placer.h"
#include "policy/dynamic_demand.h"

namespace fairlead::engine {

using state::DomainId;
using state::NodeId;
using state::ShapeId;
using state::TreeId;
using state::When;

// Whether a pod of ours stands there, or will, that asks a resource which the shape asks as well.
bool DomainRooms::IsBusy(const state::Shape& shape, NodeId n, When when) const {
  const auto asks_the_same = [&](const state::Shape& other) {
    return std::any_of(shape.request.begin(), shape.request.end(), [&](const state::Amount& a) {
      return a.resource != state::kPods && state::AmountOf(other.request, a.resource) > 0;
    });
  };
  const std::vector<state::PodId>& pods = cluster_.nodes().pods(n);
  return std::any_of(pods.begin(), pods.end(), [&](state::PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    const bool goes = when == When::kLater && pod.leaves();
    return !pod.foreign && !goes && asks_the_same(cluster_.shapes()[pod.shape]);
  });
}

std::int64_t DomainRooms::PodsOn(const Key& key, NodeId n) const {
  const auto& [tree, s, held] = key;
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.placeable || !cluster_.nodes().exists(n)) return 0;
  if (held == Held::kWhenEmpty) {
    return classes_.Suits(s, n) ? PodsWhenEmpty(cluster_, shape, n) : 0;
  }
  const When when = held == Held::kFreeNow ? When::kNow : When::kLater;
  const bool may = classes_.FitsAnywhere(s, n) &&
                   policy::OthersAllow(cluster_, shape, n, when, policy::Asked::kRefusals);
  return may ? PodsThatFit(cluster_, shape, n, when) : 0;
}

DomainRooms::Table::OfNode DomainRooms::Look(const Key& key, NodeId n) const {
  const auto& [tree, s, held] = key;
  Table::OfNode of{.leaf = cluster_.trees()[tree].LeafOf(n)};
  if (!of.leaf.valid()) return of;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  of.pods = static_cast<std::int32_t>(std::min(kMost, PodsOn(key, n)));
  of.busy = held != Held::kWhenEmpty &&
            IsBusy(cluster_.shapes()[s], n, held == Held::kFreeNow ? When::kNow : When::kLater);
  return of;
}

void DomainRooms::Add(const state::DomainTree& tree, Table& table, const Table::OfNode& of,
                      std::int64_t sign) {
  if (!of.leaf.valid() || (of.pods == 0 && !of.busy)) return;
  for (DomainId d = of.leaf; d.valid(); d = tree[d].parent) {
    table.pods[d.value()] += sign * of.pods;
    table.busy[d.value()] += of.busy ? static_cast<std::int32_t>(sign) : 0;
  }
}

void DomainRooms::Refresh(const Key& key, Table& table, NodeId n) const {
  const state::DomainTree& tree = cluster_.trees()[std::get<TreeId>(key)];
  if (table.nodes.size() <= n.value()) table.nodes.resize(cluster_.nodes().size());
  const Table::OfNode now = Look(key, n);
  Table::OfNode& had = table.nodes[n.value()];
  if (now.leaf == had.leaf && now.pods == had.pods && now.busy == had.busy) return;
  Add(tree, table, had, -1);
  Add(tree, table, now, +1);
  had = now;
}

void DomainRooms::Fill(const Key& key, Table& table) const {
  const state::DomainTree& tree = cluster_.trees()[std::get<TreeId>(key)];
  table.nodes.assign(cluster_.nodes().size(), {});
  table.pods.assign(tree.size(), 0);
  table.busy.assign(tree.size(), 0);
  for (std::uint32_t n = 0; n < cluster_.nodes().size(); ++n) {
    table.nodes[n] = Look(key, NodeId(n));
    const Table::OfNode& of = table.nodes[n];
    if (!of.leaf.valid()) continue;
    table.pods[of.leaf.value()] += of.pods;
    table.busy[of.leaf.value()] += of.busy ? 1 : 0;
  }
  // A domain's number is above its parent's.
  for (std::uint32_t d = tree.size(); d-- > 1;) {
    const DomainId parent = tree[DomainId(d)].parent;
    table.pods[parent.value()] += table.pods[d];
    table.busy[parent.value()] += table.busy[d];
  }
}

// The tables that were not asked for longest go.
void DomainRooms::MakeRoomFor(std::uint32_t nodes) {
  while (!tables_.empty() && (tables_.size() + 1) * nodes > kMostNodes) {
    tables_.erase(std::min_element(
        tables_.begin(), tables_.end(),
        [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
  }
}

const DomainRooms::Table& DomainRooms::TableOf(const Key& key) {
  const auto& [tree, shape, held] = key;
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  auto at = tables_.find(key);
  const bool known = at != tables_.end();
  if (!known) {
    MakeRoomFor(cluster_.nodes().size());
    at = tables_.try_emplace(key).first;
  }
  Table& table = at->second;
  table.used = ++uses_;
  const bool follow = known && table.seen >= touched.begin() &&
                      touched.end() - table.seen <= cluster_.nodes().size() + std::uint64_t{64} &&
                      !policy::DependsOnDomains(cluster_, cluster_.shapes()[shape]);
  if (!follow) {
    Fill(key, table);
  } else {
    const std::uint32_t domains = cluster_.trees()[tree].size();
    table.pods.resize(domains, 0);
    table.busy.resize(domains, 0);
    for (const NodeId n : touched.Since(table.seen)) Refresh(key, table, n);
  }
  table.seen = touched.end();
  return table;
}

}  // namespace fairlead::engine
