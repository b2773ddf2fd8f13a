#include "objects/read/input.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

#include <sys/stat.h>

#include "objects/read/inflate.h"

namespace fairlead::objects {
namespace {

namespace fs = std::filesystem;

bool IsManifestName(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

// The size that a file says it has, where it says one: then the text is never moved.
std::size_t SizeHint(std::FILE* file) {
  struct stat status{};
  if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return std::min(static_cast<std::size_t>(status.st_size), kMaxTextBytes) + 1;
}

Result<PaddedText> ReadAll(std::FILE* file) {
  constexpr std::size_t kReadBytes = 1 << 20;
  PaddedText text;
  text.Room(SizeHint(file) + kReadBytes);
  for (;;) {
    const std::size_t count = std::fread(text.Room(kReadBytes), 1, kReadBytes, file);
    text.Grow(count);
    if (text.size() > kMaxTextBytes) {
      return Fail("found more than " + std::to_string(kMaxTextBytes) + " bytes, expected fewer");
    }
    if (count > 0) continue;
    if (std::ferror(file) != 0) {
      return Fail(std::string("cannot be read: ") + std::strerror(errno));
    }
    return text;
  }
}

Result<PaddedText> LoadPacked(const std::string& path) {
  const bool standard_input = path == "-";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(
      standard_input ? nullptr : std::fopen(path.c_str(), "rb"),
      [](std::FILE* file) { return file == nullptr ? 0 : std::fclose(file); });
  if (!standard_input && opened == nullptr) {
    return Fail(std::string("cannot be opened: ") + std::strerror(errno));
  }
  return ReadAll(standard_input ? stdin : opened.get());
}

}  // namespace

Result<std::vector<std::string>> ListInputs(const std::string& path) {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  auto entry = fs::recursive_directory_iterator(path, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(".")) {
      entry.disable_recursion_pending();
    } else if (IsManifestName(name) &&
               (entry->is_regular_file(ignored) || !entry->exists(ignored))) {  // a link to nothing
      files.push_back(entry->path().string());
    }
  }
  if (error) return Fail("cannot be read: " + error.message());
  if (files.empty()) return Fail("found no manifest in it, expected *.yaml, *.yml or *.json");
  std::sort(files.begin(), files.end());
  return files;
}

Result<PaddedText> LoadText(const std::string& path) {
  // What is no file can be read once. It is kept for those who read their input again.
  static std::map<std::string, PaddedText> kept;
  const auto known = kept.find(path);
  Result<PaddedText> text =
      known != kept.end() ? PaddedText(known->second.view()) : LoadPacked(path);
  if (!text) return text;
  std::error_code ignored;
  if (known == kept.end() && !fs::is_regular_file(path, ignored)) {
    kept.emplace(path, PaddedText(text->view()));
  }
  if (IsGzip(text->view())) return InflateGzip(text->view(), kMaxTextBytes);
  if (IsZstd(text->view())) return InflateZstd(text->view(), kMaxTextBytes);
  return text;
}

}  // namespace fairlead::objects
