// Runs a fuzz target over files, without a fuzzer: each argument is a file or a folder of files,
// taken in the order of their names. A fault ends the process, as it does under libFuzzer.
//
// The first run is always over the empty input, so a folder that is not there yet is a test too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> FilesUnder(const fs::path& path) {
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
  } else if (fs::exists(path)) {
    files.push_back(path);
  }
  return files;
}

// An allocation of exactly this size, so that AddressSanitizer sees a read past the end.
void RunOver(const std::string& content) {
  const std::vector<std::uint8_t> bytes(content.begin(), content.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  RunOver("");
  std::size_t count = 1;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& file : FilesUnder(argv[i])) {
      std::ifstream stream(file, std::ios::binary);
      if (!stream) {
        std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
        return 1;
      }
      // Known before the run: the last name printed is the input that ended the process.
      std::fprintf(stderr, "%s\n", file.c_str());
      RunOver(std::string(std::istreambuf_iterator<char>(stream), {}));
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return 0;
}
