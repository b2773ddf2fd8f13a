#include "base/file.h"

#include <fstream>

namespace fairlead {

Result<void> WriteFile(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return Fail(path + ": cannot be written");
  return {};
}

}  // namespace fairlead
