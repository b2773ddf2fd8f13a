#include "kube/framing.h"

#include <array>
#include <bit>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace fairlead::kube {
namespace {

// Bytes at which something may begin or end, outside of strings; within them only two do.
constexpr auto kStructure = [] {
  std::array<bool, 256> table{};
  for (const unsigned char c : {'{', '}', '[', ']', '"'}) table[c] = true;
  return table;
}();

const char* FindStructure(const char* at, const char* end) {
  while (at < end && !kStructure[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

const char* FindStringEnd(const char* at, const char* end) {
  while (at < end && *at != '"' && *at != '\\') ++at;
  return at;
}

constexpr int kItemsDepth = 2;  // {"items":[ — an element opens the third

constexpr std::ptrdiff_t kBlock = 64;

#ifdef __SSE2__
// Which of 64 bytes are what, a bit each.
struct BlockBits {
  std::uint64_t quotes = 0, backslashes = 0, opening = 0, closing = 0;
};

BlockBits BitsOf(const char* at) {
  BlockBits bits;
  const auto equal = [](__m128i part, char c) {
    const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8(c)));
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(mask));
  };
  for (int i = 0; i < 4; ++i) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at) + i);
    // '[' and '{', ']' and '}' differ in this bit only.
    const __m128i brackets = _mm_or_si128(part, _mm_set1_epi8(0x20));
    bits.quotes |= equal(part, '"') << (16 * i);
    bits.backslashes |= equal(part, '\\') << (16 * i);
    bits.opening |= equal(brackets, '{') << (16 * i);
    bits.closing |= equal(brackets, '}') << (16 * i);
  }
  return bits;
}

// Bit i: whether an odd number of the bits up to i is set. Of quotes: what is inside a string.
std::uint64_t PrefixXor(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}
#endif

}  // namespace

// Most of a list lies inside its elements, where only brackets outside of strings count: a block at
// a time, up to the bracket that ends the element, a block with an escape, or the last bytes.
const char* ListSplitter::SkipInside(const char* at, [[maybe_unused]] const char* end) {
#ifdef __SSE2__
  while (end - at >= kBlock && !escaped_) {
    const BlockBits bits = BitsOf(at);
    if (bits.backslashes != 0) return at;
    const std::uint64_t in_string = PrefixXor(bits.quotes) ^ (in_string_ ? ~std::uint64_t{0} : 0);
    for (std::uint64_t left = (bits.opening | bits.closing) & ~in_string; left != 0;
         left &= left - 1) {
      const std::uint64_t bit = left & -left;
      if ((bits.opening & bit) != 0) {
        ++depth_;
      } else if (depth_ == kItemsDepth + 1) {
        in_string_ = false;
        return at + std::countr_zero(bit);
      } else {
        --depth_;
      }
    }
    in_string_ = in_string >> 63 != 0;
    at += kBlock;
  }
#endif
  return at;
}

Fed LineSplitter::Feed(std::string_view bytes, const OnText& on_line) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() > kMaxObjectBytes) return Fed::kTooLarge;
    line_.Append(part);
    if (end == std::string_view::npos) return Fed::kMore;
    bytes.remove_prefix(end + 1);
    const bool blank = line_.view().find_first_not_of(" \t\r") == std::string_view::npos;
    const bool go_on = blank || on_line(line_);
    line_.Clear();
    if (!go_on) return Fed::kStopped;
  }
  return Fed::kMore;
}

void ListSplitter::Reset() {
  item_.Clear();
  rest_.clear();
  key_.clear();
  depth_ = 0;
  in_string_ = escaped_ = in_items_ = complete_ = false;
}

bool ListSplitter::AddToRest(std::string_view part) {
  if (rest_.size() + part.size() > kMaxObjectBytes) return false;
  rest_ += part;
  return true;
}

// A bracket outside of strings. `items` counts only as a key of the root, with a list under it.
void ListSplitter::TakeStructure(char c) {
  switch (c) {
    case '{':
    case '[':
      if (depth_ == 1 && c == '[' && key_ == "items") in_items_ = true;
      ++depth_;
      return;
    default:
      --depth_;
      if (depth_ < kItemsDepth) in_items_ = false;
      if (depth_ == 0) complete_ = true;
      return;
  }
}

// One pass over the bytes. What lies inside an element goes to item_, all else but the commas
// between elements to rest_; `from` is where the part that is not copied yet begins.
Fed ListSplitter::Feed(std::string_view bytes, const OnText& on_item) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  const char* from = at;
  const auto inside = [this] { return in_items_ && depth_ > kItemsDepth; };
  const auto flush = [&](const char* to) {
    const std::string_view part(from, static_cast<std::size_t>(to - from));
    from = to;
    if (inside()) {
      if (item_.size() + part.size() > kMaxObjectBytes) return false;
      item_.Append(part);
      return true;
    }
    if (in_items_) return true;  // commas and blanks
    return AddToRest(part);
  };
  while (at < end) {
    if (inside()) at = SkipInside(at, end);
    if (at == end) break;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
        ++at;
        continue;
      }
      const char* stop = FindStringEnd(at, end);
      if (depth_ == 1) key_.append(at, stop);
      at = stop;
      if (at == end) break;
      escaped_ = *at == '\\';
      in_string_ = escaped_;
      ++at;
      continue;
    }
    at = FindStructure(at, end);
    if (at == end) break;
    const char c = *at;
    if (c == '"') {
      in_string_ = true;
      if (depth_ == 1) key_.clear();
      ++at;
      continue;
    }
    const bool opens = c == '{' || c == '[';
    if (!opens && depth_ == 0) return Fed::kTooLarge;  // more closes than opened: no list
    const bool item_edge = in_items_ && depth_ == (opens ? kItemsDepth : kItemsDepth + 1);
    // What opens an element belongs to it; what ends the items belongs to the rest.
    const bool ends_items = !item_edge && in_items_ && depth_ == kItemsDepth;
    if (ends_items || (item_edge && opens)) from = at;
    ++at;
    if (item_edge && !opens) {
      if (!flush(at)) return Fed::kTooLarge;
      TakeStructure(c);
      const bool go_on = on_item(item_);
      item_.Clear();
      if (!go_on) return Fed::kStopped;
      continue;
    }
    const bool was_in_items = in_items_;
    TakeStructure(c);
    if (in_items_ && !was_in_items) {
      in_items_ = false;
      const bool fits = flush(at);
      in_items_ = true;
      if (!fits) return Fed::kTooLarge;
    }
  }
  return flush(end) ? Fed::kMore : Fed::kTooLarge;
}

}  // namespace fairlead::kube
