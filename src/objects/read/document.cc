#include "objects/read/document.h"

#include <algorithm>

#include "base/same_key.h"

namespace fairlead::objects {

std::uint32_t LineIndex::LineAt(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const char* text = text_.data();
  const auto lines = [](const char* begin, const char* end) {
    return static_cast<std::uint32_t>(std::count(begin, end, '\n'));
  };
  if (offset >= offset_) {
    line_ += lines(text + offset_, text + offset);
  } else if (offset > offset_ / 2) {
    line_ -= lines(text + offset, text + offset_);
  } else {
    line_ = first_line_ + lines(text, text + offset);
  }
  offset_ = offset;
  return line_;
}

const Value* Value::Find(std::string_view key) const {
  for (const Member& member : members()) {
    if (SameKey(member.key, key)) return member.value->is_null() ? nullptr : member.value;
  }
  return nullptr;
}

std::string Describe(const Value& value) {
  // Enough to recognise it by; a message is no place for a certificate.
  constexpr std::size_t kShown = 64;
  std::string text(value.text().substr(0, kShown));
  if (value.text().size() > kShown) text += "…";
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBool:
      return "boolean " + text;
    case Value::Kind::kNumber:
      return "number " + text;
    case Value::Kind::kString:
      return "\"" + text + "\"";
    case Value::Kind::kSequence:
      return "a list";
    case Value::Kind::kMapping:
      return "a mapping";
  }
  return "";
}

}  // namespace fairlead::objects
