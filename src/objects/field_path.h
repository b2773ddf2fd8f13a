#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fairlead::objects {

// Where a field stands, from the object's root: "spec.runPolicy.suspend". Empty: nowhere.
//
//   metadata.annotations['a.b/c']     a name with dots in it
//   spec.parts[0].count               of one element of a list
//   spec.parts[*].count               of each element: the path stands for as many fields
class FieldPath {
 public:
  FieldPath() = default;
  // In a row of ours a path is written as its text. REQUIRES: it is one.
  FieldPath(const char* text);  // NOLINT(google-explicit-constructor)
  // Errors: not as above, with the place.
  static Result<FieldPath> Parse(std::string_view text);

  bool empty() const { return names_.empty(); }
  const std::string& text() const { return text_; }
  // An element of a list is "[0]" or "[*]".
  std::span<const std::string> names() const { return names_; }
  // The field itself. REQUIRES: not empty.
  const std::string& last() const { return names_.back(); }
  // The field of that name below this one.
  FieldPath operator/(std::string_view name) const;

  bool is_of_each() const { return each_.has_value(); }
  // The list of which it is of each element. REQUIRES: is_of_each.
  FieldPath List() const { return FieldPath(names().first(*each_)); }
  // The field of one element; itself where it is of no list's each.
  FieldPath Of(std::size_t element) const;

  bool operator==(const FieldPath&) const = default;

 private:
  explicit FieldPath(std::span<const std::string> names);

  std::string text_;
  std::vector<std::string> names_;
  std::optional<std::size_t> each_;  // where "[*]" stands among the names
};

// The number of "[0]"; absent: it is a name.
std::optional<std::size_t> ElementOf(std::string_view name);

}  // namespace fairlead::objects
