// Nodes in groups that are the same to a shape's preferences, each in an order by placement.
//
// What speaks for a node has two parts. One changes with the node alone: its labels and taints, and
// what is counted in columns in which it has a domain for itself, such as host names. The other is
// counted in domains that it shares with other nodes, such as zones: a pod that comes changes it
// for all of them at once. So nodes are grouped by the first part as a number and by their domains
// of the second; what is counted there is looked up when somebody asks, once a group. A pod that is
// placed touches one node, which moves from one group to another at most, and no domain has to be
// walked.
//
// Worked: 5,000 nodes in 8 zones, a shape that prefers its own kind in the zone and not on the
// host. The first question finds 8 groups, by zone, all with no pods of the kind. Its pod goes to a
// node of z1, which moves to a ninth group (z1, one pod of the kind). The next question asks 9
// groups for their best node that fits, looks up how many of the kind are in each zone, and
// compares.

#include "engine/place/preference_orders.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "base/sorted_set.h"
#include "objects/key_writer.h"

namespace fairlead::engine {

using policy::RawPreference;
using state::ColumnId;
using state::NodeId;
using state::ShapeId;
using state::TermId;
using state::When;

void PreferenceOrders::Clear() {
  numbers_.clear();
  groupings_.clear();
  number_of_.clear();
  nodes_ = 0;
}

// Which groupings there are -----------------------------------------------------------------------

PreferenceOrders::Grouping PreferenceOrders::Make(ShapeId s, When when) const {
  const state::Shape& shape = cluster_.shapes()[s];
  Grouping made;
  made.like = s;
  made.axis = policy::AxisOf(shape);
  made.when = when;
  if (!shape.preferred) return made;
  const auto is_own = [&](TermId term) {
    const ColumnId column = cluster_.terms().ColumnOf(term);
    const bool own = cluster_.demands().columns().IsByNode(column);
    if (!own) made.columns.push_back(column);
    return own;
  };
  for (const state::Preferred::Pods& each : shape.preferred->pods) {
    if (!is_own(each.term)) continue;
    made.own.push_back(each);
    made.follows_favour |= each.weight > 0;
  }
  for (const TermId term : shape.preferred->spread) {
    if (is_own(term)) made.own_spread.push_back(term);
  }
  MakeSet(made.columns);
  return made;
}

// All that makes a difference to which nodes are in one group.
std::string PreferenceOrders::KeyOf(const Grouping& grouping) const {
  const state::Shape& shape = cluster_.shapes()[grouping.like];
  objects::KeyWriter key;
  key.Add(static_cast<std::int64_t>(grouping.axis));
  key.Add(grouping.when == When::kNow ? 0 : 1);
  if (shape.preferred) {
    key.Add(std::ssize(shape.preferred->nodes));
    for (const objects::Preferences::OfNodes& each : shape.preferred->nodes) {
      key.Add(each.weight);
      key.Add(each.term.labels);
      key.Add(each.term.fields);
    }
  }
  std::vector<objects::Toleration> tolerations;
  for (const objects::Toleration& each : shape.needs->tolerations) {
    if (each.effect.value_or(objects::TaintEffect::kPreferNoSchedule) ==
        objects::TaintEffect::kPreferNoSchedule) {
      tolerations.push_back(each);
    }
  }
  key.Add(tolerations);
  key.Add(std::ssize(grouping.columns));
  for (const ColumnId column : grouping.columns) key.Add(std::int64_t{column.value()});
  key.Add(std::ssize(grouping.own));
  for (const state::Preferred::Pods& each : grouping.own) {
    key.Add(std::int64_t{each.term.value()});
    key.Add(each.weight);
  }
  for (const TermId term : grouping.own_spread) key.Add(std::int64_t{term.value()});
  return key.Take();
}

// Whether the columns in which nodes share domains are the same as when it was made.
bool PreferenceOrders::IsSplitSo(const Grouping& grouping, const state::Shape& shape) const {
  if (!shape.preferred) return true;
  const auto is_so = [&](TermId term) {
    const ColumnId column = cluster_.terms().ColumnOf(term);
    const bool shared =
        std::binary_search(grouping.columns.begin(), grouping.columns.end(), column);
    return shared != cluster_.demands().columns().IsByNode(column);
  };
  return std::all_of(shape.preferred->pods.begin(), shape.preferred->pods.end(),
                     [&](const auto& each) { return is_so(each.term); }) &&
         std::all_of(shape.preferred->spread.begin(), shape.preferred->spread.end(), is_so);
}

// Those that were not asked for the longest make room.
void PreferenceOrders::MakeRoom(std::size_t nodes) {
  while (!groupings_.empty() && nodes_ + nodes > kMostNodes) {
    const auto oldest = std::min_element(
        groupings_.begin(), groupings_.end(),
        [](const auto& a, const auto& b) { return a.second->used < b.second->used; });
    nodes_ -= oldest->second->key_of.size();
    groupings_.erase(oldest);
  }
}

PreferenceOrders::Grouping& PreferenceOrders::Of(ShapeId s, When when) {
  const std::size_t at = std::size_t{s.value()} * 2 + (when == When::kLater ? 1 : 0);
  if (number_of_.size() <= at) number_of_.resize(std::size_t{cluster_.shapes().size()} * 2, 0);
  std::uint32_t& number = number_of_[at];
  auto found = number == 0 ? groupings_.end() : groupings_.find(number);
  if (found == groupings_.end() || !IsSplitSo(*found->second, cluster_.shapes()[s])) {
    Grouping fresh = Make(s, when);
    number = numbers_.try_emplace(KeyOf(fresh), static_cast<std::uint32_t>(numbers_.size() + 1))
                 .first->second;
    found = groupings_.find(number);
    if (found == groupings_.end()) {
      MakeRoom(cluster_.nodes().size());
      found = groupings_.emplace(number, std::make_unique<Grouping>(std::move(fresh))).first;
    }
  }
  Grouping& grouping = *found->second;
  grouping.used = ++uses_;
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  const bool others_favoured =
      grouping.follows_favour && grouping.favoured != cluster_.demands().favoured();
  if (!grouping.built || others_favoured || grouping.seen < touched.begin() ||
      (touched.end() - grouping.seen) * 4 > cluster_.nodes().size() + std::size_t{64}) {
    Build(grouping);
  } else {
    for (; grouping.seen < touched.end(); ++grouping.seen) {
      Refresh(grouping, touched[grouping.seen]);
    }
  }
  return grouping;
}

// Which node is in which group --------------------------------------------------------------------

RawPreference PreferenceOrders::FixedOf(const Grouping& grouping, NodeId n) const {
  RawPreference raw = policy::PreferenceOfNode(cluster_, cluster_.shapes()[grouping.like], n);
  const auto domain = [&](TermId term) {
    return cluster_.demands().columns().Of(cluster_.terms().ColumnOf(term), n);
  };
  for (const state::Preferred::Pods& each : grouping.own) {
    policy::AddPods(cluster_, each, domain(each.term), grouping.when, raw);
  }
  for (const TermId term : grouping.own_spread) {
    policy::AddSpread(cluster_, term, domain(term), raw);
  }
  return raw;
}

RawPreference PreferenceOrders::RawOf(const Grouping& grouping, const Group& group,
                                      const state::Shape& shape) const {
  RawPreference raw = group.fixed;
  if (grouping.columns.empty()) return raw;
  const auto place = [&](TermId term) {
    const ColumnId column = cluster_.terms().ColumnOf(term);
    return std::lower_bound(grouping.columns.begin(), grouping.columns.end(), column) -
           grouping.columns.begin();
  };
  const auto is_shared = [&](std::ptrdiff_t i, TermId term) {
    return i < std::ssize(grouping.columns) &&
           grouping.columns[static_cast<std::size_t>(i)] == cluster_.terms().ColumnOf(term);
  };
  for (const state::Preferred::Pods& each : shape.preferred->pods) {
    const std::ptrdiff_t i = place(each.term);
    if (!is_shared(i, each.term)) continue;
    policy::AddPods(cluster_, each, group.domains[static_cast<std::size_t>(i)], grouping.when, raw);
  }
  for (const TermId term : shape.preferred->spread) {
    const std::ptrdiff_t i = place(term);
    if (!is_shared(i, term)) continue;
    policy::AddSpread(cluster_, term, group.domains[static_cast<std::size_t>(i)], raw);
  }
  return raw;
}

std::uint32_t PreferenceOrders::GroupOf(Grouping& grouping, NodeId n) {
  const RawPreference fixed = FixedOf(grouping, n);
  scratch_.assign(fixed.of.begin(), fixed.of.end());
  scratch_.push_back(fixed.uncounted ? 1 : 0);
  for (const ColumnId column : grouping.columns) {
    const state::DomainId d = cluster_.demands().columns().Of(column, n);
    scratch_.push_back(d.valid() ? std::int64_t{d.value()} : -1);
  }
  const auto at = grouping.by_key.find(scratch_);
  if (at != grouping.by_key.end()) return at->second;
  std::uint32_t g = static_cast<std::uint32_t>(grouping.groups.size());
  if (grouping.unused.empty()) {
    grouping.groups.push_back(
        Group{.nodes = NodeBlocks(cluster_, classes_, grouping.when), .fixed = {}, .domains = {}});
  } else {
    g = grouping.unused.back();
    grouping.unused.pop_back();
  }
  Group& group = grouping.groups[g];
  group.fixed = fixed;
  group.domains.clear();
  for (const ColumnId column : grouping.columns) {
    group.domains.push_back(cluster_.demands().columns().Of(column, n));
  }
  grouping.by_key.emplace(scratch_, g);
  return g;
}

void PreferenceOrders::Build(Grouping& grouping) {
  const std::uint32_t size = cluster_.nodes().size();
  nodes_ += size;
  nodes_ -= grouping.key_of.size();
  grouping.groups.clear();
  grouping.unused.clear();
  grouping.by_key.clear();
  grouping.group_of.assign(size, 0);
  grouping.key_of.assign(size, kInNoOrder);
  std::vector<std::vector<NodeBlocks::Keyed>> members;
  for (std::uint32_t i = 0; i < size; ++i) {
    const NodeId n(i);
    grouping.key_of[i] = PlacementKey(cluster_, n, grouping.axis, grouping.when);
    if (grouping.key_of[i] == kInNoOrder) continue;
    const std::uint32_t g = GroupOf(grouping, n);
    grouping.group_of[i] = g;
    if (members.size() <= g) members.resize(g + std::size_t{1});
    members[g].emplace_back(grouping.key_of[i], n);
  }
  for (std::size_t g = 0; g < members.size(); ++g) {
    std::sort(members[g].begin(), members[g].end());
    grouping.groups[g].nodes.Assign(members[g]);
  }
  grouping.built = true;
  grouping.favoured = cluster_.demands().favoured();
  grouping.seen = cluster_.journal().touched.end();
}

void PreferenceOrders::Refresh(Grouping& grouping, NodeId n) {
  if (n.value() >= grouping.key_of.size()) {
    nodes_ += cluster_.nodes().size() - grouping.key_of.size();
    grouping.key_of.resize(cluster_.nodes().size(), kInNoOrder);
    grouping.group_of.resize(cluster_.nodes().size(), 0);
  }
  std::uint64_t& had = grouping.key_of[n.value()];
  std::uint32_t& was = grouping.group_of[n.value()];
  const std::uint64_t key = PlacementKey(cluster_, n, grouping.axis, grouping.when);
  const std::uint32_t g = key == kInNoOrder ? 0 : GroupOf(grouping, n);
  NodeBlocks* const from = had == kInNoOrder ? nullptr : &grouping.groups[was].nodes;
  MoveNode(n, from, had, key == kInNoOrder ? nullptr : &grouping.groups[g].nodes, key);
  if (from != nullptr && from->empty()) {
    std::erase_if(grouping.by_key, [&](const auto& each) { return each.second == was; });
    grouping.unused.push_back(was);
  }
  had = key;
  was = g;
}

}  // namespace fairlead::engine
