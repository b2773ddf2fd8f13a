#include "objects/field_path.h"

namespace fairlead::objects {

FieldPath::FieldPath(std::string_view text) : text_(text) {
  while (!text.empty()) {
    const std::size_t dot = text.find('.');
    names_.emplace_back(text.substr(0, dot));
    text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  }
}

FieldPath FieldPath::operator/(std::string_view name) const {
  return empty() ? FieldPath(name) : FieldPath(text_ + "." + std::string(name));
}

}  // namespace fairlead::objects
