#pragma once

#include "intake/join/queue_tree.h"
#include "intake/tables/marks.h"

namespace fairlead::intake {

// Marks the gangs and families whose joins the scope touches. Cost: nothing for an empty scope,
// else O(gangs + families).
void SpreadScope(const Scope& scope, const Tables& tables, const Quotas& quotas,
                 const QueueTree& queues, Marks& marks);

}  // namespace fairlead::intake
