#include "bench/memory.h"

#include <cstdio>
#include <cstring>

namespace fairlead::bench {
namespace {

double ReadMib(const char* key) {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  double kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, key, std::strlen(key)) == 0) {
      std::sscanf(line + std::strlen(key), ": %lf", &kib);
    }
  }
  std::fclose(file);
  return kib / 1024;
}

}  // namespace

double ResidentMib() { return ReadMib("VmRSS"); }
double PeakMib() { return ReadMib("VmHWM"); }

}  // namespace fairlead::bench
