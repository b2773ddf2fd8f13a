#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fairlead::objects {

// One value of a YAML or JSON document, with its place. A tree of views: it lives as long as the
// document it belongs to (a reader hands documents out one at a time and reuses the memory).
//
// Plain YAML scalars are resolved as kubectl does (YAML 1.1 booleans, null, numbers); quoted ones
// are strings. Anchors and aliases share nodes; the reader bounds what they would expand to.
class Value {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kSequence, kMapping };
  struct Member;

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  std::uint32_t line() const { return line_; }            // from 1
  std::string_view text() const { return text_; }         // of a scalar, unquoted and unescaped
  bool as_bool() const;                                   // REQUIRES: kind() == kBool
  const std::vector<const Value*>& items() const;         // REQUIRES: kSequence; else empty
  const std::vector<Member>& members() const;             // REQUIRES: kMapping; else empty
  const Value* Find(std::string_view key) const;          // null when absent, or explicitly null

 private:
  friend class DocumentBuilder;
  Kind kind_ = Kind::kNull;
  std::uint32_t line_ = 0;
  std::string_view text_;
  std::vector<const Value*> items_;
  std::vector<Member> members_;
};

struct Value::Member {
  std::string_view key;
  std::uint32_t line = 0;
  const Value* value = nullptr;
};

}  // namespace fairlead::objects
