#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace fairlead {

// A text that is kept a million times and read as a std::string_view: eight bytes, and one block of
// its length and its characters. Empty, it has no block.
class Text {
 public:
  Text() = default;
  explicit Text(std::string_view text) : block_(BlockOf(text)) {}
  Text& operator=(std::string_view text) {
    block_ = BlockOf(text);
    return *this;
  }

  std::string_view view() const {
    if (block_ == nullptr) return {};
    std::uint32_t size = 0;
    std::memcpy(&size, block_.get(), sizeof size);
    return {block_.get() + sizeof size, size};
  }
  operator std::string_view() const { return view(); }  // NOLINT: it is one
  bool empty() const { return block_ == nullptr; }

 private:
  static std::unique_ptr<char[]> BlockOf(std::string_view text) {
    if (text.empty()) return nullptr;
    const auto size = static_cast<std::uint32_t>(text.size());
    std::unique_ptr<char[]> block(new char[sizeof size + size]);
    std::memcpy(block.get(), &size, sizeof size);
    std::memcpy(block.get() + sizeof size, text.data(), size);
    return block;
  }
  std::unique_ptr<char[]> block_;
};

}  // namespace fairlead
