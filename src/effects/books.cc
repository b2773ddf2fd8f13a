#include "effects/books.h"

#include <iterator>

namespace fairlead::effects {

void Books::Apply(Time now, std::span<const state::Change> changes) {
  workloads_.Apply(now, changes);
  quotas_.Apply(changes);
  protections_.Apply(changes);
}

std::vector<Write> Books::TakeFacts() {
  std::vector<Write> writes = workloads_.TakeWrites();
  for (const Write& write : writes) {
    if (const auto* start = std::get_if<SetStartTime>(&write)) {
      protections_.Started(start->workload);
    }
  }
  return writes;
}

void Books::Admitted(const std::string& workload) {
  workloads_.GiveStartAgain(workload);
  protections_.GiveAgain(workload);
}

std::vector<Write> Books::TakeStatuses(const state::Cluster& cluster) {
  std::vector<Write> writes = protections_.TakeWrites(cluster, workloads_);
  std::vector<Write> quotas = quotas_.TakeWrites(cluster);
  writes.insert(writes.end(), std::make_move_iterator(quotas.begin()),
                std::make_move_iterator(quotas.end()));
  return writes;
}

}  // namespace fairlead::effects
