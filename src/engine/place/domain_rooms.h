#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "state/cluster.h"

namespace fairlead::engine {

class NodeClasses;

// How many pods of a shape each domain of a tree holds, now or later: kept by node and summed, for
// shapes that are asked about.
//
// A table follows the log of touched nodes from where it has read to; one that is too far behind,
// or of a shape whose demands hang on what is placed elsewhere, is made anew. Which tables are kept
// makes no difference to what is found.
// Cost: a node that changed: its own room and its path to the root, for every table that is asked
// for again; a new table O(nodes). Memory: 12 bytes a node and table, at most kMostNodes of them.
class DomainRooms {
 public:
  static constexpr std::size_t kMostNodes = std::size_t{1} << 23;

  struct Table {
    struct OfNode {
      state::DomainId leaf;
      std::int32_t pods = 0;
      bool busy = false;  // a pod of ours is there that asks what the shape does
    };
    std::vector<OfNode> nodes;       // by node
    std::vector<std::int64_t> pods;  // by domain
    std::vector<std::int32_t> busy;  // by domain: nodes that are
    std::uint64_t seen = 0, used = 0;

    std::int64_t PodsIn(state::DomainId d) const {
      return d.value() < pods.size() ? pods[d.value()] : 0;
    }
    // Has room, and nobody of ours uses any of it.
    bool IsWhollyFree(state::DomainId d) const { return PodsIn(d) > 0 && busy[d.value()] == 0; }
  };

  DomainRooms(const state::Cluster& cluster, NodeClasses& classes)
      : cluster_(cluster), classes_(classes) {}

  // As things stand. Good until the next call with another tree, shape or time that is new.
  const Table& Of(state::TreeId tree, state::ShapeId shape, state::When when) {
    return TableOf({tree, shape, when == state::When::kNow ? Held::kFreeNow : Held::kFreeLater});
  }
  // If all nodes were empty: an upper bound whoever leaves.
  const Table& WhenEmpty(state::TreeId tree, state::ShapeId shape) {
    return TableOf({tree, shape, Held::kWhenEmpty});
  }
  void Clear() { tables_.clear(); }

 private:
  enum class Held : std::uint8_t { kFreeNow, kFreeLater, kWhenEmpty };
  using Key = std::tuple<state::TreeId, state::ShapeId, Held>;
  const Table& TableOf(const Key& key);
  std::int64_t PodsOn(const Key& key, state::NodeId n) const;
  Table::OfNode Look(const Key& key, state::NodeId n) const;
  bool IsBusy(const state::Shape& shape, state::NodeId n, state::When when) const;
  void Refresh(const Key& key, Table& table, state::NodeId n) const;
  static void Add(const state::DomainTree& tree, Table& table, const Table::OfNode& of,
                  std::int64_t sign);
  void Fill(const Key& key, Table& table) const;
  void MakeRoomFor(std::uint32_t nodes);

  const state::Cluster& cluster_;
  NodeClasses& classes_;
  std::map<Key, Table> tables_;
  std::uint64_t uses_ = 0;
};

}  // namespace fairlead::engine
