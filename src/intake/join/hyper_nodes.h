#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intake/tables/marks.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/tables.h"
#include "objects/topology.h"

namespace fairlead::intake {

// A tier of HyperNodes as a level of a topology.
struct HyperTier {
  std::int32_t tier = 0;
  std::string key;                // of a label that no node can have: "volcano:/spine"
  std::string_view name() const;  // "spine"
  bool operator==(const HyperTier&) const = default;
};
// The key of the tier that is called so.
std::string KeyOfTier(std::string_view name);

// Volcano's HyperNodes: which of each tier every node is in, as labels that the engine is given
// with the node's own, so that tiers are levels like any others.
//
// - A level is called by the first tierName of its HyperNodes, by their names; without any
//   "tier-N". The highest tier is the widest level.
// - A node that is in several of one tier is in the first by name. Members of the own tier or a
//   higher one are none; nor are what a pattern that cannot be read selects.
//
// Cost: where a HyperNode or a node changed, all members of all of them; nothing without
// HyperNodes.
class HyperNodes {
 public:
  HyperNodes(Tables& tables, Marks& marks, const NodePool& pool)
      : tables_(tables), marks_(marks), pool_(pool) {}

  void Upsert(const objects::HyperNode& hyper_node);
  bool Remove(std::string_view name);
  // Finds anew who is in which, and marks the nodes for which that is another.
  void Spread();
  // Whether the tiers are others than at the last call.
  bool TakeTiersMoved() { return std::exchange(tiers_moved_, false); }
  const std::vector<HyperTier>& tiers() const { return tiers_; }  // widest first
  void AddLabels(std::string_view node, objects::SharedLabels& shared) const;

 private:
  using Members = std::vector<std::string_view>;  // names of nodes, sorted
  const Members& MembersOf(const objects::HyperNode& of,
                           std::map<std::string_view, Members>& known) const;
  void AddNodes(const objects::HyperNode::Member& member, Members& into) const;
  std::vector<const objects::HyperNode*> HyperNodesOf(
      const objects::HyperNode::Member& member) const;
  std::vector<HyperTier> FindTiers() const;
  void MarkMoved(const Tables::ByName<objects::Labels>& fresh);

  Tables& tables_;
  Marks& marks_;
  const NodePool& pool_;
  std::map<std::string, objects::HyperNode, std::less<>> objects_;
  std::vector<HyperTier> tiers_;
  Tables::ByName<objects::Labels> labels_;  // by node
  std::uint64_t seen_ = 0;                  // of the pool
  bool dirty_ = false, tiers_moved_ = false;
};

}  // namespace fairlead::intake
