// The openb trace as a user runs it, load included: `fairlead simulate --trace openb`, as a process
// of its own, so that its peak memory is its own too. The binary is FAIRLEAD_BINARY (`make bench`
// sets it).

#include <algorithm>
#include <cstdlib>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/process.h"
#include "bench/worlds.h"

namespace fairlead::bench {
namespace {

void OpenbProcess(benchmark::State& state) {
  const char* binary = std::getenv("FAIRLEAD_BINARY");
  const std::string folder = DataFolder();
  if (binary == nullptr) return state.SkipWithError("FAIRLEAD_BINARY is not set");
  if (folder.empty()) return state.SkipWithError("the openb trace is not there");
  const std::string nodes = folder + "/openb/openb_node_list_all_node.csv";
  const std::string pods = folder + "/openb/openb_pod_list_default.csv";
  const char* const argv[] = {binary,        "simulate", "--trace",    "openb", "--nodes",
                              nodes.c_str(), "--pods",   pods.c_str(), nullptr};
  MeasureProcess(state, argv);
}
BENCHMARK(OpenbProcess)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace fairlead::bench
