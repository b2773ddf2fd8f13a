// The openb trace as a user runs it, load included: `fairlead simulate --trace openb`, as a process
// of its own, so that its peak memory is its own too. The binary is FAIRLEAD_BINARY (`make bench`
// sets it).

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/worlds.h"

namespace fairlead::bench {
namespace {

// The most memory that a running process has held, in MiB; 0 when it is gone.
double PeakOf(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

// Runs the command with its output thrown away. Returns its peak memory in MiB; negative when it
// could not be run or failed. The peak is read while it runs: what wait4 tells would include what
// this process held before it became that one.
double RunQuietly(const char* const* argv) {
  const pid_t child = vfork();
  if (child == 0) {
    const int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDOUT_FILENO);
    execv(argv[0], const_cast<char* const*>(argv));
    _exit(127);
  }
  double peak = 0;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    peak = std::max(peak, PeakOf(child));
    usleep(2000);
  }
  return status == 0 ? peak : -1;
}

void OpenbProcess(benchmark::State& state) {
  const char* binary = std::getenv("FAIRLEAD_BINARY");
  const std::string folder = DataFolder();
  if (binary == nullptr) return state.SkipWithError("FAIRLEAD_BINARY is not set");
  if (folder.empty()) return state.SkipWithError("the openb trace is not there");
  const std::string nodes = folder + "/openb/openb_node_list_all_node.csv";
  const std::string pods = folder + "/openb/openb_pod_list_default.csv";
  const char* const argv[] = {binary,        "simulate", "--trace",    "openb", "--nodes",
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
