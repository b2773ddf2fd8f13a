#include "intake/foreign_asks.h"

#include <algorithm>

#include <fmt/format.h>

// Packed: one entry after the other, each its place ('L', 'A'; 'D': the pods ask devices by
// themselves), its key, a zero, its value, a zero. Values are there only where one of them makes a
// difference, so that pods which differ in an index alone still claim the same (claims.h).

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

void PackKey(char mark, const std::string& key, std::string_view value, std::string_view class_name,
             std::string& packed) {
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
    if (MayBeForeign(key)) PackKey(kLabelMark, key, value, class_name, packed);
  }
  bool share = false;
  for (const auto& [key, value] : annotations) {
    if (!MayBeForeign(key)) continue;
    PackKey(kAnnotationMark, key, value, class_name, packed);
    share |= AsksShare(key);
  }
  const bool asks_devices = share && needs != nullptr &&
                            (needs->gpu_milli > 0 || objects::AmountOf(needs->request, kGpu) > 0);
  if (asks_devices) Add(kDevicesMark, kGpu, "", packed);
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

std::optional<state::Reason> ForeignHold(std::string_view packed, MetAlready met,
                                         std::string_view of) {
  std::optional<state::Reason> hold;
  ForEachAsk(packed, [&](const ForeignAsk& ask) {
    if (hold || !IsDemand(packed, ask, met)) return;
    hold = state::Reason{
        .code = state::ReasonCode::kUnsupportedConstraint,
        .message = fmt::format("{} {} asks for {}, which is not supported and not ignored either; "
                               "{}",
                               WordFor(ask.place), ask.key, ask.row->what, ask.row->instead),
        .field = FieldOf(of, ask)};
  });
  return hold;
}

void TellForeign(std::string_view packed, MetAlready met,
                 const std::function<void(std::string_view code, std::string message)>& tell) {
  ForEachAsk(packed, [&](const ForeignAsk& ask) {
    if (ask.place == KeyPlace::kEither || IsDemand(packed, ask, met)) return;
    const std::string named = fmt::format("{} {}", WordFor(ask.place), ask.key);
    if (ask.row == nullptr) {
      tell("NotKnown", fmt::format("{} is not known, and passed over", named));
    } else if (!IsReadHere(ask)) {
      tell("NotSupported", fmt::format("{} is passed over: its place is among the {}s", named,
                                       WordFor(ask.row->place)));
    } else if (ask.row->asks == KeyAsks::kDemand || ask.row->asks == KeyAsks::kNothing) {
      if (!ask.row->harmless.empty() && IsOneOf(ask.value, ask.row->harmless)) return;
      const bool met_here = ask.row->met_by != MetBy::kNone &&
                            (ask.row->met_by == MetBy::kGang ? met.gang : met.queue);
      tell("NotSupported", fmt::format("{} ({}) is passed over{}{}", named, ask.row->what,
                                       met_here || ask.row->instead.empty() ? "" : "; ",
                                       met_here ? "" : ask.row->instead));
    }
  });
}

}  // namespace fairlead::intake
