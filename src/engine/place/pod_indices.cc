#include "engine/place/pod_indices.h"

#include <algorithm>

namespace fairlead::engine {

using state::PodId;

std::int32_t PodIndices::Of(PodId p) const {
  const auto at = std::lower_bound(
      of.begin(), of.end(), p, [](const auto& entry, PodId than) { return entry.first < than; });
  return at->second;
}

std::vector<PodId> PodIndices::InOrder() const {
  std::vector<std::pair<std::int32_t, PodId>> sorted;
  sorted.reserve(of.size());
  for (const auto& [p, index] : of) sorted.emplace_back(index, p);
  std::sort(sorted.begin(), sorted.end());
  std::vector<PodId> pods;
  pods.reserve(sorted.size());
  for (const auto& [index, p] : sorted) pods.push_back(p);
  return pods;
}

PodIndices IndicesOf(const state::Cluster& cluster, const state::PodSet& set) {
  const std::int32_t count = std::max(set.count, static_cast<std::int32_t>(set.pods.size()));
  std::vector<std::int32_t> said(static_cast<std::size_t>(count), 0);  // by how many
  const auto is_possible = [&](std::int32_t index) { return index >= 0 && index < count; };
  for (const PodId p : set.pods) {
    const std::int32_t index = cluster.pods().IndexSaidBy(p);
    if (is_possible(index)) ++said[static_cast<std::size_t>(index)];
  }
  PodIndices indices;
  std::vector<PodId> others;
  for (const PodId p : set.pods) {
    const std::int32_t index = cluster.pods().IndexSaidBy(p);
    const bool counts = is_possible(index) && said[static_cast<std::size_t>(index)] == 1;
    if (counts) {
      indices.of.emplace_back(p, index);
    } else {
      others.push_back(p);
    }
  }
  for (const auto& [p, index] : indices.of) said[static_cast<std::size_t>(index)] = -1;
  cluster.pods().SortByName(others);
  std::int32_t next = 0;
  for (const PodId p : others) {
    while (said[static_cast<std::size_t>(next)] == -1) ++next;
    indices.of.emplace_back(p, next++);
  }
  std::sort(indices.of.begin(), indices.of.end());
  return indices;
}

}  // namespace fairlead::engine
