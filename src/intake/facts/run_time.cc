#include "intake/facts/run_time.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/integer.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

template <typename T>
std::optional<T> Least(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

template <typename T>
std::optional<T> Latest(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b ? std::max(*a, *b) : a ? a : b;
}

// Fills `out` where the annotation is there and `parse` takes it.
template <typename T, typename Parse>
void Read(const objects::Labels& annotations, std::string_view key, std::string_view expected,
          Parse parse, std::optional<T>& out, std::string& invalid) {
  const std::string* text = objects::FindLabel(annotations, key);
  if (text == nullptr) return;
  out = parse(*text);
  if (!out && invalid.empty()) {
    invalid = fmt::format("{} is \"{}\", expected {}", key, *text, expected);
  }
}

std::optional<Duration> ParseLength(const std::string& text) {
  const Result<Duration> duration = ParseDuration(text);
  return duration && *duration > Duration() ? std::optional(*duration) : std::nullopt;
}

std::optional<Duration> ParseSeconds(const std::string& text) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const auto seconds = ParseInteger<std::int64_t>(text);
  if (!seconds || *seconds < 1 || *seconds > kMost) return std::nullopt;
  return Duration::Seconds(*seconds);
}

std::optional<bool> ParseWaitsAgain(const std::string& text) {
  for (const auto& [word, value] : objects::kOnRunTimeLimits) {
    if (text == word) return value == objects::OnRunTimeLimit::kRequeue;
  }
  return std::nullopt;
}

std::optional<Time> ParseMoment(const std::string& text) {
  const Result<Time> time = ParseTime(text);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

RunTimeSaid RunTimeSaidBy(const objects::Labels& labels, const objects::Labels& annotations) {
  constexpr std::string_view kLength = "a duration above 0 such as 1h30m";
  constexpr std::string_view kMoment = "a time such as 2026-03-01T08:00:00Z";
  RunTimeSaid said;
  std::optional<Duration> seconds;
  Read(labels, objects::kKueueMaxExecTimeLabel, "a whole number of seconds above 0", ParseSeconds,
       seconds, said.invalid);
  AddOwnLimit(seconds, said.run_time);
  if (annotations.empty()) return said;
  state::RunTime& run_time = said.run_time;
  std::string& invalid = said.invalid;
  Read(annotations, objects::kExpectedDurationKey, kLength, ParseLength, run_time.expected,
       invalid);
  Read(annotations, objects::kCheckpointEveryKey, kLength, ParseLength, run_time.checkpoint_every,
       invalid);
  Read(annotations, objects::kCheckpointedAtKey, kMoment, ParseMoment, run_time.checkpointed_at,
       invalid);
  std::optional<Duration> after;
  Read(annotations, objects::kMaxRunTimeKey, kLength, ParseLength, after, invalid);
  AddOwnLimit(after, run_time);
  std::optional<bool> waits_again;
  Read(annotations, objects::kOnRunTimeLimitKey, "Stop or Requeue", ParseWaitsAgain, waits_again,
       invalid);
  run_time.waits_again = waits_again.value_or(false);
  return said;
}

void AddOwnLimit(const std::optional<Duration>& after, state::RunTime& run_time) {
  if (!after || *after <= Duration()) return;
  run_time.limit = Least(run_time.limit, after);
  if (run_time.own_limit && run_time.own_limit->after <= *after) return;
  run_time.own_limit = state::OwnLimit{.after = *after};
}

void AddDeadline(const std::optional<Duration>& deadline, state::RunTime& run_time) {
  run_time.limit = Least(run_time.limit, deadline);
}

std::int32_t StopsSaidBy(const objects::Labels& annotations) {
  const std::string* text = objects::FindLabel(annotations, objects::kStopsAnnotation);
  return text == nullptr ? 0 : std::max(0, ParseInteger<std::int32_t>(*text).value_or(0));
}

state::RunTime RunTimeOf(const objects::Pod& pod, const state::RunTime& said, bool is_remade) {
  state::RunTime time = said;
  const std::optional<Duration>& deadline = pod.spec.rare->deadline;
  if (is_remade) {
    time.expected = Least(time.expected, deadline);
  } else {
    AddDeadline(deadline, time);
  }
  return time;
}

namespace {

const state::RareOwnLimit& Sooner(const state::RareOwnLimit& a, const state::RareOwnLimit& b) {
  return !a || (b && b->after < a->after) ? b : a;
}

}  // namespace

state::RunTime Together(const state::RunTime& a, const state::RunTime& b) {
  return {.limit = Least(a.limit, b.limit),
          .expected = Least(a.expected, b.expected),
          .checkpoint_every = Least(a.checkpoint_every, b.checkpoint_every),
          .checkpointed_at = Latest(a.checkpointed_at, b.checkpointed_at),
          .own_limit = Sooner(a.own_limit, b.own_limit),
          .waits_again = a.waits_again || b.waits_again};
}

}  // namespace fairlead::intake
