#pragma once

#include <string>
#include <vector>

// Tables over many made-up days (bench/topology_day, bench/moves).

namespace fairlead::bench {

double Mean(const std::vector<double>& values);  // 0 of none
double P95(std::vector<double> values);          // by nearest rank; 0 of none

// A mean over days and half of their range; a star where it differs from `ours` of the same days
// beyond doubt: the differences day by day do, at 95 %.
std::string Cell(const std::vector<double>& values, const std::vector<double>& ours, int digits);

}  // namespace fairlead::bench
