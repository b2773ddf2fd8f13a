#include "show/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>
#include <unistd.h>

#include "base/time.h"
#include "show/human_text.h"
#include "show/output.h"

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

std::string ProgressLine(std::string_view what, std::int64_t done, std::int64_t total,
                         std::string_view unit, std::string_view detail, std::int64_t elapsed_ms,
                         std::int64_t idle_ms, std::size_t width) {
  std::string bar, pace, left;
  if (total > 0) bar = fmt::format(" {} {:3}%", ProgressBar(done, total, 24), done * 100 / total);
  std::string count = "  " + Grouped(done);
  if (total > 0) count += " of " + Grouped(total);
  count += fmt::format(" {}", unit);
  const std::int64_t per_second = elapsed_ms <= 0 ? 0 : done * 1000 / elapsed_ms;
  if (per_second > 0) pace = fmt::format(", {}/s", Grouped(per_second));
  std::string at = detail.empty() ? "" : fmt::format("  {}", detail);
  if (total > 0 && done > 0) {
    // Those under way have begun: until the next one is done it counts down.
    const std::int64_t left_s = ((elapsed_ms - idle_ms) * (total - done) / done - idle_ms) / 1000;
    if (left_s > 0) left = fmt::format("  {} left", HumanDuration(Duration::Seconds(left_s)));
  }
  std::string line;
  for (std::string* dispensable : {&pace, &at, &bar, static_cast<std::string*>(nullptr)}) {
    line = fmt::format("{}{}{}{}{}{}", what, bar, count, pace, at, left);
    if (width == 0 || DisplayWidth(line) <= width || dispensable == nullptr) break;
    dispensable->clear();
  }
  return line;
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
  if (done != done_) done_ms_ = elapsed_ms;
  done_ = done;
  const std::size_t columns = TerminalWidth(stderr);
  const std::string line = ProgressLine(what_, done, total, unit, detail, elapsed_ms,
                                        elapsed_ms - done_ms_, columns == 0 ? 0 : columns - 1);
  fmt::print(stderr, "{}{}", kClearLine, line);
  std::fflush(stderr);
}

}  // namespace fairlead::show
