// The load experiment of the openb study (docs/traces.md): every placement, with ten seeds, over
// some variants of the trace, beside what the study published. Prints a table in Markdown.
//
//   placement_table [WORKLOAD…]      without: the four that are in the table; all cores are used

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "bench/in_parallel.h"
#include "bench/worlds.h"
#include "trace/openb.h"
#include "trace/run.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kLoadPercent = 130;
constexpr std::uint64_t kFirstSeed = 242;
constexpr int kSeeds = 10;

struct Policy {
  const char* name;
  const char* published;
  objects::NodeChoice choice;
};
constexpr Policy kPolicies[] = {
    {"random", "01-Random", objects::NodeChoice::kRandom},
    {"dotProduct", "02-DotProd", objects::NodeChoice::kDotProduct},
    {"clustering", "03-GpuClustering", objects::NodeChoice::kClustering},
    {"packing", "04-GpuPacking", objects::NodeChoice::kPacking},
    {"bestFit", "05-BestFit", objects::NodeChoice::kBestFit},
    {"fgd", "06-FGD", objects::NodeChoice::kFgd},
    {"fragmentation", "", objects::NodeChoice::kFragmentation},
};

struct Mean {
  double sum = 0;
  int count = 0;
  void Add(double value) {
    sum += value;
    ++count;
  }
  double operator()() const { return count == 0 ? 0 : sum / count; }
};

// Published percent at the last column (130), by workload and policy.
std::map<std::pair<std::string, std::string>, Mean> Published(const std::string& path) {
  std::map<std::pair<std::string, std::string>, Mean> means;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string workload, policy;
    std::getline(fields, workload, ',');
    std::getline(fields, policy, ',');
    constexpr std::string_view kPrefix = "openb_pod_list_";
    if (!workload.starts_with(kPrefix)) continue;
    means[{workload.substr(kPrefix.size()), policy}].Add(
        std::stod(line.substr(line.rfind(',') + 1)));
  }
  return means;
}

struct Job {
  const Policy* policy = nullptr;
  std::uint64_t seed = 0;
  double percent = -1, seconds = 0;
};

// Of this thread: others may share its core.
double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void RunOne(const std::vector<objects::Object>& trace, Job& job) {
  const double begin = CpuSeconds();
  trace::RunOptions options;
  objects::SchedulerConfiguration& configuration = options.configuration.emplace();
  configuration.gpu_placement = configuration.cpu_placement = job.policy->choice;
  configuration.placement_seed = static_cast<std::int64_t>(job.seed);
  options.start = kNow;
  options.arrivals = trace::Arrivals{.load_percent = kLoadPercent, .seed = job.seed};
  const auto result = trace::Run(trace, options);
  if (!result || result->allocation.size() <= kLoadPercent) {
    fmt::print(stderr, "{} with seed {}: {}\n", job.policy->name, job.seed,
               result ? "the load was not reached" : result.error()[0].message);
    std::exit(1);
  }
  job.percent = static_cast<double>(result->allocation[kLoadPercent]) / 100;
  job.seconds = CpuSeconds() - begin;
}

int Main(const std::vector<std::string>& workloads) {
  const std::string folder = DataFolder();
  if (folder.empty()) {
    fmt::print(stderr, "the openb trace is not there\n");
    return 2;
  }
  const auto published = Published(folder + "/openb/expected_allo_discrete.csv");
  fmt::print("| workload | placement | measured | published | difference | CPU s a run |\n");
  fmt::print("|---|---|---:|---:|---:|---:|\n");
  for (const std::string& workload : workloads) {
    objects::Manifest manifest;
    trace::ReadOpenbFiles(folder + "/openb/openb_node_list_all_node.csv",
                          folder + "/openb/openb_pod_list_" + workload + ".csv", manifest);
    if (!manifest.faults.empty()) {
      fmt::print(stderr, "{}: {}\n", manifest.faults[0].file, manifest.faults[0].message);
      return 2;
    }
    std::vector<Job> jobs;
    for (const Policy& policy : kPolicies) {
      for (int i = 0; i < kSeeds; ++i) {
        jobs.push_back({.policy = &policy, .seed = kFirstSeed + static_cast<std::uint64_t>(i)});
      }
    }
    InParallel(jobs.size(), workload, "runs",
               [&](std::size_t j) { RunOne(manifest.objects, jobs[j]); });
    for (const Policy& policy : kPolicies) {
      Mean percent, seconds;
      for (const Job& job : jobs) {
        if (job.policy != &policy) continue;
        percent.Add(job.percent);
        seconds.Add(job.seconds);
      }
      const auto said = published.find({workload, policy.published});
      const std::string beside =
          said == published.end()
              ? "– | –"
              : fmt::format("{:.2f} | {:+.2f}", said->second(), percent() - said->second());
      fmt::print("| {} | {} | {:.2f} | {} | {:.3f} |\n", workload, policy.name, percent(), beside,
                 seconds());
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) {
  std::vector<std::string> workloads(argv + 1, argv + argc);
  if (workloads.empty()) workloads = {"default", "gpuspec33", "multigpu50", "gpushare100"};
  return fairlead::bench::Main(workloads);
}
