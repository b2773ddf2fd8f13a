#include "history/past_durations.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "objects/pod_maker.h"

namespace fairlead::history {

std::string MakerOf(const objects::Meta& meta) {
  const objects::OwnerReference* maker = objects::PodMakerOf(meta);
  if (maker == nullptr) return {};
  return fmt::format("{} {}/{}", maker->kind, meta.name_space, maker->name);
}

std::string_view PastDurations::StemOf(std::string_view work) {
  while (!work.empty() && work.back() >= '0' && work.back() <= '9') work.remove_suffix(1);
  return work;
}

void PastDurations::Kind::Add(Duration ran) {
  if (by_end.size() < kMost) {
    by_end.push_back(ran);
  } else {
    const Duration gone = std::exchange(by_end[oldest], ran);
    oldest = (oldest + 1) % kMost;
    sorted.erase(std::ranges::lower_bound(sorted, gone));
  }
  sorted.insert(std::ranges::upper_bound(sorted, ran), ran);
}

void PastDurations::Add(std::string_view queue, std::string_view work, Duration ran) {
  by_kind_[{std::string(queue), std::string(StemOf(work))}].Add(ran);
  by_queue_[std::string(queue)].Add(ran);
}

std::map<std::string, Duration> PastDurations::MediansByQueue() const {
  std::map<std::string, Duration> medians;
  for (const auto& [queue, kind] : by_queue_) {
    if (kind.sorted.size() < kLeast) continue;
    medians[queue] = Duration::Seconds(kind.sorted[kind.sorted.size() / 2].WholeSeconds());
  }
  return medians;
}

void PastDurations::Add(const Ended& ended) {
  if (!ended.started || ended.outcome != "Succeeded") return;
  Add(ended.queue, ended.made_by.empty() ? ended.workload : ended.made_by,
      ended.finished - *ended.started);
}

const std::vector<Duration>* PastDurations::Of(std::string_view queue,
                                               std::string_view work) const {
  const auto found = by_kind_.find({std::string(queue), std::string(StemOf(work))});
  const bool enough = found != by_kind_.end() && found->second.sorted.size() >= kLeast;
  return enough ? &found->second.sorted : nullptr;
}

Result<void> PastDurations::ReadOn(Reader& reader) {
  Filter filter;
  filter.limit = 1'000;
  const bool first = !read_;
  if (!first) filter.after = read_;  // then the oldest come first
  std::vector<EndedRow> newest;      // first
  for (bool more = true; more;) {
    auto page = reader.Workloads(filter);
    if (!page) return tl::unexpected(page.error());
    more = page->more && !page->rows.empty();
    for (EndedRow& row : page->rows) {
      read_ = std::max(read_.value_or(row.seq), row.seq);
      if (first) {
        newest.push_back(std::move(row));
      } else {
        Add(row.ended);
      }
    }
    if (!more) break;
    if (first) {
      more = newest.size() < kReads;
      filter.before = newest.back().seq;
    } else {
      filter.after = read_;
    }
  }
  for (const EndedRow& row : newest | std::views::reverse) Add(row.ended);
  return {};
}

}  // namespace fairlead::history
