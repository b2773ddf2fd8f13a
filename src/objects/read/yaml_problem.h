#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::objects {

// What libyaml said is wrong, in our words. `column` is from 0, `line` the text of that line.
std::string YamlProblem(std::string_view problem, std::string_view line, std::size_t column);

// Whether the line to look at is that where the string or key began, not where the parser gave up.
bool YamlProblemBeganBefore(std::string_view problem);

// The text of line `number` (from 0) of `text`, without its end.
std::string_view LineOfText(std::string_view text, std::size_t number);

}  // namespace fairlead::objects
