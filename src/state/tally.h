#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "state/change.h"

// What is placed of a gang, counted pod by pod: for all who follow a cluster by the changes that
// its engine is given. Here alone it is said when a minimum is placed, and when a gang has
// succeeded; who keeps more of a pod set derives from TalliedSet.

namespace fairlead::state {

struct TalliedSet {
  std::int32_t count = 0, min_count = 0, admitted = 0, succeeded = 0;
  std::int32_t placed = 0;  // pods that IsPlaced
};

// On a node, neither finished nor on its way out.
inline bool IsPlaced(const PodChange& pod) {
  return pod.state == PodState::kBound && !pod.terminating;
}

// Whether so many pods are the minimum of a pod set, with those that ended well.
constexpr bool IsMinimum(std::int64_t placed, std::int64_t succeeded, std::int64_t min_count) {
  return placed + succeeded >= min_count;
}

// One pod of the set more, or fewer. A set that nobody asked for yet (its gang's object comes
// later) has no minimum.
template <typename Set>
Set& CountPod(std::vector<Set>& sets, std::int32_t set, std::int32_t sign) {
  const auto at = static_cast<std::size_t>(std::max(set, 0));
  if (at >= sets.size()) sets.resize(at + 1);
  sets[at].placed += sign;
  return sets[at];
}

// The gang asks for these sets from now on. Others go, where no pod of them is left.
template <typename Set>
void Ask(std::vector<Set>& sets, std::span<const PodSetChange> asked) {
  while (sets.size() > asked.size() && sets.back().placed == 0) sets.pop_back();
  sets.resize(std::max(sets.size(), asked.size()));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    sets[i].count = asked[i].count;
    sets[i].min_count = asked[i].min_count;
    sets[i].admitted = asked[i].admitted;
    sets[i].succeeded = asked[i].succeeded;
  }
}

template <typename Set>
std::int32_t PlacedOf(const std::vector<Set>& sets) {
  std::int32_t placed = 0;
  for (const Set& set : sets) placed += set.placed;
  return placed;
}

// Every set's minimum is placed, or has succeeded, and something is placed: the gang runs.
template <typename Set>
bool HasMinimum(const std::vector<Set>& sets) {
  return PlacedOf(sets) > 0 && std::ranges::all_of(sets, [](const Set& set) {
           return IsMinimum(set.placed, set.succeeded, set.min_count);
         });
}

// `sets` may be those of a WorkloadChange, too.
template <typename Set>
bool IsAdmitted(const std::vector<Set>& sets) {
  return std::ranges::any_of(sets, [](const Set& set) { return set.admitted > 0; });
}

// As many pods of every set as are admitted (asked, where nothing is admitted) have succeeded.
template <typename Set>
bool HasSucceeded(const std::vector<Set>& sets) {
  const bool admitted = IsAdmitted(sets);
  return !sets.empty() && std::ranges::all_of(sets, [admitted](const Set& set) {
    return set.succeeded >= (admitted ? set.admitted : set.count);
  });
}

}  // namespace fairlead::state
