// Runs every *.scenario file of a folder (or one file): scenario_test PATH [WORD]. With WORD, only
// scenarios whose names contain it. Each is told in several ways, which must end the same.

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "scenarios/play.h"

namespace fairlead::scenario {
namespace {

std::vector<Telling> Tellings() {
  std::vector<Telling> tellings = {{.seed = 0}, {.seed = 0, .carried = Telling::Carried::kAssumed}};
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const auto carried = seed % 3 == 0 ? Telling::Carried::kAssumed : Telling::Carried::kOut;
    tellings.push_back({.seed = seed, .carried = carried});
  }
  return tellings;
}

std::vector<std::string> FilesOf(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".scenario") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Whether all its tellings came true; the first that did not is printed.
bool Passes(const Story& story) {
  for (const Telling& telling : Tellings()) {
    if (story.only_carried_out && telling.carried != Telling::Carried::kOut) continue;
    const std::vector<std::string> faults = Play(story, telling);
    for (const std::string& fault : faults) std::printf("%s\n", fault.c_str());
    if (!faults.empty()) return false;
  }
  return true;
}

int Main(const std::string& path, const std::string& word) {
  int passed = 0;
  int failed = 0;
  for (const std::string& file : FilesOf(path)) {
    const auto stories = ReadStories(file);
    if (!stories) {
      std::printf("%s\n", stories.error().message.c_str());
      ++failed;
      continue;
    }
    for (const Story& story : *stories) {
      if (story.name.find(word) == std::string::npos) continue;
      ++(Passes(story) ? passed : failed);
    }
  }
  std::printf("scenarios: %d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace fairlead::scenario

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("usage: scenario_test PATH [WORD]\n");
    return 2;
  }
  return fairlead::scenario::Main(argv[1], argc > 2 ? argv[2] : "");
}
