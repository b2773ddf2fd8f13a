#pragma once

#include "base/time.h"

namespace fairlead {

// A moment of a test: so many seconds after time began.
constexpr Time At(std::int64_t seconds) { return Time{} + Duration::Seconds(seconds); }

}  // namespace fairlead
