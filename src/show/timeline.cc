#include "show/timeline.h"

#include <algorithm>
#include <array>

#include "show/human_text.h"

namespace fairlead::show {
namespace {

using drive::Event;
using drive::EventType;

// The shortest round length that covers `span` in at most `rows` steps.
Duration RoundStep(Duration span, int rows) {
  static constexpr std::array<std::int64_t, 17> kSeconds = {
      1,    5,        15,       30,       60,       120,       300,   600,      900,
      1800, 1 * 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 7 * 86400};
  for (const std::int64_t seconds : kSeconds) {
    if (span.us <= Duration::Seconds(seconds).us * rows) return Duration::Seconds(seconds);
  }
  const std::int64_t week = kSeconds.back();
  const std::int64_t weeks = span.WholeSeconds() / (week * rows) + 1;
  return Duration::Seconds(week * weeks);
}

}  // namespace

void Timeline::OnEvent(const Event& event) {
  if (event.type == EventType::kBind) {
    on_node_.emplace(event.pod);
  } else if (event.type == EventType::kFinish || event.type == EventType::kGone) {
    const auto found = on_node_.find(event.pod);
    if (found != on_node_.end()) on_node_.erase(found);
  }
  marks_.push_back({event.time, event.type, static_cast<std::int32_t>(on_node_.size())});
}

std::int64_t Timeline::CountOf(EventType type) const {
  return std::count_if(marks_.begin(), marks_.end(),
                       [type](const Mark& mark) { return mark.type == type; });
}

Table Timeline::Rows(Time start, Time end, int rows) const {
  Table table({"TIME", "ARRIVED", "STARTED", "ENDED", "EVICTED", "RUNNING"});
  const Duration step = RoundStep(end - start, rows);
  std::int64_t running = marks_.empty() ? 0 : marks_.front().running;
  auto mark = marks_.begin();
  for (Time from = start; from < end || (from == end && mark != marks_.end()); from = from + step) {
    // The last row takes what happens at `end` itself.
    const Time to = from + step >= end ? end + Duration{1} : from + step;
    std::int64_t arrived = 0, started = 0, ended = 0, evicted = 0;
    for (; mark != marks_.end() && mark->time < to; ++mark) {
      arrived += mark->type == EventType::kArrive || mark->type == EventType::kCreate ? 1 : 0;
      started += mark->type == EventType::kBind ? 1 : 0;
      ended += mark->type == EventType::kFinish ? 1 : 0;
      evicted += mark->type == EventType::kEvict ? 1 : 0;
      running = mark->running;
    }
    table.Add({"+" + HumanDuration(from - start), Grouped(arrived), Grouped(started),
               Grouped(ended), Grouped(evicted), Grouped(running)});
  }
  return table;
}

}  // namespace fairlead::show
