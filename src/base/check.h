#pragma once

// Assertions in three tiers. None is for data from outside: that gets a Result.
//   CHECK   always on, ends the process: the state is no longer to be trusted.
//   DCHECK  only in builds without NDEBUG: too costly, or provable elsewhere.
//   BUG     logs, counts and goes on in production; ends the process in tests (without NDEBUG).

#include <cstdint>

namespace fairlead {

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);
void BugFound(const char* file, int line, const char* what);
std::uint64_t BugCount();  // since the process began; for metrics

}  // namespace fairlead

#define CHECK(condition) \
  ((condition) ? (void)0 : ::fairlead::CheckFailed(__FILE__, __LINE__, #condition))

#ifdef NDEBUG
#define DCHECK(condition) ((void)(false && (condition)))  // compiled, never run
#else
#define DCHECK(condition) CHECK(condition)
#endif

#define BUG(what) ::fairlead::BugFound(__FILE__, __LINE__, what)
