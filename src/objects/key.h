#pragma once

#include <string>
#include <string_view>

namespace fairlead::objects {

// The parts of a key: "namespace/name", or "name" of a cluster-scoped object (Meta::Key).
struct KeyParts {
  std::string_view name_space;  // "" where the key has none
  std::string_view name;
};

inline std::string JoinKey(std::string_view name_space, std::string_view name) {
  std::string key(name_space);
  if (!key.empty()) key += '/';
  return key.append(name);
}

// Views of `key`.
inline KeyParts SplitKey(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {.name_space = {}, .name = key};
  return {.name_space = key.substr(0, slash), .name = key.substr(slash + 1)};
}

}  // namespace fairlead::objects
