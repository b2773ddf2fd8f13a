#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

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

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  std::error_code failed;
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, failed);
  error_ = failed.value();
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (error_ == 0 && !file_) error_ = errno == 0 ? EIO : errno;
}

void FileWriter::Write(std::string_view text) {
  if (error_ != 0) return;
  errno = 0;
  file_ << text;
  if (!file_) error_ = errno == 0 ? EIO : errno;
}

Result<void> FileWriter::Close() {
  if (error_ == 0) {
    errno = 0;
    file_.close();
    if (!file_) error_ = errno == 0 ? EIO : errno;
  }
  if (error_ != 0) return Unwritable(path_, error_);
  return {};
}

Result<void> WriteFile(const std::string& path, std::string_view text) {
  FileWriter file(path);
  file.Write(text);
  return file.Close();
}

}  // namespace fairlead
