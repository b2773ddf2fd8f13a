#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace fairlead::account {

// A CSV file (RFC 4180) while it is made: Row by Row of texts, whole numbers, and vectors of them.
class CsvText {
 public:
  template <typename... Cells>
  void Row(const Cells&... cells) {
    first_ = true;
    (Cell(cells), ...);
    text_ += '\n';
  }
  void Cell(std::string_view text) {
    Separate();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_ += text;
      return;
    }
    text_ += '"';
    for (const char c : text) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
  }
  void Cell(const std::string& text) { Cell(std::string_view(text)); }
  void Cell(const char* text) { Cell(std::string_view(text)); }
  void Cell(std::int64_t number) {
    Separate();
    fmt::format_to(std::back_inserter(text_), "{}", number);
  }
  void Cell(const std::vector<std::int64_t>& numbers) {
    for (const std::int64_t number : numbers) Cell(number);
  }
  void Cell(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) Cell(text);
  }
  const std::string& text() const { return text_; }

 private:
  void Separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace fairlead::account
