#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace fairlead::objects {

// A text with room behind it that may be read (simdjson reads whole registers).
class PaddedText {
 public:
  static constexpr std::size_t kPadding = 64;

  PaddedText() { Reserve(0); }
  explicit PaddedText(std::string_view text) { Append(text); }

  std::string_view view() const { return {data_.get(), size_}; }
  std::size_t size() const { return size_; }
  void Append(std::string_view text);
  void Clear() { size_ = 0; }  // keeps its memory

  // To fill in place: room for `count` bytes at the end, of which Grow() takes what was written.
  char* Room(std::size_t count);
  void Grow(std::size_t count);

 private:
  void Reserve(std::size_t capacity);

  struct Free {
    void operator()(char* data) const;
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace fairlead::objects
