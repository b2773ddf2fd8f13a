#pragma once

#include <benchmark/benchmark.h>

namespace fairlead::bench {

// Runs the command, a null at its end, with its output thrown away. Returns its peak memory in MiB;
// negative when it could not be run or failed. The peak is read while it runs: what wait4 tells
// would include what this process held before it became that one.
double RunQuietly(const char* const* argv);

// A benchmark of nothing but that, with its memory as a counter.
void MeasureProcess(benchmark::State& state, const char* const* argv);

}  // namespace fairlead::bench
