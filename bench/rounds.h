#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/scheduler.h"
#include "state/change.h"

// One round over a cluster that is known, timed alone.

namespace fairlead::bench {

// Pods of one gang, team/big, waiting; or of the next of several.
void AddGang(std::vector<state::Change>& changes, const std::string& queue, std::int64_t pods,
             const state::NeedsPtr& needs, std::int64_t ordinal = 0);

// Rounds over `running`, which is known, and then `arriving`; counts decisions of the last run.
// `seen_before`: the same came and went already, so that its kind of pod is known.
void RunRounds(benchmark::State& state, const std::vector<state::Change>& running,
               const std::vector<state::Change>& arriving, bool seen_before = false);

// Again and again a pod that runs ends, and a round is timed; it comes back, untimed. `next`:
// which.
void RunEnds(benchmark::State& state, engine::Scheduler& scheduler,
             const std::function<state::PodChange()>& next);

}  // namespace fairlead::bench
