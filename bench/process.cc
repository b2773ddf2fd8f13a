#include "bench/process.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

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

}  // namespace

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

void MeasureProcess(benchmark::State& state, const char* const* argv) {
  double most = 0;
  for (auto _ : state) {
    const double mib = RunQuietly(argv);
    if (mib < 0) return state.SkipWithError("the program failed");
    most = std::max(most, mib);
  }
  state.counters["MiB_peak"] = most;
}

}  // namespace fairlead::bench
