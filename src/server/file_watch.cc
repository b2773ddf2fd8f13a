#include "server/file_watch.h"

#include <utility>

#include <sys/stat.h>

namespace fairlead::server {
bool FileWatch::Note() {
  looked_ = std::chrono::steady_clock::now();
  std::vector<Mark> marks;
  for (const std::string& path : paths_) {
    Mark& mark = marks.emplace_back();
    struct stat found = {};
    if (::stat(path.c_str(), &found) != 0) continue;
    mark = {.device = found.st_dev,
            .inode = found.st_ino,
            .size = found.st_size,
            .seconds = found.st_mtim.tv_sec,
            .nanoseconds = found.st_mtim.tv_nsec};
  }
  return std::exchange(marks_, std::move(marks)) != marks_;
}

bool FileWatch::Changed() { return std::chrono::steady_clock::now() - looked_ >= pause_ && Note(); }

}  // namespace fairlead::server
