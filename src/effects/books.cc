#include "effects/books.h"

#include <algorithm>
#include <iterator>

namespace fairlead::effects {

void Books::Apply(Time now, std::span<const state::Change> changes) {
  workloads_.Apply(now, changes);
  quotas_.Apply(changes);
  kueue_.Apply(changes);
  groups_.Apply(changes);
  protections_.Apply(changes);
  broken_.Apply(changes);
  waiting_.Apply(changes);
}

std::vector<Write> Books::TakeFacts() {
  std::vector<Write> writes = workloads_.TakeWrites();
  for (const Write& write : writes) {
    if (const auto* start = std::get_if<SetStartTime>(&write)) {
      protections_.StartedOrEnded(start->workload);
    } else if (const auto* finish = std::get_if<FinishWorkload>(&write)) {
      protections_.StartedOrEnded(finish->workload);
    }
  }
  return writes;
}

void Books::Admitted(const std::string& workload) {
  workloads_.GiveStartAgain(workload);
  protections_.GiveAgain(workload);
}

std::vector<Write> Books::TakeStatuses(const engine::Scheduler& scheduler, Time now) {
  const state::Cluster& cluster = scheduler.cluster();
  std::vector<Write> writes = protections_.TakeWrites(cluster, workloads_);
  const auto add = [&writes](std::vector<Write> more) {
    std::ranges::move(more, std::back_inserter(writes));
  };
  add(broken_.TakeWrites(scheduler));
  if (waiting_.HasNews()) add(waiting_.TakeWrites());
  if (!quotas_.empty()) add(quotas_.TakeWrites(cluster));
  if (kueue_.HasNews()) add(kueue_.TakeWrites());
  if (groups_.HasNews()) add(groups_.TakeWrites(scheduler, workloads_, now));
  return writes;
}

}  // namespace fairlead::effects
