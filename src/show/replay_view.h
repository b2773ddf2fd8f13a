#pragma once

#include <string>

#include "show/output.h"
#include "trace/record.h"

namespace fairlead::show {

// Whether the decisions of a record's rounds are the same again.
void PrintReplay(const trace::Replay& replay, Output& output);

}  // namespace fairlead::show
