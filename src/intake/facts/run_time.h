#pragma once

#include <string>

#include "base/time.h"
#include "objects/objects.h"
#include "state/change.h"

// What objects say of how long their work runs (time.md §1).

namespace fairlead::intake {

// What the annotations fairlead.dev/expected-duration, max-run-time, on-run-time-limit,
// checkpoint-every and checkpointed-at say, and Kueue's label max-exec-time-seconds.
struct RunTimeSaid {
  state::RunTime run_time;
  std::string invalid;  // the first that says it in vain: `KEY is "…", expected …`; empty: none
};
RunTimeSaid RunTimeSaidBy(const objects::Labels& labels, const objects::Labels& annotations);

// What the work names itself is ours to keep as well; absent: it names nothing.
void AddOwnLimit(const std::optional<Duration>& after, state::RunTime& run_time);
// What it names is its controller's to keep, or its kubelet's.
void AddDeadline(const std::optional<Duration>& deadline, state::RunTime& run_time);

// How often others took the room of a job's pods, each a workload of its own, as we write it; what
// cannot be read is 0.
std::int32_t StopsSaidBy(const objects::Labels& annotations);

// Of a pod by itself. Its deadline is the end of its work only where nobody makes another in its
// place; else it is a guess.
state::RunTime RunTimeOf(const objects::Pod& pod, const state::RunTime& said, bool is_remade);

// Of work of which both speak: the earlier end, and the checkpoint after which least is lost.
state::RunTime Together(const state::RunTime& a, const state::RunTime& b);

}  // namespace fairlead::intake
