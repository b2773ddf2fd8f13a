#pragma once

#include <string>

#include "cli/output.h"

namespace fairlead::cli {

// `simulate --trace record --dir DIR`: decides every round of a record again and says whether the
// decisions are the same. Exit code: kDone, kAnswerIsNo where they differ, kBadInput.
int ReplayAndPrint(const std::string& directory, Output& output);

}  // namespace fairlead::cli
