#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "state/cluster.h"

namespace fairlead::engine {

// Which of its set's pods each is, from 0 on (demands.md §7): what it says of itself counts where
// it is below the set's count and no other says the same; the others take what is left, by name.
struct PodIndices {
  std::vector<std::pair<state::PodId, std::int32_t>> of;  // by pod
  std::int32_t Of(state::PodId p) const;                  // REQUIRES: it is of the set
  std::vector<state::PodId> InOrder() const;
};
PodIndices IndicesOf(const state::Cluster& cluster, const state::PodSet& set);

}  // namespace fairlead::engine
