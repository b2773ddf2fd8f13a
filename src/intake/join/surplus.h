#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// How many pods of a set may be of the workload: what is admitted, where counts are fixed then;
// else what it asks. None: a Job's controller, or the count of the pods themselves, is the rule.
// Pods that are of a job by their labels alone may be anybody's: what the job asks is the rule.
std::optional<std::int32_t> CapOf(const GangRow& gang, std::size_t pod_set);

// Finds the pods beyond the count. Bound ones are of the workload whatever their name: they run,
// and a running pod does not wait. Of the pending ones the first by name fill the count; where a
// set is admitted in whole units (a JobSet's replicas), those of whole units do.
// Cost: O(1) a pod set where no pod is beyond, else O(n log n) over the workload's pods.
class Surplus {
 public:
  Surplus(Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  // `surplus` of each pod of the gang is right then; those where it changed are marked.
  // REQUIRES: gang.source is not kNone, its families are joined.
  void Find(GangRow& gang);

 private:
  struct Members {
    std::vector<PodId> pending, bound, succeeded;
  };
  std::vector<bool> Beyond(const PodSetFacts& set, std::optional<std::int32_t> cap,
                           const Members& members) const;
  void Set(PodId id, bool surplus);

  Tables& tables_;
  Marks& marks_;
};

}  // namespace fairlead::intake
