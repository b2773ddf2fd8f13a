#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/cluster.h"

namespace fairlead::engine {

// For choices of nodes that depend on what a pod asks: for each shape, and now or later, the best
// node at the root of a tree over all nodes in which of every two the better goes up.
//
// Which trees are kept makes no difference to what is found: one that was dropped is built anew.
// Cost: a node that changed O(log n) and one judgement, for every shape that is asked about again;
// a tree O(n). Memory: 16 bytes a node and tree, at most kMostLeaves of them.
class ShapeOrders {
 public:
  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};
  static constexpr std::size_t kMostLeaves = std::size_t{1} << 23;

  void Clear();

  // Where in the log of touched nodes the tree of (s, when) stands; kAbsent: it has to be built.
  std::uint64_t SeenBy(state::ShapeId s, state::When when) const;

  // The best key once the nodes in `news` are judged again, of `size` in all; the tree then stands
  // at `seen`. judge(n): the node's key, smaller is better; kAbsent: it does not serve.
  template <typename Judge>
  std::uint64_t Follow(state::ShapeId s, state::When when, std::span<const state::NodeId> news,
                       std::uint64_t seen, Judge judge);
  template <typename Judge>
  std::uint64_t Build(state::ShapeId s, state::When when, std::uint32_t size, std::uint64_t seen,
                      Judge judge);

 private:
  struct Tree {
    std::uint64_t seen = 0, used = 0;
    std::size_t leaves = 0;
    std::vector<std::uint64_t> keys;  // the root at 1, the children of i at 2i and 2i + 1
    void Set(std::size_t leaf, std::uint64_t key);
  };
  static std::uint64_t IdOf(state::ShapeId s, state::When when) {
    return std::uint64_t{s.value()} * 2 + (when == state::When::kLater ? 1 : 0);
  }
  Tree& MakeRoomFor(std::uint64_t id, std::uint32_t size);

  boost::unordered_flat_map<std::uint64_t, Tree> trees_;
  std::size_t leaves_ = 0;
  std::uint64_t uses_ = 0;
  std::vector<std::uint32_t> judged_in_;  // by node: the last pass that judged it
  std::uint32_t pass_ = 0;
};

template <typename Judge>
std::uint64_t ShapeOrders::Follow(state::ShapeId s, state::When when,
                                  std::span<const state::NodeId> news, std::uint64_t seen,
                                  Judge judge) {
  Tree& tree = trees_.find(IdOf(s, when))->second;
  tree.used = ++uses_;
  tree.seen = seen;
  judged_in_.resize(std::max(judged_in_.size(), tree.leaves));
  ++pass_;
  for (const state::NodeId n : news) {
    if (n.value() >= tree.leaves) continue;  // only named: nodes that come clear all trees
    if (std::exchange(judged_in_[n.value()], pass_) != pass_) tree.Set(n.value(), judge(n));
  }
  return tree.keys[1];
}

template <typename Judge>
std::uint64_t ShapeOrders::Build(state::ShapeId s, state::When when, std::uint32_t size,
                                 std::uint64_t seen, Judge judge) {
  Tree& tree = MakeRoomFor(IdOf(s, when), size);
  tree.seen = seen;
  for (std::uint32_t i = 0; i < size; ++i) tree.keys[tree.leaves + i] = judge(state::NodeId(i));
  for (std::size_t i = tree.leaves - 1; i > 0; --i) {
    tree.keys[i] = std::min(tree.keys[2 * i], tree.keys[2 * i + 1]);
  }
  return tree.keys[1];
}

}  // namespace fairlead::engine
