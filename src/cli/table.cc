#include "cli/table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace fairlead::cli {
namespace {

constexpr std::size_t kGap = 3;

std::string_view EscapeOf(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kWaiting:
      return "\x1b[33m";
    case Tone::kBad:
      return "\x1b[31m";
    case Tone::kFaint:
      return "\x1b[2m";
    case Tone::kTitle:
      return "\x1b[1m";
  }
  return "";
}

}  // namespace

std::string Paint(std::string_view text, Tone tone, bool colour) {
  if (!colour || tone == Tone::kPlain || text.empty()) return std::string(text);
  std::string painted(EscapeOf(tone));
  painted.append(text).append("\x1b[0m");
  return painted;
}

std::size_t DisplayWidth(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not a later byte of UTF-8
  }));
}

void Table::Add(std::vector<Cell> row) {
  CHECK(row.size() == header_.size());
  for (Cell& cell : row) {
    if (cell.text.empty()) cell = Cell("-", Tone::kFaint);
  }
  rows_.push_back(std::move(row));
}

std::string Table::Render(bool colour) const {
  std::vector<std::size_t> widths;
  for (const std::string& name : header_) widths.push_back(DisplayWidth(name));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i].text));
    }
  }
  std::string text;
  const auto add_cell = [&](std::size_t column, std::string_view cell, Tone tone) {
    text += Paint(cell, tone, colour);
    const bool last = column + 1 == header_.size();
    text += last ? "\n" : std::string(widths[column] - DisplayWidth(cell) + kGap, ' ');
  };
  for (std::size_t i = 0; i < header_.size(); ++i) add_cell(i, header_[i], Tone::kFaint);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) add_cell(i, row[i].text, row[i].tone);
  }
  return text;
}

}  // namespace fairlead::cli
