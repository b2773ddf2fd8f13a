#include "intake/join/run_time_bounds.h"

#include <algorithm>

namespace fairlead::intake {

const objects::Queue* RunTimeBounds::FirstWith(std::string_view queue, Member member) const {
  const auto found = [&](std::string_view at) {
    const auto row = tables_.queues.find(at);
    return row == tables_.queues.end() ? nullptr : &row->second.queue;
  };
  const std::string_view first = tree_.FirstUpwards(queue, [&](std::string_view at) {
    const objects::Queue* here = found(at);
    return here != nullptr && (here->*member).has_value();
  });
  return first.empty() ? nullptr : found(first);
}

void RunTimeBounds::Apply(std::string_view queue, state::RunTime& run_time) const {
  if (tables_.bounding_queues == 0) return;
  using By = state::OwnLimit::By;
  const auto bound = [&](Duration after, By by, const objects::Queue& of) {
    run_time.own_limit = state::OwnLimit{.after = after, .by = by, .queue = of.meta.name};
    run_time.limit = std::min(run_time.limit.value_or(after), after);
  };
  const objects::Queue* usual =
      run_time.limit ? nullptr : FirstWith(queue, &objects::Queue::default_run_time);
  if (usual != nullptr) bound(*usual->default_run_time, By::kQueueDefault, *usual);
  const objects::Queue* cap = FirstWith(queue, &objects::Queue::max_run_time);
  if (cap == nullptr) return;
  const Duration most = *cap->max_run_time;
  if (!run_time.own_limit || run_time.own_limit->after > most) bound(most, By::kQueue, *cap);
}

}  // namespace fairlead::intake
