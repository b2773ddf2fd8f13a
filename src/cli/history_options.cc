#include "cli/history_options.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.h"
#include "host/input.h"

namespace fairlead::cli {

void AddHistoryOptions(HistoryOptions& options, std::string_view default_dir,
                       std::vector<Option>& into) {
  into.push_back({.flags = "--data-dir",
                  .value = "DIR",
                  .help = fmt::format("of the history; none: in memory ({})", default_dir),
                  .into = &options.data_dir,
                  .completes = Completes::kFiles});
  into.push_back({.flags = "--history-age",
                  .value = "DURATION",
                  .help = "what was recorded longer ago is forgotten",
                  .into = &options.age});
  into.push_back({.flags = "--history-size",
                  .value = "SIZE",
                  .help = "beyond it the oldest is forgotten",
                  .into = &options.size});
}

std::string UserDataDir() {
  const auto from = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  // A relative $XDG_DATA_HOME is to be ignored, says the XDG base directory specification.
  if (const std::string data = from("XDG_DATA_HOME"); data.starts_with('/')) {
    return data + "/fairlead";
  }
  const std::string home = from("HOME");
  return home.empty() ? "" : home + "/.local/share/fairlead";
}

Result<history::Bounds> BoundsOf(const HistoryOptions& options) {
  constexpr std::int64_t kLeastBytes = 1 << 20;
  const auto age = host::DurationFlag("--history-age", options.age);
  if (!age) return tl::unexpected(age.error());
  const auto size = ParseQuantity(options.size, Scale::kUnit);
  if (!size || *size < kLeastBytes) {
    return Fail(
        fmt::format("--history-size: found \"{}\", expected a size of at least 1Mi", options.size));
  }
  return history::Bounds{.age = *age, .bytes = *size};
}

std::unique_ptr<history::Recorder> StartHistory(
    const std::string& directory, const history::Bounds& bounds, history::Mode mode, Time start,
    std::function<void(const std::string&)> on_problem) {
  return history::Recorder::Start({.directory = directory,
                                   .bounds = bounds,
                                   .mode = mode,
                                   .start = start,
                                   .on_problem = std::move(on_problem)});
}

}  // namespace fairlead::cli
