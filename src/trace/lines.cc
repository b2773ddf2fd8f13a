#include "trace/lines.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace fairlead::trace {

std::optional<Lines> Lines::OfFile(const std::string& path) {
  std::error_code error;
  (void)std::filesystem::file_size(path, error);  // an error for directories
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return std::nullopt;
  Lines lines{std::string_view()};
  lines.file_ = std::move(file);
  return lines;
}

bool Lines::Next(std::string_view& line) {
  std::size_t end = rest_.find('\n');
  while (end == std::string_view::npos && ReadOn()) end = rest_.find('\n');
  if (rest_.empty()) return false;
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

// More of the file behind what is left of the block. False: there is no more.
bool Lines::ReadOn() {
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  if (!file_.is_open() || !file_) return false;
  const std::size_t left = rest_.size();
  block_.erase(0, block_.size() - left);
  // A line that is longer than blocks: twice as much each time.
  block_.resize(left + std::max(kBlock, left));
  file_.read(block_.data() + left, static_cast<std::streamsize>(block_.size() - left));
  const auto got = static_cast<std::size_t>(file_.gcount());
  block_.resize(left + got);
  rest_ = block_;
  return got > 0;
}

}  // namespace fairlead::trace
