#include "engine/round/gang_starts.h"

#include <algorithm>

#include "policy/start_time.h"
#include "state/tally.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

namespace {

bool HasMinimum(const state::Cluster& cluster, const state::Gang& gang, bool only_bound) {
  return std::ranges::all_of(gang.sets, [&](const state::PodSet& set) {
    const auto there = std::ranges::count_if(set.pods, [&](PodId p) {
      const state::Pod& pod = cluster.pods()[p];
      return pod.live() && (!only_bound || pod.placement == state::Placement::kBound);
    });
    return state::IsMinimum(there, set.succeeded, set.min_count);
  });
}

}  // namespace

void GangStarts::Refresh(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (workload.is_moving) return;  // it goes on
  if (workload.in_use && workload.live == 0 && workload.started()) {
    cluster_.notes().SetStart(w, Time::Max());
  }
  if (workload.in_use && workload.solo()) return;
  if (!workload.in_use || workload.live == 0) {
    if (HadMinimum(w)) SetHadMinimum(w, false);
    return;
  }
  cluster_.notes().SetAdmissionMet(w);
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!workload.started()) {
    const std::optional<Time> start = policy::StartOf(cluster_, w, round_.now);
    if (!start) return;
    cluster_.notes().SetStart(w, *start);
    SetHadMinimum(w, true);
  } else if (!HadMinimum(w)) {
    if (HasMinimum(cluster_, gang, /*only_bound=*/true)) {
      SetHadMinimum(w, true);
      // As whoever starts anew would read it: the cluster keeps whole seconds, of a clock of its
      // own.
      const std::optional<Time> start = policy::StartOf(cluster_, w, round_.now);
      if (start && *start != workload.start) cluster_.notes().SetStart(w, *start);
    } else if (gang.recorded_start) {
      SetHadMinimum(w, true);
    } else if (!HasMinimum(cluster_, gang, /*only_bound=*/false)) {
      cluster_.notes().SetStart(w, Time::Max());
    }
  }
}

bool GangStarts::HadMinimum(WorkloadId w) const {
  return w.value() < had_minimum_.size() && had_minimum_[w.value()];
}

void GangStarts::SetHadMinimum(WorkloadId w, bool had) {
  if (had_minimum_.size() <= w.value()) had_minimum_.resize(cluster_.workloads().size());
  had_minimum_[w.value()] = had;
}

}  // namespace fairlead::engine
