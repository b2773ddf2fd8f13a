#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"

namespace fairlead::account {

// A CSV file (RFC 4180) while it is made: Row by Row of texts, whole numbers, and vectors of them.
class CsvText {
 public:
  // `file`: what there is goes into it now and then. Null: all of it stays here.
  explicit CsvText(FileWriter* file = nullptr) : file_(file) {}

  template <typename... Cells>
  void Row(const Cells&... cells) {
    constexpr std::size_t kWriteAt = std::size_t{1} << 20;
    first_ = true;
    (Cell(cells), ...);
    text_ += '\n';
    if (file_ != nullptr && text_.size() >= kWriteAt) Flush();
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
  void Flush() {  // REQUIRES: there is a file
    file_->Write(text_);
    text_.clear();
  }

 private:
  void Separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  FileWriter* file_;
  std::string text_;
  bool first_ = true;
};

}  // namespace fairlead::account
