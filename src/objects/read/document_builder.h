#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "objects/read/arena.h"
#include "objects/read/document.h"

namespace fairlead::objects {

// Makes the values of one document, children first. Children of a collection that is not complete
// lie on a stack; completing it copies them from its mark upward into the arena:
//
//   const std::size_t mark = builder.MemberMark();
//   builder.AddMember(key, place, builder.Scalar(…));
//   const Value* mapping = builder.Mapping(mark, place);
//
// Places are lines, or offsets where `lines` is given.
class DocumentBuilder {
 public:
  DocumentBuilder(Arena& arena, const LineIndex* lines) : arena_(arena), lines_(lines) {}

  Arena& arena() { return arena_; }

  // `text` must outlive the document: part of the input, or Keep()t.
  const Value* Scalar(Value::Kind kind, std::string_view text, std::uint32_t place) {
    Value* value = New(kind, place);
    value->content_.text = text.data();
    value->size_ = static_cast<std::uint32_t>(text.size());
    return value;
  }
  const Value* Bool(bool truth, std::string_view text, std::uint32_t place);
  std::string_view Keep(std::string_view text) { return arena_.Copy(text); }

  std::size_t ItemMark() const { return items_.size(); }
  void AddItem(const Value* item) { items_.push_back(item); }
  const Value* Sequence(std::size_t mark, std::uint32_t place);

  std::size_t MemberMark() const { return members_.size(); }
  void AddMember(std::string_view key, std::uint32_t place, const Value* value) {
    members_.push_back({.key = key, .value = value, .place = place});
  }
  // The members that the unfinished mapping has so far.
  std::span<const Value::Member> MembersSince(std::size_t mark) const {
    return std::span(members_).subspan(mark);
  }
  void ReplaceMembers(std::size_t mark, std::span<const Value::Member> members);
  // The second member of some key of the unfinished mapping, and the first; nulls: keys are unique.
  struct Duplicate {
    const Value::Member* first = nullptr;
    const Value::Member* second = nullptr;
  };
  Duplicate FindDuplicate(std::size_t mark) const;
  const Value* Mapping(std::size_t mark, std::uint32_t place);

  // Drops what is unfinished, after a fault.
  void Clear();

 private:
  Value* New(Value::Kind kind, std::uint32_t place) {
    Value* value = new (arena_.Allocate<Value>(1)) Value();
    value->kind_ = kind;
    value->lines_ = lines_;
    value->place_ = place;
    return value;
  }

  Arena& arena_;
  const LineIndex* lines_;
  std::vector<const Value*> items_;
  std::vector<Value::Member> members_;
};

// What is wrong with a mapping that has `key` twice.
std::string DuplicateKeyMessage(std::string_view key, std::uint32_t first_line);

}  // namespace fairlead::objects
