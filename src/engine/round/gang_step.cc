#include "engine/round/gang_step.h"

#include <algorithm>

#include "engine/place/pod_indices.h"

namespace fairlead::engine {

using state::PodId;

namespace {

// The waiting pods of a set by name, or by index where that decides where they go, at most `most`,
// as parts by shape.
std::int64_t TakeWaiting(const state::Cluster& cluster, const state::Gang& gang,
                         std::uint16_t index, std::int64_t most, std::vector<GangPart>& parts) {
  const state::PodSet& set = gang.sets[index];
  std::vector<PodId> waiting;
  for (PodId p : set.pods) {
    if (cluster.pods()[p].waits()) waiting.push_back(p);
  }
  const auto count = static_cast<std::size_t>(std::min<std::int64_t>(most, std::ssize(waiting)));
  if (gang.topology.empty()) {
    std::partial_sort(
        waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count), waiting.end(),
        [&](PodId a, PodId b) { return cluster.pods().name(a) < cluster.pods().name(b); });
  } else {
    const std::vector<PodId> by_index = IndicesOf(cluster, set).InOrder();
    waiting.clear();
    std::ranges::copy_if(by_index, std::back_inserter(waiting),
                         [&](PodId p) { return cluster.pods()[p].waits(); });
  }
  waiting.resize(count);
  for (PodId p : waiting) {
    PartFor(parts, index, cluster.pods()[p].shape).pods.push_back(p);
  }
  std::int64_t left = most - static_cast<std::int64_t>(count);
  left = std::min(left, set.MissingExpected());
  if (left > 0) PartFor(parts, index, set.expected_shape).expected = left;
  return static_cast<std::int64_t>(count) + std::max<std::int64_t>(0, left);
}

// With those that claim room.
std::int64_t PlacedOf(const state::Cluster& cluster, const state::PodSet& set) {
  return std::count_if(set.pods.begin(), set.pods.end(),
                       [&](PodId p) { return cluster.pods()[p].counts(); });
}

// All that its minimum lacks, as far as it is there or is to come.
bool ReplacementStep(const state::Cluster& cluster, const state::Gang& gang, GangStep& step) {
  for (std::size_t i = 0; i < gang.sets.size(); ++i) {
    const state::PodSet& set = gang.sets[i];
    const std::int64_t lacks = set.min_count - PlacedOf(cluster, set) - set.succeeded;
    if (lacks > 0) TakeWaiting(cluster, gang, static_cast<std::uint16_t>(i), lacks, step.parts);
  }
  return !step.parts.empty();
}

// One pod: first of a set below its minimum (a replacement), then of any that is not full. Where
// pods are bound to those that run, all replacements at once: room made for one of them would be
// made in vain where there is none for the others.
bool StartedStep(const state::Cluster& cluster, const state::Gang& gang, GangStep& step) {
  if (std::ranges::any_of(gang.topology, &state::GangTopology::binds) &&
      ReplacementStep(cluster, gang, step)) {
    return true;
  }
  for (const bool above : {false, true}) {
    for (std::size_t i = 0; i < gang.sets.size(); ++i) {
      const state::PodSet& set = gang.sets[i];
      const std::int64_t have = PlacedOf(cluster, set) + set.succeeded;
      if (have >= (above ? set.count : set.min_count)) continue;
      if (TakeWaiting(cluster, gang, static_cast<std::uint16_t>(i), 1, step.parts) == 0) continue;
      step.above_minimum = above;
      return true;
    }
  }
  return false;
}

// All that its minimum still lacks, at once. None: pods are still to be made by somebody else.
bool StartStep(const state::Cluster& cluster, const state::Gang& gang, GangStep& step) {
  for (std::size_t i = 0; i < gang.sets.size(); ++i) {
    const state::PodSet& set = gang.sets[i];
    const std::int64_t lacks = set.min_count - PlacedOf(cluster, set) - set.succeeded;
    if (lacks <= 0) continue;
    if (TakeWaiting(cluster, gang, static_cast<std::uint16_t>(i), lacks, step.parts) < lacks) {
      return false;
    }
  }
  if (!step.parts.empty()) return true;
  // Where those that succeeded are enough, what is left comes one by one; not where the minimum is
  // only claimed room.
  const bool claimed = std::any_of(gang.sets.begin(), gang.sets.end(), [&](const auto& set) {
    return std::any_of(set.pods.begin(), set.pods.end(),
                       [&](PodId p) { return cluster.pods()[p].claims(); });
  });
  return !claimed && StartedStep(cluster, gang, step);
}

}  // namespace

bool HasPodsOfItsLastRun(const state::Cluster& cluster, const state::Gang& gang) {
  return gang.suspended && std::ranges::any_of(gang.sets, [&](const state::PodSet& set) {
           return std::ranges::any_of(set.pods, [&](PodId p) {
             return cluster.pods()[p].live() && !cluster.pods()[p].expected;
           });
         });
}

std::optional<GangStep> NextStepOf(const state::Cluster& cluster, state::WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  const state::Gang& gang = cluster.workloads().gang(w);
  if (!gang.known || !workload.open() || workload.is_moving || HasPodsOfItsLastRun(cluster, gang))
    return std::nullopt;
  GangStep step;
  const bool any =
      workload.started() ? StartedStep(cluster, gang, step) : StartStep(cluster, gang, step);
  if (!any) return std::nullopt;
  return step;
}

}  // namespace fairlead::engine
