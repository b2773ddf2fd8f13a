#pragma once

#include <string>

#include "intake/tables/rows.h"

// What work asks, as a digest: by another one it is known that it was edited since it was stopped
// (objects/stop_note.h). It is of all that decides something: queue, priority, counts, what its
// pods need, how long it runs. What Fairlead writes is not in it: whether a job is suspended, and
// the counts that it was admitted with; nor what changes by itself: the counts of pod sets that
// come and go, and when a checkpoint was made.
//
// Cost: the canonical text of what each pod set's pods need.

namespace fairlead::intake {

// Of a workload of several pods. REQUIRES: its source is not kNone.
std::string AskedSpecOf(const GangRow& gang);
// Of a job whose pods are workloads of their own.
std::string AskedSpecOf(const JobFacts& job);

}  // namespace fairlead::intake
