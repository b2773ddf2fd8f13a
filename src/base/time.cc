#include "base/time.h"

#include <optional>

#include "base/ascii.h"
#include "base/wide_int.h"

namespace fairlead {
namespace {

constexpr std::int64_t kNanosPerMicro = 1000;
constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

std::string Quoted(std::string_view text) {
  std::string quoted(1, '"');
  quoted += text.substr(0, 64);
  return quoted += '"';
}

tl::unexpected<Error> NotADuration(std::string_view text) {
  return Fail("found " + Quoted(text) + ", expected a duration such as 1h30m, 45s or 0s");
}

// Takes a unit off the front of `text`: its length in nanoseconds, 0 where there is none.
std::int64_t TakeUnit(std::string_view& text) {
  struct Unit {
    std::string_view name;
    std::int64_t ns;
  };
  // Longer names first: "ms" is not "m" and an "s". Both the micro sign and the Greek letter.
  static constexpr Unit kUnits[] = {
      {"ns", 1},         {"us", 1'000},        {"\xc2\xb5s", 1'000},  {"\xce\xbcs", 1'000},
      {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
  };
  for (const Unit& unit : kUnits) {
    if (text.substr(0, unit.name.size()) != unit.name) continue;
    text.remove_prefix(unit.name.size());
    return unit.ns;
  }
  return 0;
}

// One number with its unit. What is finer than a nanosecond is lost, as in Go.
struct Term {
  bool valid = false;
  bool overflow = false;
  std::int64_t ns = 0;
};

Term TakeTerm(std::string_view& text) {
  Term term;
  std::int64_t whole = 0;
  WideInt fraction = 0;
  WideInt divisor = 1;
  bool any = false;
  for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1)) {
    any = true;
    term.overflow |= __builtin_mul_overflow(whole, std::int64_t{10}, &whole);
    term.overflow |= __builtin_add_overflow(whole, std::int64_t{text[0] - '0'}, &whole);
  }
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1)) {
      any = true;
      if (divisor >= 1'000'000'000'000'000'000) continue;
      fraction = fraction * 10 + (text[0] - '0');
      divisor *= 10;
    }
  }
  if (!any) return term;
  const std::int64_t unit = TakeUnit(text);
  if (unit == 0) return term;
  term.valid = true;
  term.overflow |= __builtin_mul_overflow(whole, unit, &term.ns);
  const auto rest = static_cast<std::int64_t>(fraction * unit / divisor);
  term.overflow |= __builtin_add_overflow(term.ns, rest, &term.ns);
  return term;
}

// Days since 1970-01-01 of a date in the Gregorian calendar, and back (Howard Hinnant's
// algorithms, http://howardhinnant.github.io/date_algorithms.html). Years begin in March.
std::int64_t DaysFromDate(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

struct Date {
  std::int64_t year;
  int month, day;
};

Date DateFromDays(std::int64_t days) {
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const auto day_of_year =
      static_cast<int>(day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100));
  const int shifted_month = (5 * day_of_year + 2) / 153;
  const int day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const int month = shifted_month + (shifted_month < 10 ? 3 : -9);
  return {year_of_era + era * 400 + (month <= 2), month, day};
}

int DaysInMonth(int year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Takes exactly `count` digits off the front of `text`; nothing where they are not there.
std::optional<int> TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!IsDigit(text[i])) return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool Take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

// The seconds of a date at midnight UTC; nothing where it is not one.
std::optional<std::int64_t> TakeDate(std::string_view& text) {
  const auto year = TakeDigits(text, 4);
  if (!year || *year < 1 || !Take(text, '-')) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month || *month < 1 || *month > 12 || !Take(text, '-')) return std::nullopt;
  const auto day = TakeDigits(text, 2);
  if (!day || *day < 1 || *day > DaysInMonth(*year, *month)) return std::nullopt;
  return DaysFromDate(*year, *month, *day) * kSecondsPerDay;
}

// Hours and minutes as seconds; nothing where they are not a time of day.
std::optional<std::int64_t> TakeHoursMinutes(std::string_view& text) {
  const auto hour = TakeDigits(text, 2);
  if (!hour || *hour > 23 || !Take(text, ':')) return std::nullopt;
  const auto minute = TakeDigits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  return *hour * 3600 + *minute * 60;
}

// The digits behind a point as microseconds; finer ones are cut off.
std::optional<std::int64_t> TakeFraction(std::string_view& text) {
  std::int64_t micros = 0;
  std::int64_t unit = kMicrosPerSecond / 10;
  std::size_t count = 0;
  for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1), ++count) {
    micros += unit * (text[0] - '0');
    unit /= 10;
  }
  if (count == 0) return std::nullopt;
  return micros;
}

std::optional<std::int64_t> TakeOffset(std::string_view& text) {
  if (Take(text, 'Z')) return 0;
  const bool west = !text.empty() && text[0] == '-';
  if (!Take(text, west ? '-' : '+')) return std::nullopt;
  const auto seconds = TakeHoursMinutes(text);
  if (!seconds) return std::nullopt;
  return west ? -*seconds : *seconds;
}

std::optional<Time> TakeTime(std::string_view text) {
  const auto date = TakeDate(text);
  if (!date || !Take(text, 'T')) return std::nullopt;
  const auto hours_minutes = TakeHoursMinutes(text);
  if (!hours_minutes || !Take(text, ':')) return std::nullopt;
  const auto second = TakeDigits(text, 2);
  if (!second || *second > 59) return std::nullopt;
  std::int64_t micros = 0;
  if (Take(text, '.')) {
    const auto fraction = TakeFraction(text);
    if (!fraction) return std::nullopt;
    micros = *fraction;
  }
  const auto offset = TakeOffset(text);
  if (!offset || !text.empty()) return std::nullopt;
  const std::int64_t seconds = *date + *hours_minutes + *second - *offset;
  // An offset may carry a time out of the years that can be written.
  constexpr std::int64_t kYear1 = -62'135'596'800;
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  if (seconds < kYear1 || seconds >= kYear10000) return std::nullopt;
  return Time{seconds * kMicrosPerSecond + micros};
}

void AppendPadded(std::string& text, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) text.append(width - digits.size(), '0');
  text += digits;
}

// A fraction of a second with 3 or 6 digits, nothing where it is 0.
void AppendMicros(std::string& text, std::int64_t micros) {
  if (micros == 0) return;
  text += '.';
  if (micros % 1000 == 0) {
    AppendPadded(text, micros / 1000, 3);
  } else {
    AppendPadded(text, micros, 6);
  }
}

}  // namespace

Result<Duration> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  if (rest == "0") return Duration{};
  if (rest.empty()) return NotADuration(text);
  std::int64_t ns = 0;
  bool overflow = false;
  while (!rest.empty()) {
    const Term term = TakeTerm(rest);
    if (!term.valid) return NotADuration(text);
    overflow |= term.overflow || __builtin_add_overflow(ns, term.ns, &ns);
  }
  if (overflow) {
    return Fail("found " + Quoted(text) + ", expected a duration of at most 2562047h (292 years)");
  }
  const std::int64_t us = ns / kNanosPerMicro + (ns % kNanosPerMicro != 0 ? 1 : 0);
  return Duration{negative ? -us : us};
}

std::string FormatDuration(Duration duration) {
  std::string text;
  if (duration.us < 0) text += '-';
  // In unsigned arithmetic, for the smallest int64 has no positive counterpart.
  const std::uint64_t us = duration.us < 0 ? -static_cast<std::uint64_t>(duration.us)
                                           : static_cast<std::uint64_t>(duration.us);
  text += std::to_string(us / kMicrosPerSecond);
  auto rest = static_cast<std::int64_t>(us % kMicrosPerSecond);
  if (rest != 0) {
    std::string digits;
    AppendPadded(digits, rest, 6);
    while (digits.back() == '0') digits.pop_back();
    text += '.';
    text += digits;
  }
  return text + 's';
}

Result<Time> ParseTime(std::string_view text) {
  const std::optional<Time> time = TakeTime(text);
  if (!time) {
    return Fail("found " + Quoted(text) + ", expected a time such as 2026-01-31T12:00:00Z");
  }
  return *time;
}

std::string FormatTime(Time time) {
  std::int64_t seconds = time.us / kMicrosPerSecond;
  std::int64_t micros = time.us % kMicrosPerSecond;
  if (micros < 0) {
    micros += kMicrosPerSecond;
    --seconds;
  }
  std::int64_t days = seconds / kSecondsPerDay;
  std::int64_t second_of_day = seconds % kSecondsPerDay;
  if (second_of_day < 0) {
    second_of_day += kSecondsPerDay;
    --days;
  }
  const Date date = DateFromDays(days);
  std::string text;
  AppendPadded(text, date.year, 4);
  text += '-';
  AppendPadded(text, date.month, 2);
  text += '-';
  AppendPadded(text, date.day, 2);
  text += 'T';
  AppendPadded(text, second_of_day / 3600, 2);
  text += ':';
  AppendPadded(text, second_of_day / 60 % 60, 2);
  text += ':';
  AppendPadded(text, second_of_day % 60, 2);
  AppendMicros(text, micros);
  return text + 'Z';
}

}  // namespace fairlead
