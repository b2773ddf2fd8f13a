#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "objects/objects.h"

// That work was stopped since it ran as long as it may, and is kept out until it is edited: the
// message of its Workload's condition Stopped, or, of a job whose pods are workloads of their own,
// its annotation fairlead.dev/stopped.
//
//   ran 8h, its limit of queue lab (spec 9c1185a5c5e9fc54)
//
// What stands behind is a digest of what was asked: as long as it is asked so, nothing of it
// starts.

namespace fairlead::objects {

inline constexpr std::string_view kStoppedCondition = "Stopped";

struct StopNote {
  std::string why;
  std::string spec;  // digest of what was asked; empty: it says none, and nothing lifts it
  bool operator==(const StopNote&) const = default;
};
std::string ToText(const StopNote& note);
StopNote StopNoteIn(std::string_view text);

// Of a Workload whose condition Stopped holds, or of a job with the annotation; absent: it was not
// stopped, or waits again.
std::optional<StopNote> StopNoteOf(const Workload& workload);
std::optional<StopNote> StopNoteOf(const Labels& annotations);

// Since when a Workload waits again that has run as long as it may; absent: that is not so.
std::optional<Time> WaitsAgainSince(const Workload& workload);
inline constexpr std::string_view kRunTimeLimitReason = "RunTimeLimit";  // of its condition Evicted

}  // namespace fairlead::objects
