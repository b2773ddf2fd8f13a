#include "show/long_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/printable.h"

namespace fairlead::show {

LongTable::LongTable(std::vector<std::string> header)
    : header_(std::move(header)), widths_(Table(header_).Widths()) {}

void LongTable::Add(const std::vector<Cell>& row) {
  CHECK(row.size() == header_.size());
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string shown = Printable(row[i].text);  // and so without a zero
    widths_[i] = std::max(widths_[i], DisplayWidth(shown));
    text += static_cast<char>(row[i].tone);
    text.append(shown).append(1, '\0');
  }
  rows_.Add(text);
}

void LongTable::Print(Output& output) const {
  constexpr std::size_t kRowsAtATime = 4'096;
  Table rows(header_);
  std::size_t count = 0, printed = 0;
  const auto print = [&] {
    output.Print(std::exchange(rows, Table(header_)), /*header=*/printed == 0, widths_);
    printed += std::exchange(count, 0);
  };
  rows_.ForEach([&](std::string_view text) {
    std::vector<Cell> row;
    while (!text.empty()) {
      const std::size_t end = text.find('\0', 1);
      row.emplace_back(std::string(text.substr(1, end - 1)), static_cast<Tone>(text.front()));
      text.remove_prefix(end + 1);
    }
    rows.Add(std::move(row));
    if (++count == kRowsAtATime) print();
    return true;
  });
  if (count > 0 || printed == 0) print();
}

}  // namespace fairlead::show
