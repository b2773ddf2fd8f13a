#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace fairlead {

// Sorts the items and keeps each once. O(n log n).
// REQUIRES: of two items that are not equal, `less` puts one before the other.
template <typename T, typename Less = std::less<>>
void MakeSet(std::vector<T>& items, Less less = {}) {
  std::sort(items.begin(), items.end(), less);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace fairlead
