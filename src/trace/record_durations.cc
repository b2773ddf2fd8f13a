#include "trace/record_durations.h"

#include <algorithm>

#include <fmt/format.h>

#include "objects/templates.h"
#include "virtual/world.h"

namespace fairlead::trace {
namespace {

using virtual_cluster::kRunDuration;

Duration MedianOf(std::vector<Duration> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

void Set(objects::Object& object, const std::string& set, Duration lasts) {
  const std::string text = WrittenDuration(lasts);
  if (auto* pod = std::get_if<objects::Pod>(&object)) {
    virtual_cluster::SetLabel(pod->meta.annotations, kRunDuration, text);
  }
  ForEachTemplate(object, [&](const std::string& name, objects::PodTemplate& from) {
    if (name == set) virtual_cluster::SetLabel(from.annotations, kRunDuration, text);
  });
}

}  // namespace

Durations::Pools Durations::PoolsOf() const {
  Pools pools;
  for (const Entry& entry : entries_) {
    if (!entry.seen || entry.how != How::kEnded) continue;
    pools.by_kind[{entry.kind, entry.name_space}].push_back(*entry.seen);
    pools.by_kind[{entry.kind, std::string()}].push_back(*entry.seen);
    pools.all.push_back(*entry.seen);
  }
  if (!pools.all.empty()) return pools;
  for (const Entry& entry : entries_) {
    if (entry.seen) pools.all.push_back(*entry.seen);
  }
  return pools;
}

void Durations::SetAll(std::vector<objects::Object>& work) const {
  const Pools pools = PoolsOf();
  std::map<std::pair<std::string, std::string>, Duration> medians;
  for (const auto& [key, pool] : pools.by_kind) medians.emplace(key, MedianOf(pool));
  std::optional<Duration> of_all;
  if (!pools.all.empty()) of_all = MedianOf(pools.all);
  for (const Entry& entry : entries_) {
    std::optional<Duration> lasts = entry.seen;
    if (!lasts || entry.how == How::kWentOn) {
      auto median = medians.find({entry.kind, entry.name_space});
      if (median == medians.end()) median = medians.find({entry.kind, std::string()});
      // An absent one is the smallest.
      lasts = std::max(lasts, median == medians.end() ? of_all : std::optional(median->second));
    }
    if (lasts) Set(work[entry.work], entry.set, *lasts);
  }
}

std::vector<std::string> Durations::Warnings() const {
  std::int64_t removed = 0, went_on = 0, never = 0, ran = 0;
  for (const Entry& entry : entries_) {
    if (!entry.seen) {
      ++never;
      continue;
    }
    ++ran;
    removed += entry.how == How::kRemoved ? 1 : 0;
    went_on += entry.how == How::kWentOn ? 1 : 0;
  }
  std::vector<std::string> lines;
  const auto add = [&](std::int64_t count, std::string_view one, std::string_view many,
                       std::string_view last) {
    if (count == 0) return;
    lines.push_back(fmt::format("{} {}: {}", count, count == 1 ? one : many, last));
  };
  add(removed, "job or pod was removed before its end",
      "jobs and pods were removed before their end", "taken to last as long as seen");
  add(went_on, "job or pod was not over when the record ends",
      "jobs and pods were not over when the record ends",
      "taken to last as long as seen, and at least for the median of its kind");
  add(never, "job or pod never ran", "jobs and pods never ran",
      ran > 0 ? "taken to last for the median of its kind"
              : "nor did anything else, so that no end is known");
  return lines;
}

std::string WrittenDuration(Duration duration) {
  constexpr Duration kLongest = Duration::Seconds(std::int64_t{250} * 365 * 86'400);
  return FormatDuration(std::min(duration, kLongest));
}

}  // namespace fairlead::trace
