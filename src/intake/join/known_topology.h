#pragma once

#include <string>
#include <vector>

namespace fairlead::intake {

// A Topology as constraints find it by its name.
struct KnownTopology {
  std::string name;
  std::vector<std::string> levels;  // label keys, widest first
  bool of_labels = false;           // no object: well-known labels make it, where nodes carry them
};

}  // namespace fairlead::intake
