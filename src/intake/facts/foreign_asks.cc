#include "intake/facts/foreign_asks.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/did_you_mean.h"

// Packed: one entry after the other, each its place ('L', 'A'; 'D': the pods ask devices by
// themselves), its key, a zero, its value, a zero. Values are there only where one of them makes a
// difference, so that pods which differ in an index alone still have the same (pod_traits.h).

namespace fairlead::intake {
namespace {

constexpr char kLabelMark = 'L';
constexpr char kAnnotationMark = 'A';
constexpr char kDevicesMark = 'D';
constexpr std::size_t kMostOfValue = 64;
constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::string_view kQueueLabelOfYuniKorn = "queue";

bool AsksShare(std::string_view key) { return key == "gpu-fraction" || key == "gpu-memory"; }

void Add(char mark, std::string_view key, std::string_view value, std::string& packed) {
  packed.push_back(mark);
  packed.append(key).push_back('\0');
  value = value.substr(0, kMostOfValue);
  packed.append(value.substr(0, value.find('\0'))).push_back('\0');
}

// `of_pods`: the object is a pod, or a template of pods.
void PackKey(char mark, const std::string& key, std::string_view value, std::string_view class_name,
             bool of_pods, std::string& packed) {
  const ForeignKey* row = FindForeignKey(key);
  if (row == nullptr) {
    if (IsInForeignNamespace(key)) Add(mark, key, "", packed);
    return;
  }
  const KeyPlace place = mark == kLabelMark ? KeyPlace::kLabel : KeyPlace::kAnnotation;
  const bool read_here = row->place == KeyPlace::kEither || row->place == place;
  if (!read_here && !IsInForeignNamespace(key)) return;  // a plain name of the user's own
  const bool share = AsksShare(key);
  if (row->asks == KeyAsks::kRecord || (row->asks == KeyAsks::kKept && read_here && !share)) return;
  if (row->asks == KeyAsks::kOfPods && read_here && of_pods) return;
  if (key == "priorityClassName" && value == class_name) return;
  Add(mark, key, share || !row->harmless.empty() ? value : std::string_view(), packed);
}

// `word` is one of `words`, which are parted by spaces.
bool IsOneOf(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool IsReadHere(const ForeignAsk& ask) {
  return ask.row->place == KeyPlace::kEither || ask.row->place == ask.place;
}

std::string_view WordFor(KeyPlace place) {
  return place == KeyPlace::kLabel ? "label" : "annotation";
}

// "queue" is a name that others use too: it is YuniKorn's where another key of YuniKorn's is there.
bool IsYuniKorns(std::string_view packed) {
  bool found = false;
  ForEachAsk(packed, [&](const ForeignAsk& ask) {
    found |= ask.key == "applicationId" || ask.key.starts_with("yunikorn.");
  });
  return found;
}

bool IsDemand(std::string_view packed, const ForeignAsk& ask, MetAlready met) {
  if (ask.row == nullptr || ask.row->asks != KeyAsks::kDemand || !IsReadHere(ask)) return false;
  if (ask.row->met_by == MetBy::kGang && met.gang) return false;
  if (ask.row->met_by == MetBy::kQueue && met.queue) return false;
  if (!ask.row->harmless.empty() && IsOneOf(ask.value, ask.row->harmless)) return false;
  return ask.key != kQueueLabelOfYuniKorn || IsYuniKorns(packed);
}

}  // namespace

std::string PackForeign(const objects::Labels& labels, const objects::Labels& annotations,
                        std::string_view class_name, const objects::PodNeeds* needs) {
  std::string packed;
  for (const auto& [key, value] : labels) {
    if (MayBeForeign(key)) PackKey(kLabelMark, key, value, class_name, needs != nullptr, packed);
  }
  bool share = false;
  for (const auto& [key, value] : annotations) {
    if (!MayBeForeign(key)) continue;
    PackKey(kAnnotationMark, key, value, class_name, needs != nullptr, packed);
    share |= AsksShare(key);
  }
  const bool asks_devices = share && needs != nullptr &&
                            (needs->gpu_milli > 0 || objects::AmountOf(needs->request, kGpu) > 0);
  if (asks_devices) Add(kDevicesMark, kGpu, "", packed);
  return packed;
}

std::string PackForeignOfNameSpace(const objects::Labels& annotations) {
  std::string packed;
  for (const auto& [key, value] : annotations) {
    if (key.starts_with("yunikorn.")) PackKey(kAnnotationMark, key, value, "", false, packed);
  }
  return packed;
}

void ForEachAsk(std::string_view packed, const std::function<void(const ForeignAsk&)>& take) {
  const auto next = [&packed] {
    const std::string_view text = packed.substr(0, packed.find('\0'));
    packed.remove_prefix(text.size() + 1);
    return text;
  };
  while (!packed.empty()) {
    const std::string_view marked = next();
    const char mark = marked.front();
    const std::string_view key = marked.substr(1);
    take({.place = mark == kLabelMark        ? KeyPlace::kLabel
                   : mark == kAnnotationMark ? KeyPlace::kAnnotation
                                             : KeyPlace::kEither,
          .key = key,
          .value = next(),
          .row = mark == kDevicesMark ? nullptr : FindForeignKey(key)});
  }
}

std::string FieldOf(std::string_view of, const ForeignAsk& ask) {
  return fmt::format("{}metadata.{}s['{}']", of, WordFor(ask.place), ask.key);
}

namespace {

// Further demands of one object, by what serves instead.
struct OthersServed {
  std::string_view instead;
  std::string keys;  // "label a, annotation b"
};

void NoteOther(const ForeignAsk& ask, std::vector<OthersServed>& others) {
  auto at = std::ranges::find(others, ask.row->instead, &OthersServed::instead);
  if (at == others.end()) at = others.insert(at, {.instead = ask.row->instead, .keys = ""});
  at->keys += fmt::format("{}{} {}", at->keys.empty() ? "" : ", ", WordFor(ask.place), ask.key);
}

}  // namespace

std::optional<state::Reason> ForeignHold(std::string_view packed, MetAlready met,
                                         std::string_view of) {
  if (packed.empty()) return std::nullopt;  // as nearly always
  std::optional<state::Reason> hold;
  std::vector<OthersServed> others;
  ForEachAsk(packed, [&](const ForeignAsk& ask) {
    if (!IsDemand(packed, ask, met)) return;
    if (hold) {
      NoteOther(ask, others);
      return;
    }
    others.push_back({.instead = ask.row->instead, .keys = ""});
    hold = state::Reason{
        .code = state::ReasonCode::kUnsupportedConstraint,
        .message = fmt::format("{} {} asks for {}, which is not supported, so it waits; {}",
                               WordFor(ask.place), ask.key, ask.row->what, ask.row->instead),
        .field = FieldOf(of, ask)};
  });
  for (const OthersServed& each : others) {
    if (each.keys.empty()) continue;
    const bool as_first = &each == &others.front();
    hold->message += fmt::format("; the same goes for {}{}{}", each.keys, as_first ? "" : ": ",
                                 as_first ? "" : each.instead);
  }
  return hold;
}

namespace {

// "; did you mean kai.scheduler/queue?", where a key of that namespace is as near; or nothing.
std::string KeyMeant(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return "";
  const std::string_view name_space = key.substr(0, slash + 1);
  std::vector<std::string> names;
  for (const ForeignKey& row : AllForeignKeys()) {
    if (row.key.starts_with(name_space)) names.emplace_back(row.key.substr(name_space.size()));
  }
  const std::vector<std::string> near = NearNames(key.substr(slash + 1), names, 1);
  return near.empty() ? "" : fmt::format("; did you mean {}{}?", name_space, near.front());
}

// What serves instead of a key that is passed over, or does so already.
std::string WhatElse(const ForeignKey& row, MetAlready met) {
  if (row.met_by == MetBy::kGang && met.gang) return "; its Workload, PodGroup or Job decides that";
  if (row.met_by == MetBy::kQueue && met.queue) return "; its queue is named elsewhere";
  return row.instead.empty() ? "" : fmt::format("; {}", row.instead);
}

}  // namespace

void TellForeign(std::string_view packed, MetAlready met,
                 const std::function<void(std::string_view code, std::string message)>& tell) {
  ForEachAsk(packed, [&](const ForeignAsk& ask) {
    if (ask.place == KeyPlace::kEither || IsDemand(packed, ask, met)) return;
    const std::string named = fmt::format("{} {}", WordFor(ask.place), ask.key);
    if (ask.row == nullptr) {
      tell("NotKnown", fmt::format("{} is not known, and passed over{}", named, KeyMeant(ask.key)));
    } else if (!IsReadHere(ask)) {
      tell("NotSupported", fmt::format("{} is passed over: its place is among the {}s", named,
                                       WordFor(ask.row->place)));
    } else if (ask.row->asks == KeyAsks::kOfPods) {
      tell("NotSupported",
           fmt::format("{} ({}) is passed over: it is read of pods, and of their template", named,
                       ask.row->what));
    } else if (ask.row->asks == KeyAsks::kDemand || ask.row->asks == KeyAsks::kNothing) {
      if (!ask.row->harmless.empty() && IsOneOf(ask.value, ask.row->harmless)) return;
      tell("NotSupported",
           fmt::format("{} ({}) is passed over{}", named, ask.row->what, WhatElse(*ask.row, met)));
    }
  });
}

}  // namespace fairlead::intake
