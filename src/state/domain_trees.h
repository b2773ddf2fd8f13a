#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/ids.h"
#include "state/nodes.h"

namespace fairlead::state {

// The nodes as a tree of nested domains, by the values of some labels, widest first (demands.md
// §7). A domain is its path: equal values under two parents are two domains. Nodes that lack the
// label of a level stand in an unnamed domain of their parent's, which is none of the level, so
// that all leaves are equally deep.
//
// Invariants: a domain stays once it is made, empty or not; its number is above its parent's. The
// children of one are sorted by value, the unnamed behind; a leaf's nodes by name.
class DomainTree {
 public:
  static constexpr std::int32_t kRoot = -1;  // level of the root: all nodes of the pool

  DomainTree(const NodeTable& nodes, std::vector<std::string> levels);

  struct Domain {
    DomainId parent;  // invalid: it is the root
    std::int32_t level = kRoot;
    bool named = true;
    std::string value;
    std::uint32_t nodes = 0;  // in it and below
    std::vector<DomainId> children;
    std::vector<NodeId> members;  // of a leaf
  };
  const std::vector<std::string>& levels() const { return levels_; }
  std::int32_t last_level() const { return static_cast<std::int32_t>(levels_.size()) - 1; }
  static constexpr DomainId Root() { return DomainId(0U); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(domains_.size()); }
  const Domain& operator[](DomainId d) const { return domains_[d.value()]; }

  // Of the last level; invalid: the node is not of the pool.
  DomainId LeafOf(NodeId n) const {
    return n.value() < leaf_of_.size() ? leaf_of_[n.value()] : DomainId();
  }
  // The one of the level that the node is in, named or not. REQUIRES: it is in a leaf.
  DomainId Of(NodeId n, std::int32_t level) const { return Above(LeafOf(n), level); }
  // Itself where it is of the level. REQUIRES: it is of no wider one.
  DomainId Above(DomainId d, std::int32_t level) const {
    while (domains_[d.value()].level > level) d = domains_[d.value()].parent;
    return d;
  }
  bool IsWithin(DomainId d, DomainId wide) const {
    return domains_[d.value()].level >= domains_[wide.value()].level &&
           Above(d, domains_[wide.value()].level) == wide;
  }
  // The one of the level, named or not, that all of the nodes are in; invalid: there are no nodes.
  // Absent: they are in several, or not of the pool.
  std::optional<DomainId> CommonOf(std::span<const NodeId> nodes, std::int32_t level) const;
  // Those of the level inside it that have nodes and a name, by their values; of the root's:
  // itself.
  std::vector<DomainId> Within(DomainId d, std::int32_t level) const;
  // All nodes in it, leaf by leaf, each leaf's by name.
  std::vector<NodeId> NodesIn(DomainId d) const;
  // "b1/r7": the values from the widest level on.
  std::string PathOf(DomainId d) const;

  // The node came, went, or is labelled otherwise.
  void Refresh(NodeId n);

 private:
  DomainId LeafFor(NodeId n);
  DomainId ChildOf(DomainId parent, const std::string* value);
  void Move(NodeId n, DomainId from, DomainId to);

  const NodeTable& nodes_;
  std::vector<std::string> levels_;
  std::vector<Domain> domains_;
  std::vector<DomainId> leaf_of_;  // by node
};

// One for each list of labels that some work names. They stay.
class DomainTrees {
 public:
  explicit DomainTrees(const NodeTable& nodes) : nodes_(nodes) {}

  // Cost: a tree that is new looks at all nodes.
  TreeId Intern(const std::vector<std::string>& levels);
  const DomainTree& operator[](TreeId t) const { return trees_[t.value()]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(trees_.size()); }
  void Refresh(NodeId n) {
    for (DomainTree& tree : trees_) tree.Refresh(n);
  }

 private:
  const NodeTable& nodes_;
  std::vector<DomainTree> trees_;
};

}  // namespace fairlead::state
