#include "base/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace fairlead {
namespace {

std::atomic<std::uint64_t> bug_count{0};

}  // namespace

void CheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

void BugFound(const char* file, int line, const char* what) {
  bug_count.fetch_add(1, std::memory_order_relaxed);
  std::fprintf(stderr, "%s:%d: bug: %s\n", file, line, what);
#ifndef NDEBUG
  std::abort();
#endif
}

std::uint64_t BugCount() { return bug_count.load(std::memory_order_relaxed); }

}  // namespace fairlead
