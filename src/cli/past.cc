#include "cli/past.h"

#include <memory>

#include "history/past_durations.h"
#include "history/recorder.h"

namespace fairlead::cli {

Option PastOption(std::string& into) {
  return {.flags = "--data-dir",
          .value = "DIR",
          .help = "of -f: a history, which knows how long such work ran before",
          .into = &into,
          .completes = Completes::kFiles};
}

Result<host::PastDurations> PastIn(const std::string& directory) {
  if (directory.empty()) return host::PastDurations();
  const auto reader = history::Directory(directory).OpenReader();
  if (!reader) return tl::unexpected(reader.error());
  const auto past = std::make_shared<history::PastDurations>();
  if (const auto read = past->ReadOn(**reader); !read) return tl::unexpected(read.error());
  return [past](std::string_view queue, std::string_view workload) {
    return past->Of(queue, workload);
  };
}

}  // namespace fairlead::cli
