#include "engine/place/shape_orders.h"

#include <bit>

namespace fairlead::engine {

void ShapeOrders::Clear() {
  trees_.clear();
  leaves_ = 0;
}

std::uint64_t ShapeOrders::SeenBy(state::ShapeId s, state::When when) const {
  const auto found = trees_.find(IdOf(s, when));
  return found == trees_.end() ? kAbsent : found->second.seen;
}

void ShapeOrders::Tree::Set(std::size_t leaf, std::uint64_t key) {
  std::size_t i = leaves + leaf;
  while (keys[i] != key) {
    keys[i] = key;
    if (i == 1) return;
    i /= 2;
    key = std::min(keys[2 * i], keys[2 * i + 1]);
  }
}

// Those that were not asked for the longest make room.
ShapeOrders::Tree& ShapeOrders::MakeRoomFor(std::uint64_t id, std::uint32_t size) {
  const std::size_t leaves = std::bit_ceil(std::max<std::size_t>(2, size));
  if (const auto old = trees_.find(id); old != trees_.end()) {
    leaves_ -= old->second.leaves;
    trees_.erase(old);
  }
  while (!trees_.empty() && leaves_ + leaves > kMostLeaves) {
    const auto oldest = std::min_element(
        trees_.begin(), trees_.end(),
        [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    leaves_ -= oldest->second.leaves;
    trees_.erase(oldest);
  }
  Tree& tree = trees_[id];
  tree.used = ++uses_;
  tree.leaves = leaves;
  tree.keys.assign(2 * leaves, kAbsent);
  leaves_ += leaves;
  return tree;
}

}  // namespace fairlead::engine
