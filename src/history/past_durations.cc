#include "history/past_durations.h"

#include <algorithm>

namespace fairlead::history {

std::string_view PastDurations::StemOf(std::string_view workload) {
  while (!workload.empty() && workload.back() >= '0' && workload.back() <= '9') {
    workload.remove_suffix(1);
  }
  return workload;
}

void PastDurations::Add(std::string_view queue, std::string_view workload, Duration ran) {
  std::vector<Duration>& known = by_kind_[{std::string(queue), std::string(StemOf(workload))}];
  if (known.size() < kMost) known.push_back(ran);
}

void PastDurations::Sort() {
  for (auto& [kind, known] : by_kind_) std::ranges::sort(known);
}

const std::vector<Duration>* PastDurations::Of(std::string_view queue,
                                               std::string_view workload) const {
  const auto found = by_kind_.find({std::string(queue), std::string(StemOf(workload))});
  return found == by_kind_.end() || found->second.size() < kLeast ? nullptr : &found->second;
}

Result<PastDurations> PastDurations::Read(Reader& reader) {
  PastDurations past;
  Filter filter;
  filter.limit = 1'000;
  for (bool more = true; more;) {
    auto page = reader.Workloads(filter);
    if (!page) return tl::unexpected(page.error());
    for (const EndedRow& row : page->rows) {
      const Ended& ended = row.ended;
      if (!ended.started || ended.outcome != "Succeeded") continue;
      past.Add(ended.queue, ended.workload, ended.finished - *ended.started);
    }
    more = page->more && !page->rows.empty();
    if (more) filter.before = page->rows.back().seq;  // the newest come first
  }
  past.Sort();
  return past;
}

}  // namespace fairlead::history
