#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fairlead::objects {

// Memory that is handed out by moving a pointer, and taken back all at once down to a mark. Blocks
// are kept for the next use. What lies in it is never destroyed: only trivially destructible types.
class Arena {
 public:
  struct Mark {
    std::size_t block = 0;
    std::size_t used = 0;
  };

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised, aligned for any object of ours.
  template <typename T>
  T* Allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may well be a pointer.
    return reinterpret_cast<T*>(AllocateBytes(count * sizeof(T)));
  }
  std::string_view Copy(std::string_view text);

  Mark mark() const { return {.block = block_, .used = used_}; }
  // Takes back everything that was handed out since `mark`.
  void Rewind(Mark mark) {
    block_ = mark.block;
    used_ = mark.used;
  }

 private:
  static constexpr std::size_t kAlignment = 8;
  static constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  std::byte* AllocateBytes(std::size_t count) {
    count = (count + kAlignment - 1) & ~(kAlignment - 1);
    if (block_ >= blocks_.size() || blocks_[block_].size - used_ < count) NextBlock(count);
    std::byte* bytes = blocks_[block_].bytes.get() + used_;
    used_ += count;
    return bytes;
  }
  void NextBlock(std::size_t at_least);

  std::vector<Block> blocks_;
  std::size_t block_ = 0;  // the one in use; those behind it are free
  std::size_t used_ = 0;   // bytes of it
};

}  // namespace fairlead::objects
