#include "engine/round/placements.h"

#include <algorithm>

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

void Placements::Give(WorkloadId w, const std::vector<PodId>& pods) {
  const bool starts = !cluster_.workloads()[w].started();
  if (starts) cluster_.notes().SetStart(w, round_.now);
  Note(w);
  if (!cluster_.workloads()[w].solo()) {
    if (starts) admission_.RefreshCounts(w);
    // What the cluster shows as admitted already is not admitted again.
    const bool shown = cluster_.workloads().gang(w).shown_admitted();
    Admit(w, starts && !shown);
    admission_.Await(pods, starts && shown ? admission_.AwaitedSince(w) : round_.now);
    cluster_.notes().SetAdmissionMet(w);
  }
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) Bind(p);
  }
}

void Placements::Bind(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  if (!displaced_.empty()) SpareIfDisplacedOften(p);
  plan_.Give({.type = DecisionType::kBind,
              .pod = p,
              .node = pod.node,
              .workload = pod.workload,
              .gpu_device = pod.gpu_device});
}

void Placements::Admit(WorkloadId w, bool starts) {
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!gang.announces) return;
  std::vector<std::int32_t> counts;
  bool more_expected = false;
  for (const state::PodSet& set : gang.sets) {
    std::int32_t placed = set.succeeded;
    std::int32_t expected = 0;
    for (PodId p : set.pods) {
      placed += cluster_.pods()[p].live() ? 1 : 0;
      expected += cluster_.pods()[p].expected ? 1 : 0;
    }
    counts.push_back(std::min(placed, set.count));
    if (expected > 0 && placed > set.admitted) more_expected = true;
  }
  if (starts || more_expected || plan_.Admits(w)) plan_.Admit(w, counts);
}

bool Placements::BoundByThisPlan(PodId p) const {
  return cluster_.pods()[p].placement == state::Placement::kAssumed && plan_.Binds(p);
}

void Placements::Note(WorkloadId w) {
  ++count_;
  if (number_of_.size() <= w.value()) number_of_.resize(cluster_.workloads().size());
  number_of_[w.value()] = count_;
}

std::uint32_t Placements::NumberOf(WorkloadId w) const {
  return w.value() < number_of_.size() ? number_of_[w.value()] : 0;
}

// One that was displaced again and again stays: rounds must end. It stays for the instant: a second
// round would only begin anew what this one has broken off.
void Placements::SpareIfDisplacedOften(PodId p) {
  constexpr std::uint32_t kOften = 2;
  const auto times = displaced_.find(cluster_.pods()[p].workload.value());
  if (times == displaced_.end() || times->second < kOften) return;
  cluster_.notes().SetSpared(p, true);
  spared_.push_back(p);
  spared_at_ = round_.now;
}

void Placements::StartRound() {
  if (round_.now == spared_at_) return;
  for (PodId p : std::exchange(spared_, {})) cluster_.notes().SetSpared(p, false);
}

}  // namespace fairlead::engine
