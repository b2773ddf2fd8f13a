#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/spilled.h"
#include "show/output.h"
#include "show/table.h"

namespace fairlead::show {

// A Table that may have more rows than memory should hold: until it is printed they are kept as
// text on disk.
class LongTable {
 public:
  explicit LongTable(std::vector<std::string> header);

  // REQUIRES: as many cells as the header has.
  void Add(const std::vector<Cell>& row);
  // As Output::Print would all of it in one.
  void Print(Output& output) const;

 private:
  const std::vector<std::string> header_;
  std::vector<std::size_t> widths_;
  SpilledTexts rows_;  // of each cell its tone and its text, a zero behind it
};

}  // namespace fairlead::show
