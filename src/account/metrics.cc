#include "account/metrics.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "account/metrics_books.h"
#include "base/quantity.h"
#include "objects/keys.h"

namespace fairlead::account {
namespace {

Duration NearestRank(const std::vector<std::int64_t>& sorted, std::size_t percent) {
  return {sorted[(sorted.size() * percent + 99) / 100 - 1]};
}

Spread SpreadOf(std::vector<std::int64_t> us) {
  Spread spread;
  if (us.empty()) return spread;
  std::sort(us.begin(), us.end());
  const __int128 sum = std::accumulate(us.begin(), us.end(), static_cast<__int128>(0));
  spread.count = static_cast<std::int64_t>(us.size());
  spread.mean = {static_cast<std::int64_t>(sum / spread.count)};
  spread.p50 = NearestRank(us, 50);
  spread.p95 = NearestRank(us, 95);
  spread.p99 = NearestRank(us, 99);
  spread.max = {us.back()};
  return spread;
}

// From amount × µs in the resource's unit to whole units × seconds, rounded down.
std::int64_t UnitSeconds(std::string_view resource, __int128 amount_us) {
  const std::int64_t per_unit = ScaleOf(resource) == Scale::kMilli ? 1000 : 1;
  return static_cast<std::int64_t>(amount_us / (static_cast<__int128>(per_unit) * 1'000'000));
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

MetricsReport Metrics::Books::Report(Time now) const {
  MetricsReport report;
  report.pods = pods_seen_;
  report.bound = ever_bound_;
  report.finished = finished_;
  report.evictions = evictions_;
  std::vector<std::int64_t> pending(queues_.size(), 0);
  for (const auto& [name, pod] : pods_) {
    if (pod.foreign) continue;
    if (pod.placed()) ++report.running;
    if (pod.state != state::PodState::kPending) continue;
    ++report.pending;
    if (pod.gang == kNone && pod.queue != kNone) ++pending[pod.queue];
  }
  for (Index gang = 0; gang < gangs_.size(); ++gang) {
    if (starts_.Waits(gang)) ++pending[gangs_[gang].queue];
  }
  const bool all_ended = report.running == 0 && report.pending == 0;
  const Time begin = std::max(start_, first_submission_.value_or(start_));
  report.makespan = std::max(Duration{}, (all_ended ? last_end_ : now) - begin);

  const Duration rest = std::max(Duration{}, now - last_);
  for (const Resource& resource : resources_) {
    Use use{
        .resource = resource.name,
        .allocated = resource.allocated_us + static_cast<__int128>(resource.allocated) * rest.us,
        .capacity = resource.capacity_us + static_cast<__int128>(resource.capacity) * rest.us,
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

  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    all.insert(all.end(), queues_[i].waiting_us.begin(), queues_[i].waiting_us.end());
    report.queues.push_back({.queue = queues_[i].name,
                             .waiting = SpreadOf(queues_[i].waiting_us),
                             .pending = pending[i]});
  }
  SortBy(report.queues, [](const QueueWaiting& q) -> const std::string& { return q.queue; });
  report.waiting = SpreadOf(std::move(all));
  report.completion = SpreadOf(completion_us_);
  return report;
}

Metrics::Metrics(Time start) : books_(std::make_unique<Books>(start)) {}
Metrics::~Metrics() = default;

void Metrics::OnEvent(const drive::Event& event) {
  if (event.type == drive::EventType::kEvict) {
    books_->CountEviction(event.time, event.pod);
  } else if (event.type == drive::EventType::kComplete) {
    books_->CountCompletion(event.time, event.object);
  }
}

void Metrics::OnChanges(Time now, std::span<const state::Change> changes) {
  books_->Advance(now);
  for (const state::Change& change : changes) books_->Apply(now, change);
  books_->JudgeGangs(now);
}

void Metrics::OnRound(const engine::Scheduler& scheduler, const engine::Plan&) {
  daemon_sets_ = scheduler.daemon_set_counts();
}

MetricsReport Metrics::Report(Time now) const {
  MetricsReport report = books_->Report(now);
  report.daemon_sets = daemon_sets_;
  return report;
}

}  // namespace fairlead::account
