#pragma once

#include <algorithm>
#include <cstddef>

namespace fairlead {

// Between one that fails and one that serves, the first that does, where all behind one that serves
// do. Asks O(log (serves − fails)).
template <typename Number, typename Predicate>
Number Halve(Number fails, Number serves, Predicate predicate) {
  while (serves - fails > 1) {
    const Number middle = fails + (serves - fails) / 2;
    (predicate(middle) ? serves : fails) = middle;
  }
  return serves;
}

// The first of 1 … most that serves, where all behind it do; 0: none. Asks O(log first), and none
// beyond twice the first.
template <typename Predicate>
std::size_t FirstOf(std::size_t most, Predicate predicate) {
  if (most == 0) return 0;
  std::size_t fails = 0, serves = 1;
  while (!predicate(serves)) {
    if (serves == most) return 0;
    fails = serves;
    serves = std::min(serves * 2, most);
  }
  return Halve(fails, serves, predicate);
}

}  // namespace fairlead
