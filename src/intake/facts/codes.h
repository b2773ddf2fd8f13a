#pragma once

#include <string_view>

namespace fairlead::intake {

// The code of what is told about a job, and of findings, where another object of its name counts in
// its place.
inline constexpr std::string_view kNameTaken = "NameTaken";

}  // namespace fairlead::intake
