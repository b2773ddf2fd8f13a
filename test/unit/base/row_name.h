#pragma once

#include <string>

#include <gtest/gtest.h>

namespace fairlead {

// Tests of a table are named as its rows are.
struct RowName {
  template <typename Row>
  std::string operator()(const testing::TestParamInfo<Row>& info) const {
    return info.param.name;
  }
};

}  // namespace fairlead
