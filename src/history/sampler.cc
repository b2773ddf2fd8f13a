#include "history/sampler.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "engine/explain/explain.h"
#include "state/cluster.h"

namespace fairlead::history {
namespace {

using state::Figure;
using state::QueueId;
using state::QueueTree;

constexpr std::int64_t kMinutesAnHour = 60;

// What is counted of workloads, by queue; all those below count in their parents too.
struct Counts {
  std::int32_t running = 0, pending = 0;
  std::optional<Time> waiting_since;
};

std::vector<Counts> CountWorkloads(const state::Cluster& cluster) {
  std::vector<Counts> counts(cluster.queues().size());
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const state::WorkloadId id(i);
    const state::Workload& workload = cluster.workloads()[id];
    if (!workload.in_use) continue;
    const bool pending = engine::IsPending(cluster, id);
    if (!pending && workload.live == 0) continue;
    for (QueueId q = workload.queue; q.valid(); q = cluster.queues()[q].parent) {
      Counts& of = counts[q.value()];
      ++(pending ? of.pending : of.running);
      if (!pending) continue;
      of.waiting_since = std::min(of.waiting_since.value_or(workload.created), workload.created);
    }
  }
  return counts;
}

std::vector<std::int64_t> AmountsOf(const state::Cluster& cluster, QueueId q, Figure figure) {
  std::vector<std::int64_t> amounts;
  for (const state::ResourceId r : cluster.resources().SortedByName()) {
    amounts.push_back(cluster.queues().Get(q, figure, r));
  }
  return amounts;
}

QueueUsage UsageOf(const state::Cluster& cluster, QueueId q, const Counts& counts) {
  const bool whole = q == QueueTree::Root();
  const state::Queue& queue = cluster.queues()[q];
  QueueUsage usage;
  if (whole) {
    for (const state::ResourceId r : cluster.resources().SortedByName()) {
      usage.allocatable.push_back(cluster.queues().capacity(r));
    }
  } else {
    usage.queue = queue.name;
    usage.parent = queue.parent_name;
    usage.fair_share = AmountsOf(cluster, q, Figure::kFairShare);
  }
  usage.allocated = AmountsOf(cluster, q, Figure::kAllocated);
  usage.requested = AmountsOf(cluster, q, Figure::kRequested);
  usage.running = counts.running;
  usage.pending = counts.pending;
  usage.waiting_since = counts.waiting_since;
  return usage;
}

}  // namespace

Sampler::Sampler(MachineClock clock) : clock_(std::move(clock)), refilled_(clock_()) {}

bool Sampler::MayTake() {
  const Duration now = clock_();
  rows_left_ += static_cast<double>((now - refilled_).us) * kRowsPerSecond / 1e6;
  rows_left_ = std::min(rows_left_, kRowsPerSecond);
  refilled_ = now;
  // One large sample may take more than there is; the following ones wait for it.
  return rows_left_ > 0;
}

std::vector<Sample> Sampler::Due(const engine::Scheduler& scheduler, Time now) {
  const std::int64_t minute = now.us / kMinuteUs;
  std::vector<Sample> due;
  if (!minute_) {
    due.push_back(Take(scheduler, now));
    minute_ = minute;
    return due;
  }
  const std::int64_t before = std::exchange(*minute_, std::max(*minute_, minute));
  if (minute <= before || !MayTake()) return due;
  if (minute > before + 1) due.push_back(Take(scheduler, {(before + 1) * kMinuteUs}));
  due.push_back(Take(scheduler, {minute * kMinuteUs}));
  for (const Sample& sample : due) {
    rows_left_ -= static_cast<double>(sample.queues.size() + 1);
  }
  return due;
}

void Sampler::NoteResources(const engine::Scheduler& scheduler) {
  Resources resources;
  const state::ResourceTable& table = scheduler.cluster().resources();
  for (const state::ResourceId r : table.SortedByName()) {
    const std::string& name = table.name(r);
    resources.push_back({.name = name, .scale = ScaleOf(name) == Scale::kMilli ? 1000 : 1});
  }
  if (resources_ != nullptr && *resources_ == resources) return;
  resources_ = std::make_shared<const Resources>(std::move(resources));
  last_.clear();
}

Sample Sampler::Take(const engine::Scheduler& scheduler, Time at) {
  NoteResources(scheduler);
  const state::Cluster& cluster = scheduler.cluster();
  const std::vector<Counts> counts = CountWorkloads(cluster);
  const std::int64_t hour = at.us / kMinuteUs / kMinutesAnHour;
  const bool all = hour != whole_hour_;
  whole_hour_ = hour;
  Sample sample{.time = at, .resources = resources_};
  std::map<std::string, QueueUsage> now;
  for (const QueueId q : cluster.queues().order()) {
    if (q != QueueTree::Root() && !cluster.queues()[q].exists) continue;
    QueueUsage usage = UsageOf(cluster, q, counts[q.value()]);
    const auto before = last_.find(usage.queue);
    if (all || before == last_.end() || before->second != usage) sample.queues.push_back(usage);
    if (before != last_.end()) last_.erase(before);
    std::string name = usage.queue;
    now.emplace(std::move(name), std::move(usage));
  }
  for (const auto& [name, usage] : last_) sample.queues.push_back({.queue = name, .gone = true});
  last_ = std::move(now);
  return sample;
}

}  // namespace fairlead::history
