#include "objects/stop_note.h"

#include <algorithm>

#include <fmt/format.h>

#include "objects/keys.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kBehind = " (spec ";

const Condition* Holding(const Workload& workload, std::string_view type) {
  const auto at = std::ranges::find(workload.conditions, type, &Condition::type);
  return at != workload.conditions.end() && at->holds ? &*at : nullptr;
}

}  // namespace

std::string ToText(const StopNote& note) {
  return note.spec.empty() ? note.why : fmt::format("{}{}{})", note.why, kBehind, note.spec);
}

StopNote StopNoteIn(std::string_view text) {
  const std::size_t at = text.rfind(kBehind);
  if (at == std::string_view::npos || !text.ends_with(')')) {
    return {.why = std::string(text), .spec = {}};
  }
  std::string_view spec = text.substr(at + kBehind.size());
  spec.remove_suffix(1);
  return {.why = std::string(text.substr(0, at)), .spec = std::string(spec)};
}

std::optional<StopNote> StopNoteOf(const Workload& workload) {
  const Condition* stopped = Holding(workload, kStoppedCondition);
  return stopped == nullptr ? std::nullopt : std::optional(StopNoteIn(stopped->message));
}

std::optional<StopNote> StopNoteOf(const Labels& annotations) {
  const std::string* text = FindLabel(annotations, kStoppedAnnotation);
  return text == nullptr || text->empty() ? std::nullopt : std::optional(StopNoteIn(*text));
}

std::optional<Time> WaitsAgainSince(const Workload& workload) {
  const Condition* evicted = Holding(workload, "Evicted");
  const bool waits = evicted != nullptr && evicted->reason == kRunTimeLimitReason &&
                     Holding(workload, kStoppedCondition) == nullptr;
  return waits ? evicted->since : std::nullopt;
}

}  // namespace fairlead::objects
