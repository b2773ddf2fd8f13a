#include "show/table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/printable.h"

namespace fairlead::show {
namespace {

constexpr std::size_t kGap = 3;
constexpr std::string_view kEnd = "\x1b[0m";  // of a colour

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
  painted.append(text).append(kEnd);
  return painted;
}

std::string PrintablePainted(std::string_view text, bool colour) {
  if (!colour) return Printable(text);
  // How long the escape of ours is that `at` begins with; 0: it begins with none.
  const auto ours = [](std::string_view at) -> std::size_t {
    if (at.starts_with(kEnd)) return kEnd.size();
    for (const Tone tone : {Tone::kGood, Tone::kWaiting, Tone::kBad, Tone::kFaint, Tone::kTitle}) {
      if (at.starts_with(EscapeOf(tone))) return EscapeOf(tone).size();
    }
    return 0;
  };
  std::string shown;
  while (!text.empty()) {
    std::size_t plain = std::min(text.find('\x1b'), text.size());
    const std::size_t escape = ours(text.substr(plain));
    if (escape == 0) plain = std::min(plain + 1, text.size());
    shown += Printable(text.substr(0, plain));
    shown += text.substr(plain, escape);
    text.remove_prefix(plain + escape);
  }
  return shown;
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
    cell.text = Printable(cell.text);
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

}  // namespace fairlead::show
