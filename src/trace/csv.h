#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "objects/read/reader.h"

namespace fairlead::trace {

// The largest time a trace may say: some three thousand years.
inline constexpr std::int64_t kMaxTraceSeconds = 100'000'000'000;

// A file's whole text; or a fault.
std::optional<std::string> ReadWhole(const std::string& path, objects::Manifest& into);

// How many lines the text has, or one more: for reserving.
std::size_t LinesAtMost(std::string_view text);

// A walk over the rows of comma-separated text with a header line, without quoting (no trace here
// uses it). Lines end with LF or CRLF; empty lines are skipped. Faults go into the manifest, at
// most kMaxFaults of them: a file of another format must not drown its reader.
class CsvReader {
 public:
  static constexpr std::size_t kMaxFaults = 100;

  // All views live as long as `text`.
  CsvReader(std::string_view text, const std::string& file, objects::Manifest& into);

  // The number of the column, or -1. Columns are found by name: traces add and reorder them.
  int Find(std::string_view column) const;
  // As Find, but a missing one is a fault.
  int Require(std::string_view column);

  // Moves to the next row; a row with too few or too many fields is a fault and passed over.
  bool Next();

  // The field of the current row; empty for column -1.
  std::string_view Text(int column) const;
  // A whole number in [low, high]; else a fault, and `low` is returned.
  std::int64_t Number(int column, std::int64_t low, std::int64_t high);

  // Seconds with or without a fraction; what is finer than a microsecond is cut off.
  Duration Seconds(int column);
  // "2017-10-09 07:01:55", in UTC, or RFC 3339.
  Time Timestamp(int column);

  void AddFault(int column, std::string message);
  std::uint32_t line() const { return line_; }
  bool row_has_fault() const { return row_has_fault_; }
  std::string Source() const;      // "FILE:LINE"
  std::size_t RowsAtMost() const;  // lines left, for reserving

 private:
  bool TakeLine(std::string_view& line);
  void Split(std::string_view line);

  std::string_view rest_;
  const std::string& file_;
  objects::Manifest& into_;
  std::vector<std::string_view> columns_;
  std::vector<std::string_view> fields_;
  std::uint32_t line_ = 0;
  bool row_has_fault_ = false;
};

}  // namespace fairlead::trace
