#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead {

// Whether a file could be made or replaced there, as far as can be seen before. Error: as below.
Result<void> CanWrite(const std::string& path);

// Makes or replaces a file, and the directories that it is to be in, piece by piece.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  void Write(std::string_view text);
  // Error, of anything since it was made: it cannot be written, by name and why.
  Result<void> Close();

 private:
  const std::string path_;
  int error_ = 0;  // the first
  std::ofstream file_;
};

// The same of one text.
Result<void> WriteFile(const std::string& path, std::string_view text);

}  // namespace fairlead
