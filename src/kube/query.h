#pragma once

#include <string>
#include <string_view>

namespace fairlead::kube {

// `text` as it may stand in a path or a query: everything but letters, digits and -._~ escaped.
std::string Escaped(std::string_view text);

// Builds "?a=b&c=d"; fields without a value are left out.
class Query {
 public:
  Query& Add(std::string_view key, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace fairlead::kube
