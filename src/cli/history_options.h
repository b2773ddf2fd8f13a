#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "history/recorder.h"

namespace fairlead::cli {

// Where the history is kept and how much of it: what `up` and `run` are given.
struct HistoryOptions {
  std::string data_dir;  // "none": in memory; empty: not said
  std::string age = "720h";
  std::string size = "512Mi";
};

// --data-dir, --history-age, --history-size.
void AddHistoryOptions(HistoryOptions& options, std::string_view default_dir,
                       std::vector<Option>& into);

// $XDG_DATA_HOME/fairlead, else ~/.local/share/fairlead; empty: neither is known.
std::string UserDataDir();

// Error: a flag is malformed.
Result<history::Bounds> BoundsOf(const HistoryOptions& options);

// Starts the recorder; never fails, see there. `directory` empty: in memory.
std::unique_ptr<history::Recorder> StartHistory(const std::string& directory,
                                                const history::Bounds& bounds, history::Mode mode,
                                                Time start,
                                                std::function<void(const std::string&)> on_problem);

}  // namespace fairlead::cli
