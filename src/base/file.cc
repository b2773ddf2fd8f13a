#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace fairlead {
namespace {

tl::unexpected<Error> Unwritable(const std::string& path, int error) {
  return Fail(path + ": cannot be written: " + std::strerror(error));
}

}  // namespace

Result<void> CanWrite(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path there = path;
  if (fs::is_directory(there, ignored)) return Unwritable(path, EISDIR);
  while (!fs::exists(there, ignored)) {
    there = there.has_parent_path() ? there.parent_path() : ".";
  }
  const bool is_parent = there != path;
  if (is_parent && !fs::is_directory(there, ignored)) return Unwritable(path, ENOTDIR);
  if (::access(there.c_str(), is_parent ? W_OK | X_OK : W_OK) != 0) return Unwritable(path, errno);
  return {};
}

Result<void> WriteFile(const std::string& path, std::string_view text) {
  std::error_code failed;
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, failed);
  if (failed) return Unwritable(path, failed.value());
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return Unwritable(path, errno == 0 ? EIO : errno);
  return {};
}

}  // namespace fairlead
