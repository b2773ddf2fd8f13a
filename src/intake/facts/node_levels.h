#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "objects/meta.h"

namespace fairlead::intake {

// A topology that is there without an object: labels that others are known to write.
struct LevelsOfLabels {
  std::string_view name;
  std::vector<std::string> levels;  // widest first; empty: no node has such a label
};

// The topologies that nodes' labels make by themselves (demands.md §7), and how many levels there
// are of those that number them: as many as the nodes of the pool say.
class NodeLevels {
 public:
  // A node came (+1) or went (-1).
  void Count(const objects::Labels& labels, std::int64_t by);

  // All of them, by name.
  std::vector<LevelsOfLabels> All() const;
  // Whether they are others than at the last call.
  bool TakeMoved();

 private:
  using Numbers = std::map<std::int32_t, std::int64_t>;  // N → nodes that carry its label
  Numbers tiers_;                                        // of Topograph, 0 is nearest
  Numbers layers_;                                       // of AWS, 1 is widest
  bool moved_ = false;
};

}  // namespace fairlead::intake
