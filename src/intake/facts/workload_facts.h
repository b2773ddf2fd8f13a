#pragma once

#include "base/names.h"
#include "intake/facts/facts.h"
#include "intake/facts/needs_pool.h"
#include "objects/objects.h"

namespace fairlead::intake {

// What a Workload, be it ours or Kueue's, says that decides something; and what a PodGroup does.
// `created` stands in for an absent creation time.
GangFacts FactsOf(const objects::Workload& workload, Time created, NeedsPool& needs, Names& names);
GangFacts FactsOf(const objects::PodGroup& group, Time created, Names& names);

}  // namespace fairlead::intake
