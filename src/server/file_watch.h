#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::server {

// Whether files differ from what they were: what their names lead to, so that a mounted Secret that
// is swapped differs. Thread safety: none.
class FileWatch {
 public:
  using Pause = std::chrono::milliseconds;
  static constexpr Pause kPause = std::chrono::seconds(1);  // between two looks
  explicit FileWatch(std::vector<std::string> paths, Pause pause = kPause)
      : paths_(std::move(paths)), pause_(pause) {
    Note();
  }
  // Since it was made, or said so last.
  bool Changed();

 private:
  // Which file it is, and when it was written; 0: it is not there.
  struct Mark {
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const Mark&) const = default;
  };
  bool Note();  // whether they differ

  const std::vector<std::string> paths_;
  const Pause pause_;
  std::vector<Mark> marks_;
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace fairlead::server
