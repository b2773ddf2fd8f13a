#pragma once

#include <string>

#include "cli/output.h"
#include "trace/record.h"

namespace fairlead::cli {

// Whether the decisions of a record's rounds are the same again.
void PrintReplay(const trace::Replay& replay, Output& output);

}  // namespace fairlead::cli
