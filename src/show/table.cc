#include "show/table.h"

#include <algorithm>
#include <array>
#include <numeric>
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

// Columns that a narrow terminal is spared, the first ones first. The first column of a table says
// what a row is about, and stays.
constexpr std::array<std::string_view, 17> kSpared = {
    "API",      "PARENT",   "CREATED",  "LENT",  "ENDS",      "ADMITTED",
    "WORKLOAD", "BORROWED", "PRIORITY", "USER",  "LIMIT",     "QUEUE",
    "EXPECTED", "AGE",      "NODE",     "NEVER", "FAIR-SHARE"};
// Columns that hold sentences, and how much of one is worth showing.
constexpr std::array<std::string_view, 5> kTexts = {"MESSAGE", "DETAIL", "REASON", "WHY", "LEVELS"};
constexpr std::size_t kTextAtLeast = 24;
constexpr std::size_t kNameAtLeast = 8;

bool IsText(std::string_view column) {
  return std::find(kTexts.begin(), kTexts.end(), column) != kTexts.end();
}

// The widths at which columns are shown; 0: left out.
using ColumnWidths = std::vector<std::size_t>;

std::size_t LineWidth(const ColumnWidths& widths) {
  const auto shown = std::count_if(widths.begin(), widths.end(), [](auto w) { return w > 0; });
  const std::size_t gaps = shown > 1 ? (static_cast<std::size_t>(shown) - 1) * kGap : 0;
  return std::accumulate(widths.begin(), widths.end(), gaps);
}

// Takes from the widest of those that `may` shrink until the line fits, or none has more than
// `at_least`. True: it fits.
template <typename May>
bool Shrink(ColumnWidths& widths, std::size_t limit, std::size_t at_least, May may) {
  while (LineWidth(widths) > limit) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] <= at_least || !may(i)) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) return false;
    --widths[widest];
  }
  return true;
}

// Sentences are cut as long as something is left of them, then columns go, then names are cut.
ColumnWidths Fitted(const std::vector<std::string>& header, ColumnWidths widths,
                    std::size_t limit) {
  const auto is_text = [&](std::size_t i) { return IsText(header[i]); };
  auto spared = kSpared.begin();
  for (;;) {
    ColumnWidths cut = widths;
    if (Shrink(cut, limit, kTextAtLeast, is_text)) return cut;
    std::size_t column = header.size();
    for (; spared != kSpared.end() && column == header.size(); ++spared) {
      const auto found = std::find(header.begin() + 1, header.end(), *spared);
      column = static_cast<std::size_t>(found - header.begin());
    }
    if (column == header.size()) break;
    widths[column] = 0;
  }
  if (!Shrink(widths, limit, kNameAtLeast, is_text)) {
    Shrink(widths, limit, kNameAtLeast, [](std::size_t) { return true; });
  }
  return widths;
}

// The first characters of `text`, the last of them "…" where it has more than `width`.
std::string CutTo(std::string_view text, std::size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t shown = 0; shown + 1 < width; ++shown) {
    do ++bytes;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U);
  }
  return std::string(text.substr(0, bytes)) + "…";
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

std::vector<std::size_t> Table::Widths() const {
  std::vector<std::size_t> widths;
  for (const std::string& name : header_) widths.push_back(DisplayWidth(name));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i].text));
    }
  }
  return widths;
}

std::string Table::Render(const TableForm& form) const {
  ColumnWidths widths = Widths();
  for (std::size_t i = 0; i < form.widths.size(); ++i) {
    widths[i] = std::max(widths[i], form.widths[i]);
  }
  if (form.width > 0) widths = Fitted(header_, std::move(widths), form.width);
  std::size_t last = widths.size() - 1;
  while (last > 0 && widths[last] == 0) --last;
  std::string text;
  const auto add_cell = [&](std::size_t column, std::string_view cell, Tone tone) {
    if (widths[column] == 0) return;
    const std::string shown = CutTo(cell, widths[column]);
    text += Paint(shown, tone, form.colour);
    text += column == last ? "\n" : std::string(widths[column] - DisplayWidth(shown) + kGap, ' ');
  };
  for (std::size_t i = 0; form.header && i < header_.size(); ++i) {
    add_cell(i, header_[i], Tone::kFaint);
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) add_cell(i, row[i].text, row[i].tone);
  }
  return text;
}

}  // namespace fairlead::show
