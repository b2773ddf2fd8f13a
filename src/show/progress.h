#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::show {

// One line on stderr that says how far long work is, how fast it goes and how long it will take. It
// appears only on a terminal and only after a second; it is rubbed out at the end. That of scripts
// is scripts/progress.sh.
// Thread safety: none. Cost of Show when nothing is shown: one look at the clock.
class Progress {
 public:
  explicit Progress(std::string_view what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total` units called `unit`; a total of 0 is not known, so no end is foretold.
  void Show(std::int64_t done, std::int64_t total, std::string_view unit, std::string_view detail);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool terminal_;
  Clock::time_point start_, last_shown_;
  std::int64_t done_ = 0, done_ms_ = 0;  // as of the last look at which more was done
  bool shown_ = false;
};

// What it says after `elapsed_ms`, of which the last `idle_ms` brought nothing more, in `width`
// columns at most (0: any), if need be without what can be missed: the pace, `detail`, the bar.
std::string ProgressLine(std::string_view what, std::int64_t done, std::int64_t total,
                         std::string_view unit, std::string_view detail, std::int64_t elapsed_ms,
                         std::int64_t idle_ms, std::size_t width);

// "[█████     ]" of `width` cells, for 0 <= done <= total.
std::string ProgressBar(std::int64_t done, std::int64_t total, int width);

}  // namespace fairlead::show
