#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::show {

// What a piece of text means to its reader; a terminal shows it as a colour.
enum class Tone : std::uint8_t { kPlain, kGood, kWaiting, kBad, kFaint, kTitle };

// `text` in the colour of `tone`; unchanged where `colour` is false or the tone is plain.
std::string Paint(std::string_view text, Tone tone, bool colour);
// Printable(text), but for what Paint put into it where `colour` is.
std::string PrintablePainted(std::string_view text, bool colour);

// The columns that `text` takes on a terminal: its characters, not its bytes.
std::size_t DisplayWidth(std::string_view text);

// One cell. An empty one is shown as "-", so that columns stay apart for `awk` as well.
struct Cell {
  Cell(std::string cell_text, Tone cell_tone = Tone::kPlain)  // NOLINT: cells are written as text
      : text(std::move(cell_text)), tone(cell_tone) {}
  Cell(const char* cell_text) : text(cell_text) {}  // NOLINT: as above

  std::string text;
  Tone tone = Tone::kPlain;
};

// How a table is to look. `width`: of a line at most; 0: as wide as it is. `widths`: of each column
// at least, so that rows that come later stand below those that were printed.
struct TableForm {
  bool colour = false;
  std::size_t width = 0;
  bool header = true;
  std::vector<std::size_t> widths = {};
};

// Columns aligned as kubectl does: an upper-case header, three spaces between, no lines, nothing
// after the last cell of a row.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

  // REQUIRES: as many cells as the header has.
  void Add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }

  // Header and rows, each line ended by a line feed. Where they are too wide for `form`, texts end
  // in "…", then whole columns are left out, what can be missed first.
  std::string Render(const TableForm& form) const;
  std::string Render(bool colour) const { return Render(TableForm{.colour = colour}); }
  // Of each column, without regard to a terminal.
  std::vector<std::size_t> Widths() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace fairlead::show
