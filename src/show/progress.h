#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::show {

// One line on stderr that says how far long work is, how fast it goes and how long it will take. It
// appears only on a terminal and only after a second; it is rubbed out at the end.
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
  bool shown_ = false;
};

// "[█████     ]" of `width` cells, for 0 <= done <= total.
std::string ProgressBar(std::int64_t done, std::int64_t total, int width);

}  // namespace fairlead::show
