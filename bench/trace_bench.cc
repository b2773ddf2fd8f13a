// The openb trace as a user runs it, load included: `fairlead simulate --trace openb`, as a process
// of its own, so that its peak memory is its own too. The binary is FAIRLEAD_BINARY (`make bench`
// sets it).

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "bench/worlds.h"

namespace fairlead::bench {
namespace {

// Runs the command with its output thrown away. Returns its peak memory in MiB; negative when it
// could not be run or failed.
double RunQuietly(const char* const* argv) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(126);
    execv(argv[0], const_cast<char* const*>(argv));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) return -1;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void OpenbProcess(benchmark::State& state) {
  const char* binary = std::getenv("FAIRLEAD_BINARY");
  const std::string folder = DataFolder();
  if (binary == nullptr) return state.SkipWithError("FAIRLEAD_BINARY is not set");
  if (folder.empty()) return state.SkipWithError("the openb trace is not there");
  const std::string nodes = folder + "/openb/openb_node_list_all_node.csv";
  const std::string pods = folder + "/openb/openb_pod_list_default.csv";
  const char* const argv[] = {binary,          "simulate", "--trace",    "openb", "--nodes",
                              nodes.c_str(), "--pods",   pods.c_str(), nullptr};
  double most = 0;
  for (auto _ : state) {
    const double mib = RunQuietly(argv);
    if (mib < 0) return state.SkipWithError("fairlead simulate failed");
    most = std::max(most, mib);
  }
  state.counters["MiB_peak"] = most;
}
BENCHMARK(OpenbProcess)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace fairlead::bench
