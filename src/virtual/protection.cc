#include <algorithm>
#include <utility>

#include "policy/min_runtime.h"
#include "virtual/impl.h"

// status.protectedUntil of Workloads. It follows the start of the workload, its queue, every queue
// above it and the configuration. The first two are the workload's own changes; the others are rare
// and concern all that run.

namespace fairlead::virtual_cluster {

void VirtualCluster::Impl::NoteProtections(const std::vector<state::Change>& changes) {
  for (const state::Change& change : changes) {
    if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      protections_due.push_back(workload->name);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      all_protections_due |= removal->kind == state::RowKind::kQueue;
    } else {
      all_protections_due |= std::holds_alternative<state::QueueChange>(change) ||
                             std::holds_alternative<state::ConfigurationChange>(change);
    }
  }
}

void VirtualCluster::Impl::RefreshProtections() {
  std::vector<std::string> names = std::exchange(protections_due, {});
  if (std::exchange(all_protections_due, false)) {
    for (const SlotId slot : world.store.Sorted(kWorkloadKind)) RefreshProtection(slot);
    return;
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    const SlotId slot = world.store.Find(kWorkloadKind, name);
    if (slot.valid()) RefreshProtection(slot);
  }
}

void VirtualCluster::Impl::RefreshProtection(SlotId slot) {
  auto& workload = std::get<objects::Workload>(world.store[slot].object);
  const state::WorkloadId w = scheduler.cluster().FindWorkload(world.store[slot].key);
  policy::Protection protection;
  if (w.valid() && workload.start_time) {
    protection = policy::LatestProtection(scheduler.cluster(), w);
  }
  if (workload.preempt_protected_until == protection.preempt &&
      workload.reclaim_protected_until == protection.reclaim) {
    return;
  }
  workload.preempt_protected_until = protection.preempt;
  workload.reclaim_protected_until = protection.reclaim;
  world.store.Changed(slot);
}

}  // namespace fairlead::virtual_cluster
