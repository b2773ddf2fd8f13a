#pragma once

#include <string>
#include <vector>

#include "scenarios/story.h"

namespace fairlead::scenario {

// How a story is told: in the order of its tables or shuffled; and whether the cluster shows each
// plan as carried out before the next step, or the engine goes on by what it assumes.
struct Telling {
  enum class Carried : std::uint8_t { kOut, kAssumed };
  std::uint32_t seed = 0;  // 0: in order
  Carried carried = Carried::kOut;
  std::string ToString() const;
};

// What went wrong, one text each, ready to be printed; empty when the story came true.
std::vector<std::string> Play(const Story& story, const Telling& telling);

}  // namespace fairlead::scenario
