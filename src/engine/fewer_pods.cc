#include "engine/fewer_pods.h"

#include <algorithm>
#include <utility>

#include "policy/limits.h"
#include "state/trial.h"

namespace fairlead::engine {
namespace {

// Calls `take(part, pods)` with how many of each part's pods are among the first `counts`.
template <typename Take>
void ForEachPart(const std::vector<GangPart>& parts, const std::vector<state::PodSet>& sets,
                 const std::vector<std::int32_t>& counts, Take take) {
  std::size_t set = sets.size();
  std::int64_t left = 0;
  for (const GangPart& part : parts) {
    if (part.pod_set != set) {
      set = part.pod_set;
      left = std::int64_t{counts[set]} - sets[set].succeeded;
    }
    const std::int64_t pods = std::clamp<std::int64_t>(left, 0, part.count());
    left -= pods;
    if (pods > 0) take(part, pods);
  }
}

}  // namespace

FewerPods::FewerPods(state::Cluster& cluster, Placer& placer, const RoomStep& whole,
                     std::function<bool(const RoomStep&)> by_victims)
    : cluster_(cluster),
      placer_(placer),
      whole_(whole),
      by_victims_(std::move(by_victims)),
      sets_(cluster.workloads().gang(whole.workload).sets) {
  for (const state::PodSet& set : sets_) {
    ranges_.push_back({.count = set.asked, .min_count = std::min(set.min_asked, set.asked)});
  }
}

// What bounds every count: the room for each shape by itself, and what is free of each resource.
void FewerPods::Measure() {
  for (const GangPart& part : whole_.parts) {
    auto at = std::find_if(shapes_.begin(), shapes_.end(),
                           [&](const ShapeRoom& room) { return room.shape == part.shape; });
    if (at == shapes_.end()) at = shapes_.insert(at, {.shape = part.shape});
    at->wanted += part.count();
  }
  for (ShapeRoom& shape : shapes_) shape.room = placer_.RoomFor(shape.shape, shape.wanted);
  const state::NodeTable& nodes = cluster_.nodes();
  free_.assign(nodes.stride(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t* free = nodes.free(state::NodeId(i));
    for (std::uint32_t r = 0; r < nodes.stride(); ++r) {
      free_[r] += std::max<std::int64_t>(0, free[r]);
    }
  }
}

RoomStep FewerPods::StepWith(const std::vector<std::int32_t>& counts) const {
  RoomStep step{.workload = whole_.workload,
                .queue = whole_.queue,
                .priority = whole_.priority,
                .preemptible = whole_.preemptible};
  ForEachPart(whole_.parts, sets_, counts, [&](const GangPart& part, std::int64_t pods) {
    const auto existing = std::min<std::int64_t>(pods, std::ssize(part.pods));
    step.parts.push_back({.pod_set = part.pod_set,
                          .shape = part.shape,
                          .pods = {part.pods.begin(), part.pods.begin() + existing},
                          .expected = pods - existing});
    state::AddTo(step.request, cluster_.shapes()[part.shape].request, pods);
  });
  return step;
}

// No is a proof, unless others make room.
bool FewerPods::MayServe(const Counts& counts) {
  for (ShapeRoom& shape : shapes_) shape.wanted = 0;
  ForEachPart(whole_.parts, sets_, counts, [&](const GangPart& part, std::int64_t pods) {
    const auto at = std::find_if(shapes_.begin(), shapes_.end(),
                                 [&](const ShapeRoom& room) { return room.shape == part.shape; });
    at->wanted += pods;
  });
  request_.clear();
  bool holds = true;
  bool any = false;
  for (const ShapeRoom& shape : shapes_) {
    state::AddTo(request_, cluster_.shapes()[shape.shape].request, shape.wanted);
    holds &= shape.wanted <= shape.room;
    any |= shape.wanted > 0;
  }
  for (const state::Amount& a : request_) holds &= a.amount <= free_[a.resource.value()];
  return any && holds &&
         !policy::FirstBreach(cluster_.queues(), whole_.queue, request_, whole_.preemptible);
}

bool FewerPods::Serves(const Counts& counts) {
  if (MayServe(counts)) {
    const RoomStep step = StepWith(counts);
    state::Trial trial(cluster_);
    const GangVerdict verdict = CouldPlaceGang(placer_, cluster_, step.workload, step.parts, trial);
    if (verdict == GangVerdict::kPlaced) return true;
  }
  if (!by_victims_) return false;
  const RoomStep step = StepWith(counts);
  return !step.parts.empty() && by_victims_(step);
}

std::int64_t FewerPods::SmallestCut() {
  const objects::Reduction how = cluster_.configuration().partial_admission.reduce;
  auto halve = [&](std::int64_t fails, std::int64_t serves, auto predicate) {
    while (serves - fails > 1) {
      const std::int64_t middle = fails + (serves - fails) / 2;
      (predicate(policy::CountsAfter(ranges_, middle, how)) ? serves : fails) = middle;
    }
    return serves;
  };
  const std::int64_t all = policy::CutsOf(ranges_);
  auto serves = [this](const Counts& counts) { return Serves(counts); };
  if (by_victims_) return halve(0, all, serves);
  // Not with fewer cuts than these; with them or a few more, nearly always.
  const std::int64_t least =
      halve(0, all, [this](const Counts& counts) { return MayServe(counts); });
  std::int64_t fails = least - 1;
  for (std::int64_t step = 0; least + step < all; step = 2 * step + 1) {
    if (Serves(policy::CountsAfter(ranges_, least + step, how))) {
      return halve(fails, least + step, serves);
    }
    fails = least + step;
  }
  return halve(fails, all, serves);
}

std::vector<std::int32_t> FewerPods::Find() {
  const objects::SchedulerConfiguration::PartialAdmission& rules =
      cluster_.configuration().partial_admission;
  const std::int64_t all = policy::CutsOf(ranges_);
  Measure();
  if (all == 0 || !Serves(policy::CountsAfter(ranges_, all, rules.reduce))) return {};
  Counts counts = policy::CountsAfter(ranges_, SmallestCut(), rules.reduce);
  if (!rules.fill && rules.reduce != objects::Reduction::kOrdered) return counts;
  for (std::size_t k = 0; k < counts.size(); ++k) Grow(k, counts);
  return counts;
}

// By as much as there is room for.
void FewerPods::Grow(std::size_t set, Counts& counts) {
  const std::int64_t most = ranges_[set].count;
  std::int64_t grown = counts[set];
  auto serves = [&](std::int64_t count) {
    Counts larger = counts;
    larger[set] = static_cast<std::int32_t>(count);
    return Serves(larger);
  };
  std::int64_t step = 1;
  while (grown < most && serves(std::min(most, grown + step))) {
    grown = std::min(most, grown + step);
    step *= 2;
  }
  std::int64_t fails = std::min(most + 1, grown + step);
  while (fails - grown > 1) {
    const std::int64_t middle = grown + (fails - grown) / 2;
    (serves(middle) ? grown : fails) = middle;
  }
  counts[set] = static_cast<std::int32_t>(grown);
}

}  // namespace fairlead::engine
