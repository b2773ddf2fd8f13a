#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead {

// A length of time in microseconds. Kubernetes' durations ("1h30m", "45s", "0s", Go's grammar).
struct Duration {
  std::int64_t us = 0;

  static constexpr Duration Seconds(std::int64_t s) { return {s * 1'000'000}; }
  static constexpr Duration Max() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr std::int64_t WholeSeconds() const { return us / 1'000'000; }
  constexpr auto operator<=>(const Duration&) const = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.us + b.us}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.us - b.us}; }
};

// A moment: microseconds since 1970-01-01T00:00:00Z.
struct Time {
  std::int64_t us = 0;

  static constexpr Time Max() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr auto operator<=>(const Time&) const = default;
  friend constexpr Duration operator-(Time a, Time b) { return {a.us - b.us}; }
  // Saturates at Max(), so that "for ever" plus something stays "for ever".
  friend constexpr Time operator+(Time a, Duration d) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a.us, d.us, &sum) ? Max() : Time{sum};
  }
};

// Go's duration grammar: an optional sign, then numbers with units h, m, s, ms, us (µs), ns; "0" is
// allowed. What is finer than a microsecond is rounded up. Errors: empty, no unit, out of range.
Result<Duration> ParseDuration(std::string_view text);

// Whole seconds and no larger unit: "60s"; a rest below a second as a fraction: "1.5s".
std::string FormatDuration(Duration duration);

// RFC 3339, with or without a fraction, any offset. Errors: anything else, years outside 1..9999.
Result<Time> ParseTime(std::string_view text);

// RFC 3339 in UTC; a fraction (milli- or microseconds) only where there is one.
std::string FormatTime(Time time);

}  // namespace fairlead
