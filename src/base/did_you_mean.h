#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

// How many letters have to be put in, left out, changed, or swapped with their neighbour to make
// one name of the other (Damerau's distance, restricted).
std::size_t EditDistance(std::string_view a, std::string_view b);

// Up to `at_most` of `names` that someone who typed `typed` may have meant: within a third of its
// length in edits (two letters swapped are one edit), or one beginning with the other. Nearest
// first, then by name. Cost: |typed| × the length of all names.
std::vector<std::string> NearNames(std::string_view typed, const std::vector<std::string>& names,
                                   std::size_t at_most = 3);

// "; did you mean a or b?", or nothing.
std::string DidYouMean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace fairlead
