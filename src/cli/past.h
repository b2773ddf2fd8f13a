#pragma once

#include <string>

#include "base/result.h"
#include "cli/command.h"
#include "host/expected_starts.h"

// How long work ran before, for commands that say of files when work starts.

namespace fairlead::cli {

// --data-dir.
Option PastOption(std::string& into);

// Of the history in that directory; empty: of none. Error: there is none, or it cannot be read.
Result<host::PastDurations> PastIn(const std::string& directory);

}  // namespace fairlead::cli
