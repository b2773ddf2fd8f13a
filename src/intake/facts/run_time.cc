#include "intake/facts/run_time.h"

#include <algorithm>

#include "objects/keys.h"

namespace fairlead::intake {
namespace {

std::optional<Duration> Least(std::optional<Duration> a, std::optional<Duration> b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

}  // namespace

ExpectedDuration ExpectedDurationOf(const objects::Labels& annotations) {
  const std::string* text = objects::FindLabel(annotations, objects::kExpectedDurationKey);
  if (text == nullptr) return {};
  const Result<Duration> duration = ParseDuration(*text);
  if (!duration || *duration <= Duration()) return {.value = {}, .invalid = *text};
  return {.value = *duration, .invalid = {}};
}

state::RunTime RunTimeOf(const objects::Pod& pod, const ExpectedDuration& expected,
                         bool is_remade) {
  state::RunTime time{.limit = {}, .expected = expected.value};
  const std::optional<Duration>& deadline = pod.spec.rare->deadline;
  if (is_remade) {
    time.expected = Least(time.expected, deadline);
  } else {
    time.limit = deadline;
  }
  return time;
}

state::RunTime Earlier(const state::RunTime& a, const state::RunTime& b) {
  return {.limit = Least(a.limit, b.limit), .expected = Least(a.expected, b.expected)};
}

}  // namespace fairlead::intake
