#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "unit/base/row_name.h"

namespace fairlead::intake {

// A row of a table test: what some objects give, line by line.
struct Row {
  std::string name;
  std::string yaml;
  std::vector<std::string> expected;
};
inline void PrintTo(const Row& row, std::ostream* out) { *out << row.yaml; }

// Likewise: what is wrong with some objects, where that is one fault.
struct FaultRow {
  std::string name;
  std::string yaml;
  std::string expected;
};
inline void PrintTo(const FaultRow& row, std::ostream* out) { *out << row.yaml; }

}  // namespace fairlead::intake
