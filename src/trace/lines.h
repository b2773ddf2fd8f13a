#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::trace {

// The lines of a text, or of a file, of which a block at a time is in memory (and any line whole).
class Lines {
 public:
  // The text must outlive it.
  explicit Lines(std::string_view text) : rest_(text) {}
  // None: it cannot be read.
  static std::optional<Lines> OfFile(const std::string& path);

  // The next line without its end (LF or CRLF), valid until the next call. False: there is none.
  bool Next(std::string_view& line);
  std::uint32_t number() const { return number_; }  // of the last one, from 1 on

 private:
  bool ReadOn();

  std::ifstream file_;
  std::string block_;
  std::string_view rest_;  // of the text, or of the block
  std::uint32_t number_ = 0;
};

}  // namespace fairlead::trace
