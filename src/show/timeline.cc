#include "show/timeline.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "show/human_text.h"

namespace fairlead::show {
namespace {

using drive::Event;
using drive::EventType;

constexpr std::array<std::int64_t, 17> kSeconds = {
    1,    5,        15,       30,       60,       120,       300,   600,      900,
    1800, 1 * 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 7 * 86400};

// The shortest round length that covers `span` in at most `rows` steps.
Duration RoundStep(Duration span, int rows) {
  for (const std::int64_t seconds : kSeconds) {
    if (span.us <= Duration::Seconds(seconds).us * rows) return Duration::Seconds(seconds);
  }
  const std::int64_t week = kSeconds.back();
  const std::int64_t weeks = span.WholeSeconds() / (week * rows) + 1;
  return Duration::Seconds(week * weeks);
}

// The longest of which all round lengths from `step` on are multiples.
Duration GranuleFrom(Duration step) {
  std::int64_t granule = kSeconds.back();
  for (const std::int64_t seconds : kSeconds) {
    if (seconds >= step.WholeSeconds()) granule = std::gcd(granule, seconds);
  }
  return Duration::Seconds(granule);
}

}  // namespace

void Timeline::OnEvent(const Event& event) {
  constexpr std::size_t kMostSteps = 4096;
  if (event.type == EventType::kBind) {
    on_node_.emplace(event.pod);
  } else if (event.type == EventType::kFinish || event.type == EventType::kGone) {
    const auto found = on_node_.find(event.pod);
    if (found != on_node_.end()) on_node_.erase(found);
  }
  const auto running = static_cast<std::int64_t>(on_node_.size());
  if (steps_.empty()) first_running_ = running;
  if (steps_.size() >= kMostSteps) Widen(event.time - start_);
  const std::int64_t index = (event.time - start_).us / width_.us;
  if (steps_.empty() || steps_.back().index != index) steps_.emplace_back().index = index;
  Step& step = steps_.back();
  step.arrived += event.type == EventType::kArrive || event.type == EventType::kCreate ? 1 : 0;
  step.started += event.type == EventType::kBind ? 1 : 0;
  step.ended += event.type == EventType::kFinish ? 1 : 0;
  step.evicted += event.type == EventType::kEvict ? 1 : 0;
  step.running = running;
}

// Rows will be as long as those that `passed` asks for, or longer.
void Timeline::Widen(Duration passed) {
  const Duration wide = GranuleFrom(RoundStep(passed, rows_));
  if (wide <= width_) return;
  std::vector<Step> steps;
  for (Step& step : steps_) {
    step.index = step.index * width_.us / wide.us;
    if (steps.empty() || steps.back().index != step.index) {
      steps.push_back(step);
      continue;
    }
    Step& into = steps.back();
    into.arrived += step.arrived;
    into.started += step.started;
    into.ended += step.ended;
    into.evicted += step.evicted;
    into.running = step.running;
  }
  steps_ = std::move(steps);
  width_ = wide;
}

Table Timeline::Rows(Time end) const {
  Table table({"TIME", "ARRIVED", "STARTED", "ENDED", "EVICTED", "RUNNING"});
  const Duration row = RoundStep(end - start_, rows_);
  std::int64_t running = first_running_;
  auto step = steps_.begin();
  for (Time from = start_; from < end || (from == end && step != steps_.end()); from = from + row) {
    // The last row takes what happens at `end` itself.
    const bool is_last = from + row >= end;
    Step sums;
    for (; step != steps_.end(); ++step) {
      if (!is_last && start_ + Duration{step->index * width_.us} >= from + row) break;
      sums.arrived += step->arrived;
      sums.started += step->started;
      sums.ended += step->ended;
      sums.evicted += step->evicted;
      running = step->running;
    }
    table.Add({"+" + HumanDuration(from - start_), Grouped(sums.arrived), Grouped(sums.started),
               Grouped(sums.ended), Grouped(sums.evicted), Grouped(running)});
  }
  return table;
}

}  // namespace fairlead::show
