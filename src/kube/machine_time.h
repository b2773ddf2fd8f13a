#pragma once

#include <ctime>

#include "base/time.h"

// The machine's clocks.

namespace fairlead::kube {

inline Time ClockTime(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return {now.tv_sec * 1'000'000 + now.tv_nsec / 1'000};
}

// Since it was started: nobody sets it, and it goes on while a process is stopped.
inline Time BootTime() { return ClockTime(CLOCK_BOOTTIME); }
// As it is set: right or wrong.
inline Time LocalTime() { return ClockTime(CLOCK_REALTIME); }

}  // namespace fairlead::kube
