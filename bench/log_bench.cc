// A log of jobs from its rows to its figures.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/process.h"
#include "test/unit/base/scratch_dir.h"
#include "trace/jobs.h"
#include "trace/run.h"

namespace fairlead::bench {
namespace {

// 1,000 nodes of 64 cores at 85 % load: jobs of 1 to 64 cores that run 22 minutes in the median
// and two days at most, with limits half as long again, in the order of a Poisson process.
trace::JobList LogOf(std::int64_t jobs) {
  constexpr std::int64_t kSizes[] = {1, 1, 2, 4, 8, 16, 32, 64, 32, 64};
  trace::JobList list;
  list.machine = {.nodes = 1000, .per_node = 64, .resource = "cpu"};
  list.name_space = "swf";
  list.file = "made.swf";
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> run(7.2, 1.6);
  double work = 0;
  for (std::int64_t i = 0; i < jobs; ++i) {
    trace::TraceJob& job = list.jobs.emplace_back();
    job.number = i + 1;
    job.line = static_cast<std::uint32_t>(i + 1);
    job.queue = list.QueueOf("queue-1");
    job.amount = kSizes[random() % std::size(kSizes)];
    const auto seconds = static_cast<std::int64_t>(std::clamp(run(random), 30.0, 172'800.0));
    job.runs = Duration::Seconds(seconds);
    job.limit = Duration::Seconds(seconds * 3 / 2);
    work += static_cast<double>(job.amount * seconds);
  }
  const double gap =
      work / (0.85 * static_cast<double>(list.machine.total())) / static_cast<double>(jobs);
  std::exponential_distribution<double> next(1 / gap);
  double at = 0;
  for (trace::TraceJob& job : list.jobs) {
    job.arrives = Duration::Seconds(static_cast<std::int64_t>(at));
    at += next(random);
  }
  list.Sort();
  return list;
}

// As `simulate --trace swf` does from its rows on, without reservations.
void LogOfJobs(benchmark::State& state) {
  const auto jobs = std::make_shared<const trace::JobList>(LogOf(state.range(0)));
  std::int64_t finished = 0;
  for (auto _ : state) {
    std::vector<objects::Object> objects;
    AppendNodes(jobs->machine, Time{}, objects);
    objects::Queue queue;
    queue.meta.name = "queue-1";
    objects.emplace_back(std::move(queue));
    objects::SchedulerConfiguration configuration;
    configuration.backfill.reservations = 0;
    objects.emplace_back(std::move(configuration));
    trace::RunOptions options;
    options.jobs = jobs;
    options.forget_ended = true;
    const auto result = trace::Run(std::move(objects), options);
    finished = result ? result->metrics.finished : 0;
  }
  state.counters["finished"] = static_cast<double>(finished);
}
BENCHMARK(LogOfJobs)->Arg(50'000)->Arg(400'000)->Unit(benchmark::kMillisecond)->Iterations(1);

// The same as a user runs it, from its file on and with its memory: `fairlead simulate --trace swf`
// as a process of its own. The binary is FAIRLEAD_BINARY (`make bench` sets it).
enum class Told : std::uint8_t { kSummary, kReport, kJson };

void MeasureSwf(benchmark::State& state, Told told) {
  const char* binary = std::getenv("FAIRLEAD_BINARY");
  if (binary == nullptr) return state.SkipWithError("FAIRLEAD_BINARY is not set");
  const ScratchDir folder;
  const std::string log = folder.path() + "/made.swf", bare = folder.path() + "/bare.yaml";
  {
    const trace::JobList list = LogOf(state.range(0));
    std::ofstream file(log);
    file << "; MaxNodes: 1000\n; MaxProcs: 64000\n";
    for (const trace::TraceJob& job : list.jobs) {
      file << fmt::format("{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 -1 -1 -1 1 -1 -1 -1\n", job.number,
                          job.arrives.WholeSeconds(), job.runs.WholeSeconds(), job.amount,
                          job.limit->WholeSeconds());
    }
    std::ofstream(bare) << "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, "
                           "backfill: {reservations: 0}}\n";
  }
  const std::string report = folder.path() + "/report.html";
  std::vector<const char*> argv = {binary,   "simulate",  "--trace",  "swf",
                                   "--jobs", log.c_str(), "--config", bare.c_str()};
  if (told == Told::kReport) argv.insert(argv.end(), {"--report", report.c_str()});
  if (told == Told::kJson) argv.insert(argv.end(), {"-o", "json"});
  argv.push_back(nullptr);
  MeasureProcess(state, argv.data());
}

void SwfProcess(benchmark::State& state) { MeasureSwf(state, Told::kSummary); }
void SwfProcessReported(benchmark::State& state) { MeasureSwf(state, Told::kReport); }
void SwfProcessAsJson(benchmark::State& state) { MeasureSwf(state, Told::kJson); }
BENCHMARK(SwfProcess)
    ->Arg(400'000)
    ->Arg(5'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(SwfProcessReported)
    ->Arg(400'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(SwfProcessAsJson)
    ->Arg(400'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace fairlead::bench
