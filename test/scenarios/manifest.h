#pragma once

#include <string>

#include "base/time.h"
#include "scenarios/story.h"

namespace fairlead::scenario {

inline constexpr Time kEpoch{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z; cells count from here

// The row as the YAML that a user would have written: one document, flow style.
std::string YamlOf(const Row& row);

// "p" → "default/p".
std::string WithNamespace(std::string_view name);

}  // namespace fairlead::scenario
