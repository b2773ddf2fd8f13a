#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/scheduler.h"

namespace fairlead::engine {

// A disruption budget that keeps guarantees from being met.
struct KeptGuarantee {
  std::string budget;       // "namespace/name"
  std::int64_t queues = 0;  // whose first waiting workload it keeps out
};

// Which budgets alone stand between queues and what they are guaranteed, as of the last round: of
// each queue with waiting work that is within its guarantee the first workload is asked, by
// priority, creation and name. By name of the budget.
// Cost: nothing where there are no budgets; else a look at each workload, and what Explainer takes
// for each queue asked, of which there are at most `most_queues`, in the order of the tree.
std::vector<KeptGuarantee> KeptGuarantees(const Scheduler& scheduler, std::size_t most_queues);

}  // namespace fairlead::engine
