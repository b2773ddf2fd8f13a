#include "engine/place/node_blocks.h"

#include <algorithm>

namespace fairlead::engine {

using state::NodeId;

std::size_t NodeBlocks::BlockOf(std::uint64_t key) const {
  const auto after = std::upper_bound(first_keys_.begin(), first_keys_.end(), key);
  return after == first_keys_.begin() ? 0
                                      : static_cast<std::size_t>(after - first_keys_.begin()) - 1;
}

std::uint32_t NodeBlocks::IndexOf(const Block& block, std::uint64_t key) {
  return static_cast<std::uint32_t>(std::lower_bound(block.keys, block.keys + block.size, key) -
                                    block.keys);
}

void NodeBlocks::Assign(const std::vector<Keyed>& all) {
  stride_ = cluster_.nodes().stride();
  blocks_.clear();
  first_keys_.clear();
  masks_.clear();
  maxima_.clear();
  for (const auto& [key, n] : all) {
    // Three quarters full, so that nodes can move without splits.
    if (blocks_.empty() || blocks_.back()->size == kBlock * 3 / 4) {
      blocks_.push_back(std::make_unique<Block>());
      first_keys_.push_back(key);
    }
    Block& block = *blocks_.back();
    block.keys[block.size] = key;
    block.nodes[block.size++] = n;
  }
  masks_.resize(blocks_.size());
  maxima_.resize(blocks_.size() * stride_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) Tighten(b);
}

void NodeBlocks::Note(NodeId n, std::uint64_t key) {
  const std::size_t b = BlockOf(key);
  Raise(b, n);
  blocks_[b]->tight = false;  // what it had more of may have been the most
}

void NodeBlocks::Raise(std::size_t b, NodeId n) {
  const std::int64_t* row = cluster_.nodes().room(n, when_);
  std::int64_t* most = &maxima_[b * stride_];
  for (std::uint32_t r = 0; r < stride_; ++r) most[r] = std::max(most[r], row[r]);
  masks_[b] |= classes_.ClassBit(n);
}

void NodeBlocks::Tighten(std::size_t b) {
  Block& block = *blocks_[b];
  std::int64_t* most = &maxima_[b * stride_];
  std::fill_n(most, stride_, 0);
  masks_[b] = 0;
  for (std::uint32_t i = 0; i < block.size; ++i) Raise(b, block.nodes[i]);
  block.tight = true;
}

void NodeBlocks::Insert(NodeId n, std::uint64_t key) {
  if (blocks_.empty()) {
    stride_ = cluster_.nodes().stride();
    blocks_.push_back(std::make_unique<Block>());
    first_keys_.push_back(key);
    masks_.push_back(0);
    maxima_.resize(stride_, 0);
  }
  std::size_t b = BlockOf(key);
  if (blocks_[b]->size == kBlock) {
    Split(b);
    b = BlockOf(key);
  }
  Block& block = *blocks_[b];
  const std::uint32_t at = IndexOf(block, key);
  std::copy_backward(block.keys + at, block.keys + block.size, block.keys + block.size + 1);
  std::copy_backward(block.nodes + at, block.nodes + block.size, block.nodes + block.size + 1);
  block.keys[at] = key;
  block.nodes[at] = n;
  ++block.size;
  first_keys_[b] = block.keys[0];
  Raise(b, n);
}

void NodeBlocks::Erase(std::uint64_t key) {
  const std::size_t b = BlockOf(key);
  Block& block = *blocks_[b];
  const std::uint32_t at = IndexOf(block, key);
  std::copy(block.keys + at + 1, block.keys + block.size, block.keys + at);
  std::copy(block.nodes + at + 1, block.nodes + block.size, block.nodes + at);
  --block.size;
  block.tight = false;
  if (block.size > 0) {
    first_keys_[b] = block.keys[0];
    return;
  }
  const auto i = static_cast<std::ptrdiff_t>(b);
  blocks_.erase(blocks_.begin() + i);
  first_keys_.erase(first_keys_.begin() + i);
  masks_.erase(masks_.begin() + i);
  maxima_.erase(maxima_.begin() + i * stride_, maxima_.begin() + (i + 1) * stride_);
}

void NodeBlocks::Split(std::size_t b) {
  auto upper = std::make_unique<Block>();
  Block& lower = *blocks_[b];
  upper->size = kBlock / 2;
  lower.size = kBlock / 2;
  std::copy_n(lower.keys + kBlock / 2, kBlock / 2, upper->keys);
  std::copy_n(lower.nodes + kBlock / 2, kBlock / 2, upper->nodes);
  const auto i = static_cast<std::ptrdiff_t>(b) + 1;
  first_keys_.insert(first_keys_.begin() + i, upper->keys[0]);
  blocks_.insert(blocks_.begin() + i, std::move(upper));
  masks_.insert(masks_.begin() + i, 0);
  maxima_.insert(maxima_.begin() + i * stride_, stride_, 0);
  Tighten(b);
  Tighten(b + 1);
}

}  // namespace fairlead::engine
