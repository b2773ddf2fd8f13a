#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fairlead::intake {

// A row of a table test: what some objects give, line by line.
struct Row {
  std::string name;
  std::string yaml;
  std::vector<std::string> expected;
};
inline std::string NameOf(const testing::TestParamInfo<Row>& info) { return info.param.name; }
inline void PrintTo(const Row& row, std::ostream* out) { *out << row.yaml; }

}  // namespace fairlead::intake
