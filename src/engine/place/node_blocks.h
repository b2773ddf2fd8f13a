#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/place/node_classes.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Nodes from the best to the worst, by keys that say so, in blocks of up to 64. Each block knows
// the most that any of its nodes has free, by resource, and which classes it holds, so that a
// search passes over blocks that cannot serve and ends at the first node that can: the best.
//
// Invariants: keys ascend within and across blocks; a block's maxima are at least its nodes' free
// amounts (they are tightened when a search went through the block in vain).
// Cost: Insert, Erase and Note O(log n + block); First O(blocks passed + one block, typically).
class NodeBlocks {
 public:
  NodeBlocks(const state::Cluster& cluster, const NodeClasses& classes, state::When when)
      : cluster_(cluster), classes_(classes), when_(when) {}

  using Keyed = std::pair<std::uint64_t, state::NodeId>;
  // REQUIRES: ascending, no key twice.
  void Assign(const std::vector<Keyed>& all);
  void Insert(state::NodeId n, std::uint64_t key);
  void Erase(std::uint64_t key);
  // What the node has free, or its class, changed; its key did not.
  void Note(state::NodeId n, std::uint64_t key);
  bool empty() const { return blocks_.empty(); }

  // The first node with a key ≥ `from` that holds `fit`, is of a class in `mask` and is accepted.
  template <typename Accept>
  state::NodeId First(const state::Amounts& fit, std::uint64_t mask, std::uint64_t from,
                      Accept accept);

 private:
  static constexpr std::uint32_t kBlock = 64;
  struct Block {
    std::uint32_t size = 0;
    bool tight = false;  // its maxima are its nodes' own: to tighten them changes nothing
    std::uint64_t keys[kBlock];
    state::NodeId nodes[kBlock];
  };

  std::size_t BlockOf(std::uint64_t key) const;
  // The first place in the block with a key of at least `key`.
  static std::uint32_t IndexOf(const Block& block, std::uint64_t key);
  void Raise(std::size_t b, state::NodeId n);
  void Tighten(std::size_t b);
  void Split(std::size_t b);
  bool MayServe(std::size_t b, const state::Amounts& fit, std::uint64_t mask) const;

  const state::Cluster& cluster_;
  const NodeClasses& classes_;
  state::When when_;
  std::uint32_t stride_ = 0;  // of the rows when they were assigned
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::uint64_t> first_keys_;  // by block
  std::vector<std::uint64_t> masks_;       // by block
  std::vector<std::int64_t> maxima_;       // by block, a row each
};

inline bool NodeBlocks::MayServe(std::size_t b, const state::Amounts& fit,
                                 std::uint64_t mask) const {
  return (masks_[b] & mask) != 0 && state::Holds(&maxima_[b * stride_], fit);
}

template <typename Accept>
state::NodeId NodeBlocks::First(const state::Amounts& fit, std::uint64_t mask, std::uint64_t from,
                                Accept accept) {
  const std::size_t first = BlockOf(from);
  for (std::size_t b = first; b < blocks_.size(); ++b) {
    if (!MayServe(b, fit, mask)) continue;
    const Block& block = *blocks_[b];
    std::uint32_t i = b == first ? IndexOf(block, from) : 0;
    const bool whole = i == 0;
    for (; i < block.size; ++i) {
      const state::NodeId n = block.nodes[i];
      if (state::Holds(cluster_.nodes().room(n, when_), fit) && accept(n)) return n;
    }
    if (whole && !block.tight) Tighten(b);
  }
  return state::NodeId();
}

}  // namespace fairlead::engine
