#pragma once

#include "intake/facts/facts.h"
#include "intake/facts/names.h"
#include "intake/facts/needs_pool.h"
#include "objects/objects.h"

namespace fairlead::intake {

// What a Workload, or a dialect's object that became one, says that decides something. `created`
// stands in for an absent creation time.
GangFacts FactsOf(const objects::Workload& workload, Time created, NeedsPool& needs, Names& names);

}  // namespace fairlead::intake
