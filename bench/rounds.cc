#include "bench/rounds.h"

#include <memory>
#include <variant>

#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/scheduler.h"

namespace fairlead::bench {
namespace {

std::vector<state::Change> Gone(const std::vector<state::Change>& arriving) {
  std::vector<state::Change> gone;
  for (const state::Change& change : arriving) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      gone.emplace_back(state::Removal{state::RowKind::kPod, std::string(pod->name)});
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      gone.emplace_back(state::Removal{state::RowKind::kWorkload, workload->name});
    }
  }
  return gone;
}

}  // namespace

void AddGang(std::vector<state::Change>& changes, const std::string& queue, std::int64_t pods,
             const state::NeedsPtr& needs, std::int64_t ordinal) {
  const std::string name = ordinal == 0 ? "big" : fmt::format("big-{}", ordinal);
  state::WorkloadChange gang{.name = fmt::format("team/{}", name), .uid = name};
  gang.traits.queue = queue;
  gang.pod_sets.push_back({.name = "main",
                           .count = static_cast<std::int32_t>(pods),
                           .min_count = static_cast<std::int32_t>(pods)});
  changes.emplace_back(gang);
  for (std::int64_t i = 0; i < pods; ++i) {
    state::PodChange pod = WaitingPod(10'000'000 + ordinal * pods + i, needs, queue);
    pod.solo.reset();
    pod.workload = gang.name;
    changes.emplace_back(pod);
  }
}

void RunRounds(benchmark::State& state, const std::vector<state::Change>& running,
               const std::vector<state::Change>& arriving, bool seen_before) {
  std::int64_t evicted = 0;
  std::int64_t placed = 0;
  std::int64_t unproven = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto scheduler = std::make_unique<engine::Scheduler>();
    scheduler->Apply(running);
    scheduler->Round(kNow);
    if (seen_before) {
      scheduler->Apply(arriving);
      scheduler->Round(kNow);
      scheduler->Apply(Gone(arriving));
      scheduler->Round(kNow);
    }
    scheduler->Apply(arriving);
    state.ResumeTiming();
    const engine::Plan plan = scheduler->Round(kNow);
    state.PauseTiming();
    evicted = placed = unproven = 0;
    for (const engine::Decision& decision : plan.decisions) {
      const bool evicts = decision.type == engine::DecisionType::kEvict;
      evicted += evicts ? 1 : 0;
      placed += evicts ? 0 : 1;
      unproven += evicts && !decision.least_proven ? 1 : 0;
    }
    scheduler.reset();
    state.ResumeTiming();
  }
  state.counters["evicted"] = static_cast<double>(evicted);
  state.counters["placed"] = static_cast<double>(placed);
  state.counters["unproven"] = static_cast<double>(unproven);
}

void RunEnds(benchmark::State& state, engine::Scheduler& scheduler,
             const std::function<state::PodChange()>& next) {
  for (auto _ : state) {
    state.PauseTiming();
    const state::PodChange pod = next();
    const std::vector<state::Change> gone = {
        state::Removal{.kind = state::RowKind::kPod, .name = std::string(pod.name)}};
    const std::vector<state::Change> back = {pod};
    state.ResumeTiming();
    scheduler.Apply(gone);
    benchmark::DoNotOptimize(scheduler.Round(kNow));
    state.PauseTiming();
    scheduler.Apply(back);
    scheduler.Round(kNow);
    state.ResumeTiming();
  }
}

}  // namespace fairlead::bench
