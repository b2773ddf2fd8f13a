#pragma once

#include <string>
#include <vector>

#include "state/cluster.h"

namespace fairlead::engine {

// What users and groups have under limits, counted again from the pods (S10 of docs/invariants.md).
// What is wrong is appended, one sentence each. Cost: a look at each workload and pod.
void AuditAccounts(const state::Cluster& cluster, std::vector<std::string>& faults);

}  // namespace fairlead::engine
