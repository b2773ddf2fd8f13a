#include "kube/query.h"

namespace fairlead::kube {

std::string Escaped(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      escaped += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    escaped += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return escaped;
}

Query& Query::Add(std::string_view key, std::string_view value) {
  if (value.empty()) return *this;
  text_ += text_.empty() ? '?' : '&';
  text_ += key;
  text_ += '=';
  text_ += Escaped(value);
  return *this;
}

}  // namespace fairlead::kube
