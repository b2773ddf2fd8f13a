#include "kube/version.h"

#include <algorithm>

namespace fairlead::kube {
namespace {

bool IsVersion(std::string_view text) {
  return !text.empty() && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<int> CompareVersions(std::string_view a, std::string_view b) {
  if (!IsVersion(a) || !IsVersion(b)) return std::nullopt;
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

bool IsOlder(std::string_view a, std::string_view b) {
  return CompareVersions(a, b).value_or(0) < 0;
}

}  // namespace fairlead::kube
