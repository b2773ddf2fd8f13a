#include "objects/read/arena.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fairlead::objects {

std::string_view Arena::Copy(std::string_view text) {
  if (text.empty()) return {};
  char* copy = Allocate<char>(text.size());
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

void Arena::NextBlock(std::size_t at_least) {
  if (!blocks_.empty() && block_ < blocks_.size()) ++block_;
  used_ = 0;
  if (block_ < blocks_.size() && blocks_[block_].size >= at_least) return;
  // A larger one goes before the free ones, which stay for later.
  Block block{.bytes = nullptr, .size = std::max(kBlockBytes, at_least)};
  block.bytes.reset(new std::byte[block.size]);
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(block_), std::move(block));
}

}  // namespace fairlead::objects
