#include <string>

#include "jobs/job_kind.h"
#include "virtual/controllers.h"
#include "virtual/finals.h"
#include "virtual/impl.h"

namespace fairlead::virtual_cluster {
namespace {

using effects::WorkloadBook;

WorkloadState StateOf(const WorkloadBook::Row& row) {
  switch (row.state) {
    case WorkloadBook::State::kPending:
      return WorkloadState::kPending;
    case WorkloadBook::State::kAdmitted:
      return WorkloadState::kAdmitted;
    case WorkloadBook::State::kRunning:
      return WorkloadState::kRunning;
    case WorkloadBook::State::kFinished:
      break;
  }
  return WorkloadState::kFinished;
}

}  // namespace

PodFinal FinalOf(const Entry& pod) {
  return {.pod = pod.key, .phase = pod.pod().phase, .node = pod.pod().spec.node_name};
}

WorkloadFinal FinalOf(const WorkloadBook::Row& row) {
  WorkloadFinal final{.workload = row.name, .state = StateOf(row), .pod_sets = {}};
  bool admitted = false;
  for (const WorkloadBook::PodSet& set : row.sets) admitted |= set.admitted > 0;
  for (const WorkloadBook::PodSet& set : row.sets) {
    final.pod_sets.push_back({.name = set.name,
                              .count = admitted ? set.admitted : set.count,
                              .running = set.placed,
                              .succeeded = set.succeeded});
  }
  return final;
}

std::string_view ToString(WorkloadState state) {
  switch (state) {
    case WorkloadState::kPending:
      return "Pending";
    case WorkloadState::kAdmitted:
      return "Admitted";
    case WorkloadState::kRunning:
      return "Running";
    case WorkloadState::kFinished:
      break;
  }
  return "Finished";
}

Final VirtualCluster::Impl::FinalState() const {
  Final final;
  for (const SlotId slot : world.store.Sorted(kPodKind)) {
    final.pods.push_back(FinalOf(world.store[slot]));
  }
  final.workloads = FinalWorkloads();
  final.queues = engine::ReportQueues(driver.scheduler());
  return final;
}

std::vector<WorkloadFinal> VirtualCluster::Impl::FinalWorkloads() const {
  std::vector<WorkloadFinal> finals;
  for (const WorkloadBook::Row* row : driver.books().workloads().Rows()) {
    const SlotId slot = JobOf(world, row->name);
    // What a complete job was as a workload is over, whatever of it is still known.
    const bool complete =
        slot.valid() &&
        jobs::KindOf(world.store[slot].object)->IsComplete(world.store[slot].object);
    if (!row->known && !complete) continue;
    WorkloadFinal& workload = finals.emplace_back(FinalOf(*row));
    if (complete) workload.state = WorkloadState::kFinished;
  }
  return finals;
}

}  // namespace fairlead::virtual_cluster
