#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/plan.h"
#include "engine/scheduler.h"

namespace fairlead::trace {

// A record of a real cluster (`fairlead run --record`; its lines: kube/recorder.h), decided again.
struct Replay {
  struct Difference {
    std::int64_t line = 0;  // of the record
    Time at;
    std::int64_t recorded = 0, decided = 0;  // decisions
  };
  std::int64_t lines = 0, objects = 0, rounds = 0, decisions = 0;
  Time start, end;
  std::vector<Difference> differences;  // rounds that decide otherwise; at most kMostDifferences
  std::string digest;                   // of all rounds, in order
};
inline constexpr std::size_t kMostDifferences = 100;

// Takes the same objects in the same order, and decides at the same moments. A last line without
// its end (the recorder was killed) is left out. `on_round` may be empty. Errors: the file cannot
// be read, or "FILE:LINE: …" for the first line that is none.
Result<Replay> ReplayRecord(
    const std::string& directory,
    const std::function<void(Time, const engine::Scheduler&, const engine::Plan&)>& on_round);

}  // namespace fairlead::trace
