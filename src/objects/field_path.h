#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::objects {

// Where a field stands, from the object's root: "spec.runPolicy.suspend". Empty: nowhere.
class FieldPath {
 public:
  FieldPath() = default;
  explicit FieldPath(std::string_view text);
  // In a row a path is written as its text.
  FieldPath(const char* text)  // NOLINT(google-explicit-constructor)
      : FieldPath(std::string_view(text)) {}

  bool empty() const { return names_.empty(); }
  const std::string& text() const { return text_; }
  std::span<const std::string> names() const { return names_; }
  // The field itself. REQUIRES: not empty.
  const std::string& last() const { return names_.back(); }
  // The field of that name below this one.
  FieldPath operator/(std::string_view name) const;

  bool operator==(const FieldPath&) const = default;

 private:
  std::string text_;
  std::vector<std::string> names_;
};

}  // namespace fairlead::objects
