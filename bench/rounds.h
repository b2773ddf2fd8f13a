#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "state/change.h"

// One round over a cluster that is known, timed alone.

namespace fairlead::bench {

// Pods of one gang, team/big, waiting.
void AddGang(std::vector<state::Change>& changes, const std::string& queue, std::int64_t pods,
             const state::NeedsPtr& needs);

// Rounds over `running`, which is known, and then `arriving`; counts decisions of the last run.
// `seen_before`: the same came and went already, so that its kind of pod is known.
void RunRounds(benchmark::State& state, const std::vector<state::Change>& running,
               const std::vector<state::Change>& arriving, bool seen_before = false);

}  // namespace fairlead::bench
