#include "kube/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace fairlead::kube {

Result<std::string> ReadFile(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  if (file == nullptr) return Fail(path + ": " + std::strerror(errno));
  std::string text;
  char part[8192];
  while (const std::size_t count = std::fread(part, 1, sizeof(part), file.get())) {
    text.append(part, count);
    if (text.size() > kMost) return Fail(path + ": found more than 16 MiB, expected less");
  }
  if (std::ferror(file.get()) != 0) return Fail(path + ": " + std::strerror(errno));
  return text;
}

}  // namespace fairlead::kube
