#include "host/state_index.h"

namespace fairlead::host {

std::optional<StateIndex::Workload> StateIndex::FindWorkload(std::string_view name) const {
  if (const state::WorkloadChange* told = intake_->FindToldWorkload(name)) {
    Workload workload{.queue = told->traits.queue,
                      .priority = told->traits.priority,
                      .preemptible = told->traits.preemptible,
                      .created = told->traits.created,
                      .recorded_start = told->recorded_start,
                      .is_pod = false,
                      .pod_sets = {}};
    for (const state::PodSetChange& pod_set : told->pod_sets) {
      workload.pod_sets.push_back({.name = pod_set.name,
                                   .count = pod_set.count,
                                   .min_count = pod_set.min_count,
                                   .admitted = pod_set.admitted});
    }
    return workload;
  }
  const std::optional<Pod> pod = FindPod(name);
  if (!pod || !pod->alone) return std::nullopt;
  return Workload{.queue = pod->queue,
                  .priority = pod->priority,
                  .preemptible = pod->preemptible,
                  .created = pod->created,
                  .recorded_start = std::nullopt,
                  .is_pod = true,
                  .pod_sets = {{.name = "main", .count = 1, .min_count = 1, .admitted = 0}}};
}

}  // namespace fairlead::host
