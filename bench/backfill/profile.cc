#include "bench/backfill/profile.h"

#include <algorithm>

#include "base/check.h"

namespace fairlead::bench {

// The last step that begins at `time` or before it.
std::size_t Profile::StepAt(std::int64_t time) const {
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), time,
                       [](std::int64_t at, const Step& step) { return at < step.time; });
  CHECK(after != steps_.begin());
  return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

std::int64_t Profile::Earliest(std::int64_t from, std::int64_t length,
                               std::int64_t processors) const {
  std::int64_t begin = from;
  for (std::size_t i = StepAt(from);; ++i) {
    const bool last = i + 1 == steps_.size();
    if (steps_[i].free < processors) {
      CHECK(!last);
      begin = steps_[i + 1].time;
    } else if (last || steps_[i + 1].time >= begin + length) {
      return begin;
    }
  }
}

// The step that begins exactly then, made where there is none.
std::size_t Profile::SplitAt(std::int64_t time) {
  const std::size_t step = StepAt(time);
  if (steps_[step].time == time) return step;
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(step) + 1, {time, steps_[step].free});
  return step + 1;
}

void Profile::MergeAt(std::size_t step) {
  if (step == 0 || steps_[step].free != steps_[step - 1].free) return;
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(step));
}

void Profile::Take(std::int64_t begin, std::int64_t end, std::int64_t processors) {
  if (begin >= end) return;
  const std::size_t first = SplitAt(begin);
  const std::size_t behind = SplitAt(end);
  for (std::size_t i = first; i < behind; ++i) steps_[i].free -= processors;
  MergeAt(behind);
  MergeAt(first);
}

void Profile::Forget(std::int64_t now) {
  const std::size_t step = StepAt(now);
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(step));
  steps_.front().time = now;
}

}  // namespace fairlead::bench
