// The history: what it costs whoever decides, how fast it is written, and how fast a page of it is
// read out of a million.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "engine/explain/report.h"
#include "history/feed.h"
#include "history/recorder.h"
#include "history/store.h"
#include "test/unit/base/scratch_dir.h"

namespace fairlead::bench {
namespace {

using history::Record;

constexpr int kQueues = 100;
constexpr Time kNow{1'767'225'600'000'000};

history::Decision DecisionNumber(std::int64_t i) {
  return {.time = kNow + Duration{i * 1'000},
          .type = i % 10 == 0 ? "Evict" : "Bind",
          .pod = fmt::format("team-{}/train-{}-worker-{}", i % 50, i / 8, i % 8),
          .node = fmt::format("node-{}", i % 5'000),
          .workload = fmt::format("team-{}/train-{}", i % 50, i / 8),
          .queue = fmt::format("queue-{}", i % kQueues),
          .user = fmt::format("user-{}", i % 300)};
}

// On the thread that decides: a round of 1,000 binds, as the feed is told of it, into a recorder
// that writes to a file.
void HistoryPush(benchmark::State& state) {
  const ScratchDir scratch;
  const auto recorder = history::Recorder::Start({.directory = scratch.path(),
                                                  .mode = history::Mode::kReal,
                                                  .start = kNow,
                                                  .most_waiting = 2'000'000});
  history::Feed feed(
      kNow, [&](std::vector<Record> records) { recorder->Push(std::move(records)); },
      history::MachineTime);
  engine::DecisionReports round;
  for (std::int64_t i = 0; i < 1'000; ++i) {
    const history::Decision like = DecisionNumber(i);
    engine::DecisionReport& report = round.emplace_back();
    report.pod = like.pod;
    report.node = like.node;
    report.workload = like.workload;
  }
  std::int64_t rounds = 0;
  for (auto _ : state) {
    feed.Decisions(kNow, round);
    if (++rounds % 100 == 0) {  // the disk may catch up
      state.PauseTiming();
      recorder->Flush();
      state.ResumeTiming();
    }
  }
  state.SetItemsProcessed(state.iterations() * 1'000);
}
BENCHMARK(HistoryPush);

// Records a second to a file, in batches of so many; and transactions a second.
void HistoryCommit(benchmark::State& state) {
  const ScratchDir scratch;
  auto store = history::Store::Open(scratch.path(), {});
  if (!store || !(*store)->Begin(history::Mode::kReal, kNow, kNow)) {
    state.SkipWithError("no store");
    return;
  }
  std::int64_t made = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<Record> records;
    for (std::int64_t i = 0; i < state.range(0); ++i) records.emplace_back(DecisionNumber(made++));
    state.ResumeTiming();
    if (!(*store)->Write(records, kNow)) state.SkipWithError("not written");
  }
  state.SetItemsProcessed(made);
}
BENCHMARK(HistoryCommit)->Arg(1)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

// A store of 1,000,000 decisions in 100 queues, made once.
const history::Location& AMillion() {
  static const ScratchDir scratch;
  static const history::Location location = [] {
    auto store = history::Store::Open(scratch.path(), {.bytes = std::int64_t{4} << 30});
    if (!store || !(*store)->Begin(history::Mode::kReal, kNow, kNow)) return history::Location();
    for (std::int64_t i = 0; i < 1'000'000;) {
      std::vector<Record> records;
      for (int k = 0; k < 10'000; ++k) records.emplace_back(DecisionNumber(i++));
      if (!(*store)->Write(records, kNow)) return history::Location();
    }
    return (*store)->location();
  }();
  return location;
}

// The last 200 decisions: of a queue, of a user, of anybody.
void HistoryQuery(benchmark::State& state) {
  const history::Filter filters[] = {{.queue = "queue-7"}, {.user = "user-7"}, {}};
  const history::Location& location = AMillion();
  for (auto _ : state) {
    auto reader = history::Reader::Open(location);
    const auto page = (*reader)->Decisions(filters[state.range(0)]);
    if (!page || page->rows.size() != 200) state.SkipWithError("no rows");
    benchmark::DoNotOptimize(page);
  }
  state.counters["MB"] = static_cast<double>(std::filesystem::file_size(location.path)) / (1 << 20);
}
BENCHMARK(HistoryQuery)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
