#include "objects/read/padded_text.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/check.h"

namespace fairlead::objects {

void PaddedText::Free::operator()(char* data) const { std::free(data); }

void PaddedText::Append(std::string_view text) {
  char* room = Room(text.size());
  if (!text.empty()) std::memcpy(room, text.data(), text.size());
  Grow(text.size());
}

char* PaddedText::Room(std::size_t count) {
  if (data_ == nullptr || capacity_ - size_ < count) {
    Reserve(std::max(size_ + count, capacity_ + capacity_ / 2));
  }
  return data_.get() + size_;
}

void PaddedText::Grow(std::size_t count) {
  size_ += count;
  std::memset(data_.get() + size_, 0, kPadding);
}

void PaddedText::Reserve(std::size_t capacity) {
  // realloc moves pages instead of bytes where the text is large.
  char* grown = static_cast<char*>(std::realloc(data_.release(), capacity + kPadding));
  CHECK(grown != nullptr);
  data_.reset(grown);
  capacity_ = capacity;
  std::memset(grown + size_, 0, kPadding);
}

}  // namespace fairlead::objects
