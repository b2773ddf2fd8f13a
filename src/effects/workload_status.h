#pragma once

#include <string_view>

#include "base/time.h"
#include "effects/writes.h"
#include "objects/objects.h"

// What writes make of the status of a Workload: admission, start, protection, and the conditions
// Admitted, Running, Finished, Evicted, Stopped, OnLoan and Inactive. Whoever carries out keeps one
// and has it changed here, so that every cluster shows the same.
//
// A condition keeps its time as long as it says the same; one that never held is not written.
// Each returns whether anything changed. Cost: O(conditions).

namespace fairlead::effects {

bool Note(const AdmitWorkload& admit, std::string_view queue, Time now, objects::Workload& status);
// The admission is about to be taken back; and it has been. A job is suspended in between.
bool NoteStopping(const StopWorkload& stop, Time now, objects::Workload& status);
bool NoteStopped(Time now, objects::Workload& status);
bool Note(const SetStartTime& set, Time now, objects::Workload& status);
bool Note(const SetProtection& set, objects::Workload& status);
bool Note(const SetReservation& set, objects::Workload& status);
bool Note(const SetLandings& set, objects::Workload& status);
bool Note(const SetMoved& set, Time now, objects::Workload& status);
bool Note(const SetLoan& set, Time now, objects::Workload& status);
bool Note(const SetInactive& set, Time now, objects::Workload& status);
bool Note(const SetBroken& set, Time now, objects::Workload& status);
bool Note(const FinishWorkload& finish, Time now, objects::Workload& status);

// Gives `to` the status of `from`, whose spec is another.
void MoveStatus(objects::Workload& from, objects::Workload& to);

// Of a Workload whose admission is about to be taken back.
bool IsStopping(const objects::Workload& status);

}  // namespace fairlead::effects
