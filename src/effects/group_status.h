#pragma once

#include "base/time.h"
#include "effects/writes.h"
#include "objects/objects.h"

// What writes make of the status of a native PodGroup. Whoever carries out keeps one, or has the
// one that is shown, and asks here, so that every cluster shows the same.

namespace fairlead::effects {

// The condition as the group's version of the API has it, with its time: in v1alpha2 the first one
// is called PodGroupScheduled, and may go back to False; from then on it is final once it is True.
// Absent: nothing is to be written, the group shows it so, or may not show it.
std::optional<objects::Condition> ConditionOf(const SetGroupCondition& set, Time now,
                                              const objects::PodGroup& group);

// Writes it into the status. False: nothing changed.
bool Note(const SetGroupCondition& set, Time now, objects::PodGroup& group);

}  // namespace fairlead::effects
