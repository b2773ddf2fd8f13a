#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace fairlead {

// A text that is kept a million times, by several who know the same object, and read as a
// std::string_view: eight bytes, and one block of its length and its characters, which copies
// share. It is never changed, only replaced. Empty, it has no block.
// Thread safety: as of a std::shared_ptr; copies may be in different threads.
class Text {
 public:
  Text() = default;
  template <typename T>
    requires std::convertible_to<const T&, std::string_view> && (!std::same_as<T, Text>)
  Text(const T& text) : block_(Block::Make(text)) {}  // NOLINT: implicit, as std::string's
  Text(const Text& other) : block_(other.block_) {
    if (block_ != nullptr) block_->users.fetch_add(1, std::memory_order_relaxed);
  }
  Text(Text&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Text& operator=(Text other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Text() {
    if (block_ != nullptr && block_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      Block::Free(block_);
    }
  }

  std::string_view view() const { return block_ == nullptr ? std::string_view() : block_->view(); }
  operator std::string_view() const { return view(); }  // NOLINT: it is one
  bool empty() const { return block_ == nullptr; }

  template <typename T>
    requires std::convertible_to<const T&, std::string_view>
  friend bool operator==(const Text& a, const T& b) {
    return a.view() == std::string_view(b);
  }

 private:
  struct Block {
    std::atomic<std::uint32_t> users = 1;
    std::uint32_t size = 0;

    static Block* Make(std::string_view text) {
      if (text.empty()) return nullptr;
      auto* block = new (::operator new(sizeof(Block) + text.size())) Block();
      block->size = static_cast<std::uint32_t>(text.size());
      text.copy(block->characters(), text.size());
      return block;
    }
    static void Free(Block* block) {
      const std::size_t bytes = sizeof(Block) + block->size;
      std::destroy_at(block);
      ::operator delete(block, bytes);
    }
    char* characters() { return reinterpret_cast<char*>(this + 1); }
    std::string_view view() const { return {reinterpret_cast<const char*>(this + 1), size}; }
  };
  Block* block_ = nullptr;
};

}  // namespace fairlead
