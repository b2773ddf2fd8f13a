#include "account/metrics_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "account/metrics.h"
#include "base/quantity.h"
#include "base/wide_int.h"
#include "objects/keys.h"

namespace fairlead::account {
namespace {

// From amount × µs in the resource's unit to whole units × seconds, rounded down.
std::int64_t UnitSeconds(std::string_view resource, WideInt amount_us) {
  const std::int64_t per_unit = ScaleOf(resource) == Scale::kMilli ? 1000 : 1;
  return static_cast<std::int64_t>(amount_us / (static_cast<WideInt>(per_unit) * 1'000'000));
}

template <typename Entry, typename Name>
void SortBy(std::vector<Entry>& entries, Name name) {
  std::sort(entries.begin(), entries.end(),
            [name](const Entry& a, const Entry& b) { return name(a) < name(b); });
}

}  // namespace

double Use::Percent() const {
  if (capacity <= 0) return 0;
  return 100.0 * static_cast<double>(allocated) / static_cast<double>(capacity);
}

// `pending`: workloads that wait, by queue.
void Metrics::CountPods(MetricsReport& report, std::vector<std::int64_t>& pending) const {
  report.pods = pods_seen_;
  report.bound = ever_bound_;
  report.finished = finished_;
  report.evictions = evictions_;
  fold_.ForEachPod([&](const Fold::Pod& pod) {
    if (pod.foreign) return;
    if (pod.placed()) ++report.running;
    if (pod.state != state::PodState::kPending) return;
    ++report.pending;
    if (pod.gang == kNoIndex && pod.queue != kNoIndex) ++pending[pod.queue];
  });
  for (const Fold::Gang& gang : fold_.gangs()) {
    if (gang.Waits()) ++pending[gang.queue];
  }
}

void Metrics::AddResources(Time now, MetricsReport& report) const {
  const Duration rest = std::max(Duration{}, now - last_);
  for (const Resource& resource : resources_) {
    Use use{.resource = resource.name,
            .allocated = resource.allocated_us + static_cast<WideInt>(resource.allocated) * rest.us,
            .capacity = resource.capacity_us + static_cast<WideInt>(resource.capacity) * rest.us,
            .peak_allocated = resource.peak};
    if (resource.name == objects::kGpuResource && use.capacity > 0) report.gpu = use;
    report.utilisation.push_back(std::move(use));
    if (resource.lost_us > 0 && resource.name != objects::kPodsResource) {
      report.lost_seconds.emplace_back(resource.name, UnitSeconds(resource.name, resource.lost_us));
    }
    if (resource.lost_as_dominant > Duration{}) {
      report.lost_by_dominant.emplace_back(resource.name, resource.lost_as_dominant);
    }
  }
  const auto first = [](const auto& entry) -> const std::string& { return entry.first; };
  SortBy(report.lost_seconds, first);
  SortBy(report.lost_by_dominant, first);
  SortBy(report.utilisation, [](const Use& use) -> const std::string& { return use.resource; });
}

MetricsReport Metrics::Report(Time now) const {
  MetricsReport report;
  std::vector<std::int64_t> pending(fold_.queue_count(), 0);
  CountPods(report, pending);
  const bool all_ended = report.running == 0 && report.pending == 0;
  const Time begin = std::max(start_, first_submission_.value_or(start_));
  report.makespan = std::max(Duration{}, (all_ended ? last_end_ : now) - begin);
  AddResources(now, report);

  for (FoldIndex queue = 0; queue < pending.size(); ++queue) {
    report.queues.push_back(
        {.queue = fold_.queue(queue),
         .waiting = queue < waiting_.size() ? waiting_[queue].spread() : Spread{},
         .pending = pending[queue]});
  }
  SortBy(report.queues, [](const QueueWaiting& q) -> const std::string& { return q.queue; });
  Durations all;
  for (const Durations& waited : waiting_) all.Add(waited);
  report.waiting = all.spread();
  report.completion = completion_.spread();
  report.daemon_sets = daemon_sets_;
  return report;
}

}  // namespace fairlead::account
