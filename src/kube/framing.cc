#include "kube/framing.h"

#include <array>

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

}  // namespace

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
    if (item_edge && opens) {
      from = at;
    } else if (!item_edge && in_items_ && depth_ == kItemsDepth) {
      from = at;  // the bracket that ends the items belongs to the rest
    }
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
