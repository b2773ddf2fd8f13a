#pragma once

#include <optional>
#include <string_view>

namespace fairlead::kube {

// How two resourceVersions of one resource stand to each other: less, equal or greater than 0.
// Absent where they cannot be compared: Kubernetes says they are decimal numbers without leading
// zeros since 1.35, and some servers may have others. "" compares with nothing.
std::optional<int> CompareVersions(std::string_view a, std::string_view b);

// `a` is known to be older than `b`.
bool IsOlder(std::string_view a, std::string_view b);

}  // namespace fairlead::kube
