#include "trace/csv.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/integer.h"

namespace fairlead::trace {

CsvReader::CsvReader(std::string_view text, const std::string& file, objects::Manifest& into)
    : rest_(text), file_(file), into_(into) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // a byte order mark
  std::string_view header;
  if (!TakeLine(header)) {
    line_ = 1;
    AddFault(-1, "is empty, expected a header line with column names");
    return;
  }
  Split(header);
  columns_.swap(fields_);
}

bool CsvReader::TakeLine(std::string_view& line) {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) return true;
  }
  return false;
}

void CsvReader::Split(std::string_view line) {
  fields_.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    fields_.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

int CsvReader::Find(std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

int CsvReader::Require(std::string_view column) {
  const int found = Find(column);
  if (found < 0 && !columns_.empty()) {
    AddFault(-1, "column \"" + std::string(column) + "\" is missing in the header");
  }
  return found;
}

bool CsvReader::Next() {
  std::string_view line;
  while (TakeLine(line)) {
    row_has_fault_ = false;
    Split(line);
    if (fields_.size() == columns_.size()) return true;
    AddFault(-1, "has " + std::to_string(fields_.size()) + " fields, expected " +
                     std::to_string(columns_.size()) + " as in the header");
  }
  return false;
}

std::string_view CsvReader::Text(int column) const {
  return column < 0 ? std::string_view() : fields_[static_cast<std::size_t>(column)];
}

std::int64_t CsvReader::Number(int column, std::int64_t low, std::int64_t high) {
  const std::string_view text = Text(column);
  const auto value = ParseInteger<std::int64_t>(text);
  if (!value || *value < low || *value > high) {
    AddFault(column, "found \"" + std::string(text.substr(0, 40)) + "\", expected a whole number " +
                         std::to_string(low) + ".." + std::to_string(high));
    return low;
  }
  return *value;
}

void CsvReader::AddFault(int column, std::string message) {
  row_has_fault_ = true;
  if (into_.faults.size() >= kMaxFaults) return;
  objects::Fault fault;
  fault.file = file_;
  fault.line = line_;
  fault.message = std::move(message);
  if (column >= 0) fault.field = std::string(columns_[static_cast<std::size_t>(column)]);
  into_.faults.push_back(std::move(fault));
}

Duration CsvReader::Seconds(int column) {
  constexpr std::int64_t kMost = 100'000'000'000;
  const std::string_view text = Text(column);
  const char* const last = text.data() + text.size();
  std::int64_t seconds = 0;
  auto [end, error] = std::from_chars(text.data(), last, seconds);
  bool good = error == std::errc() && seconds >= 0 && seconds <= kMost && text.front() != '-';
  std::int64_t us = 0;
  if (good && end != last) {
    good = *end++ == '.' && end != last;
    for (std::int64_t unit = 100'000; end != last; ++end, unit /= 10) {
      good = good && *end >= '0' && *end <= '9';
      us += (*end - '0') * unit;
    }
  }
  if (good) return Duration{seconds * 1'000'000 + us};
  AddFault(column, "found \"" + std::string(text.substr(0, 40)) +
                       "\", expected seconds, not negative, such as 66.0");
  return Duration{};
}

Time CsvReader::Timestamp(int column) {
  std::string text(Text(column));
  if (text.size() == 19 && text[10] == ' ') {
    text[10] = 'T';
    text += 'Z';
  }
  const Result<Time> time = ParseTime(text);
  if (time) return *time;
  AddFault(column, "found \"" + std::string(Text(column).substr(0, 40)) +
                       "\", expected a time such as 2017-10-09 07:01:55");
  return Time{};
}

std::string CsvReader::Source() const { return file_ + ":" + std::to_string(line_); }

std::size_t CsvReader::RowsAtMost() const { return LinesAtMost(rest_); }

// From line to line, not from byte to byte as std::count.
std::size_t LinesAtMost(std::string_view text) {
  std::size_t lines = 1;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; ++lines) {
    at = text.find('\n', at + 1);
  }
  return lines;
}

std::optional<std::string> ReadWhole(const std::string& path, objects::Manifest& into) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);  // an error for directories
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (!error && in) {
    text.resize(size);
    in.read(text.data(), static_cast<std::streamsize>(size));
  }
  if (error || !in) {
    into.faults.push_back(
        {.file = path, .line = 0, .object = {}, .field = {}, .message = "cannot be read"});
    return std::nullopt;
  }
  return text;
}

}  // namespace fairlead::trace
