// How `run` starts on a large cluster: all of a process's life up to its first round, with the
// history, the page's rows and the log of decisions, over an API server in the same process.

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <future>
#include <memory>

#include <benchmark/benchmark.h>

#include "bench/memory.h"
#include "bench/run_server.h"
#include "cli/memory.h"
#include "history/recorder.h"
#include "host/real_cluster.h"

namespace fairlead::bench {
namespace {

// Of the process, all of its threads.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

class FirstRound : public drive::Observer {
 public:
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& /*plan*/) override {
    if (is_over_) return;
    is_over_ = true;
    over_.set_value(scheduler.cluster().pods().count());
  }
  std::future<std::uint32_t> future() { return over_.get_future(); }

 private:
  bool is_over_ = false;
  std::promise<std::uint32_t> over_;
};

// What the texts alone take to make.
double SecondsOfTexts(const RunServer::World& world) {
  const double began = CpuSeconds();
  std::string text;
  for (std::int64_t i = 0; i < world.nodes; ++i) {
    text.clear();
    RunServer::AddNode(i, text);
  }
  for (std::int64_t i = 0; i < world.pods; ++i) {
    text.clear();
    RunServer::AddPod(i, world.nodes, text);
  }
  benchmark::DoNotOptimize(text);
  return CpuSeconds() - began;
}

// Arguments: nodes, and whether lists are streamed. Of so many nodes ten pods each. One process
// runs one of them (--benchmark_filter): memory is the process's. FAIRLEAD_RUN_NODES=150000 for
// the whole.
void RunStarts(benchmark::State& state) {
  cli::GiveBackFreedMemory();  // as `run` does
  const char* asked = std::getenv("FAIRLEAD_RUN_NODES");
  const std::int64_t nodes = asked == nullptr ? 15'000 : std::atoll(asked);
  const RunServer::World world{
      .nodes = nodes, .pods = 10 * nodes, .watch_lists = state.range(0) == 1};
  for (auto _ : state) {
    const double texts = SecondsOfTexts(world);
    const double resident = ResidentMib();
    auto recorder = history::Recorder::Start({.mode = history::Mode::kReal});
    auto made = std::make_unique<RunServer>(world);
    RunServer& server = *made;
    const double began = CpuSeconds();
    host::RealCluster cluster(std::move(made), {.identity = "bench"}, {}, recorder.get());
    FirstRound first;
    auto over = first.future();
    cluster.AddObserver(&first);
    cluster.Start();
    if (over.get() != static_cast<std::uint32_t>(world.pods)) {
      state.SkipWithError("not all pods were read");
    }
    const double took = CpuSeconds() - began;
    constexpr int kQuietRounds = 10'000;
    std::promise<Duration> quiet;
    // When it has published and rests.
    server.Post([&] {
      server.After(Duration::Seconds(2), [&] {
        server.SayNothingNew(kQuietRounds, [&](Duration spent) { quiet.set_value(spent); });
      });
    });
    const Duration spent = quiet.get_future().get();
    state.SetIterationTime(took - texts);
    state.counters["cpu_s"] = took;
    state.counters["texts_s"] = texts;
    state.counters["MiB"] = ResidentMib() - resident;
    state.counters["peak_MiB"] = PeakMib() - resident;
    state.counters["quiet_us"] = static_cast<double>(spent.us) / kQuietRounds;
    cluster.Stop();
    recorder->Stop();
  }
  state.SetItemsProcessed(state.iterations() * world.pods);
}
BENCHMARK(RunStarts)
    ->ArgName("streamed")
    ->Arg(1)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace fairlead::bench
