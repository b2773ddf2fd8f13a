#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "engine/place/node_blocks.h"
#include "engine/place/node_order.h"
#include "policy/placement.h"
#include "policy/preference.h"
#include "state/cluster.h"

namespace fairlead::engine {

// All nodes of an axis in groups: those of a group are the same to what a shape prefers, whatever
// is placed next, and stand in an order by placement. So a search looks at the best node of each
// group, and at no other.
//
// Shapes that prefer the same of the same columns share their groups. Which groups are kept makes
// no difference to what is found: those that were dropped are made anew.
// Cost: a node that was touched O(log n), for all groups that are asked about again; a grouping
// O(n log n) to make; a question O(groups). Memory: about 30 bytes a node and grouping, at most
// kMostNodes of them.
class PreferenceOrders {
 public:
  static constexpr std::size_t kMostNodes = std::size_t{1} << 21;

  PreferenceOrders(const state::Cluster& cluster, const NodeClasses& classes)
      : cluster_(cluster), classes_(classes) {}

  // Names, classes or the rows of nodes were made anew.
  void Clear();

  // look(nodes, raw) for each group, in no order: its nodes by placement, and what speaks for each
  // of them. REQUIRES: the shape's placement judges nodes alone (policy::DependsOnShape), and draws
  // none.
  template <typename Look>
  void ForEachGroup(state::ShapeId s, state::When when, Look look);

 private:
  struct Group {
    NodeBlocks nodes;
    policy::RawPreference fixed;           // of the node, and of columns that have one node each
    std::vector<state::DomainId> domains;  // by the grouping's columns
  };
  struct Grouping {
    state::ShapeId like;  // the first shape that it was made for
    policy::Axis axis = policy::Axis::kCpu;
    state::When when = state::When::kNow;
    std::vector<state::ColumnId> columns;     // in which nodes share domains; sorted
    std::vector<state::Preferred::Pods> own;  // of the others
    std::vector<state::TermId> own_spread;
    bool follows_favour = false;  // what its nodes hold depends on whom DemandCounts favours
    state::WorkloadId favoured;
    bool built = false;
    std::uint64_t seen = 0, used = 0;
    std::deque<Group> groups;  // a group without nodes is of no key
    std::vector<std::uint32_t> unused;
    std::map<std::vector<std::int64_t>, std::uint32_t> by_key;
    std::vector<std::uint32_t> group_of;  // by node
    std::vector<std::uint64_t> key_of;    // by node; kInNoOrder: in no group
  };

  Grouping& Of(state::ShapeId s, state::When when);
  std::string KeyOf(const Grouping& grouping) const;
  Grouping Make(state::ShapeId s, state::When when) const;
  bool IsSplitSo(const Grouping& grouping, const state::Shape& shape) const;
  void MakeRoom(std::size_t nodes);
  void Build(Grouping& grouping);
  void Refresh(Grouping& grouping, state::NodeId n);
  std::uint32_t GroupOf(Grouping& grouping, state::NodeId n);
  policy::RawPreference FixedOf(const Grouping& grouping, state::NodeId n) const;
  policy::RawPreference RawOf(const Grouping& grouping, const Group& group,
                              const state::Shape& shape) const;

  const state::Cluster& cluster_;
  const NodeClasses& classes_;
  NameMap<std::uint32_t> numbers_;  // by what they say
  boost::unordered_flat_map<std::uint32_t, std::unique_ptr<Grouping>> groupings_;  // by number
  std::vector<std::uint32_t> number_of_;  // by shape and when, one more than it is; 0: not known
  std::size_t nodes_ = 0;                 // in all groupings
  std::uint64_t uses_ = 0;
  std::vector<std::int64_t> scratch_;
};

template <typename Look>
void PreferenceOrders::ForEachGroup(state::ShapeId s, state::When when, Look look) {
  Grouping& grouping = Of(s, when);
  const state::Shape& shape = cluster_.shapes()[s];
  for (Group& group : grouping.groups) {
    if (!group.nodes.empty()) look(group.nodes, RawOf(grouping, group, shape));
  }
}

}  // namespace fairlead::engine
