#include "show/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>
#include <unistd.h>

#include "base/time.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

constexpr auto kFirstShownAfter = std::chrono::seconds(1);
constexpr auto kShownEvery = std::chrono::milliseconds(100);
constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(std::string_view what)
    : what_(what), terminal_(::isatty(STDERR_FILENO) == 1), start_(Clock::now()) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "{}", kClearLine);
}

std::string ProgressBar(std::int64_t done, std::int64_t total, int width) {
  const std::int64_t filled =
      total <= 0 ? 0 : std::clamp<std::int64_t>(done, 0, total) * width / total;
  std::string bar = "[";
  for (std::int64_t i = 0; i < width; ++i) bar += i < filled ? "█" : " ";
  return bar + "]";
}

void Progress::Show(std::int64_t done, std::int64_t total, std::string_view unit,
                    std::string_view detail) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < kFirstShownAfter) return;
  if (shown_ && now - last_shown_ < kShownEvery) return;
  shown_ = true;
  last_shown_ = now;
  const std::int64_t elapsed_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count();
  std::string line = what_;
  if (total > 0) {
    line += fmt::format(" {} {:3}%", ProgressBar(done, total, 24), done * 100 / total);
  }
  line += fmt::format("  {} {}, {}/s", Grouped(done), unit, Grouped(done * 1000 / elapsed_ms));
  if (!detail.empty()) line += fmt::format("  {}", detail);
  if (total > 0 && done > 0) {
    const std::int64_t left_s = elapsed_ms * (total - done) / done / 1000;
    line += fmt::format("  {} left", HumanDuration(Duration::Seconds(left_s)));
  }
  fmt::print(stderr, "{}{}", kClearLine, line);
  std::fflush(stderr);
}

}  // namespace fairlead::show
