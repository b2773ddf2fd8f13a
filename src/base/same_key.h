#pragma once

#include <string_view>

namespace fairlead {

// Whether two keys are the same, for searches among a few in which nearly all differ: in length or
// in their first letter, for which no more of them is read.
constexpr bool SameKey(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a.front() == b.front() && a == b));
}

}  // namespace fairlead
