#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fairlead::objects {

// Finds the line of an offset in a text. It remembers where it was, so that asking in the order of
// the text costs one pass over it.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text, std::uint32_t first_line = 1)
      : text_(text), first_line_(first_line), line_(first_line) {}
  std::uint32_t LineAt(std::uint32_t offset) const;

 private:
  std::string_view text_;
  std::uint32_t first_line_;
  mutable std::uint32_t offset_ = 0;
  mutable std::uint32_t line_;
};

// One value of a YAML or JSON document, with its place. A tree of views: it lives as long as the
// document it belongs to (a reader hands documents out one at a time and reuses the memory).
//
// Plain YAML scalars are resolved as kubectl does (YAML 1.1 booleans, null, numbers); quoted ones
// are strings. Anchors and aliases share nodes; the reader bounds what they would expand to.
//
// Thread safety: one thread at a time, reading included.
class Value {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kSequence, kMapping };
  struct Member;

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  std::uint32_t line() const { return LineOf(place_, lines_); }  // from 1
  std::string_view text() const;                  // of a scalar, unquoted and unescaped; else empty
  bool as_bool() const { return truth_; }         // REQUIRES: kind() == kBool
  std::span<const Value* const> items() const;    // of a kSequence; else empty
  std::span<const Member> members() const;        // of a kMapping; else empty, in the input's order
  const Value* Find(std::string_view key) const;  // null when absent, or explicitly null

 private:
  friend class DocumentBuilder;
  static std::uint32_t LineOf(std::uint32_t place, const LineIndex* lines) {
    return lines == nullptr ? place : lines->LineAt(place);
  }

  Kind kind_ = Kind::kNull;
  bool truth_ = false;
  std::uint32_t size_ = 0;
  union Content {
    const char* text = nullptr;
    const Value* const* items;
    const Member* members;
  } content_;                         // by kind_
  const LineIndex* lines_ = nullptr;  // null: place_ is a line; else an offset
  std::uint32_t place_ = 0;
};

struct Value::Member {
  std::string_view key;
  const Value* value = nullptr;  // never null
  std::uint32_t place = 0;

  std::uint32_t line() const { return LineOf(place, value->lines_); }
};

inline std::string_view Value::text() const {
  return kind_ <= Kind::kString ? std::string_view(content_.text, size_) : std::string_view();
}

inline std::span<const Value* const> Value::items() const {
  return kind_ == Kind::kSequence ? std::span(content_.items, size_)
                                  : std::span<const Value* const>();
}

inline std::span<const Value::Member> Value::members() const {
  return kind_ == Kind::kMapping ? std::span(content_.members, size_) : std::span<const Member>();
}

// "a mapping", "number 5", "string \"x\"": what a message says was found.
std::string Describe(const Value& value);

}  // namespace fairlead::objects
