#include "engine/round/usage_over_time.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fairlead::engine {

using state::Figure;
using state::NodeId;
using state::PodId;
using state::QueueId;
using state::Usage;

void UsageOverTime::Configure() {
  cluster_.queues().usage().Configure(cluster_.configuration().usage);
}

void UsageOverTime::PassTo(Time now) {
  Usage& usage = cluster_.queues().usage();
  if (!usage.kept()) return;
  usage.Widen(cluster_.queues().size(), cluster_.resources().size());
  usage.PassTo(now);
  BeginNew();
}

// Of pods that are gone nothing is known any more but what the cluster shows of their queue.
void UsageOverTime::BeginNew() {
  state::QueueTree& queues = cluster_.queues();
  Usage& usage = queues.usage();
  std::vector<std::vector<Usage::Start>> starts(queues.size());
  std::vector<bool> is_new(queues.size(), false);
  bool any = false;
  for (const QueueId q : queues.order()) {
    is_new[q.value()] = !usage.has_begun(q);
    any |= is_new[q.value()];
  }
  if (!any) return;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    if (!cluster_.nodes().exists(NodeId(i))) continue;
    for (const PodId p : cluster_.nodes().pods(NodeId(i))) {
      const state::Pod& pod = cluster_.pods()[p];
      if (pod.foreign || !pod.counts()) continue;
      QueueId q = cluster_.workloads()[pod.workload].queue;
      for (; q.valid(); q = queues[q].parent) {
        if (!is_new[q.value()]) continue;
        for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
          if (!queues.Counts(a.resource)) continue;
          starts[q.value()].push_back(
              {.at = pod.scheduled, .resource = a.resource, .amount = a.amount});
        }
      }
    }
  }
  for (const QueueId q : queues.order()) {
    if (!is_new[q.value()]) continue;
    std::vector<Usage::Start>& of_queue = starts[q.value()];
    std::sort(of_queue.begin(), of_queue.end(),
              [](const Usage::Start& a, const Usage::Start& b) { return a.at < b.at; });
    Usage::Shown shown;
    const auto& said = queues[q].shown_usage;
    if (said) {
      shown.at = said->at;
      for (const auto& [name, used] : said->resources) {
        if (const auto r = cluster_.resources().FindKnown(name)) shown.used.emplace_back(*r, used);
      }
    }
    usage.Begin(q, said ? &shown : nullptr, of_queue);
  }
}

void UsageOverTime::Charge() {
  state::QueueTree& queues = cluster_.queues();
  if (!queues.usage().kept()) return;
  for (std::uint32_t i = 0; i < cluster_.resources().size(); ++i) {
    const state::ResourceId r(i);
    if (state::IsInternal(r)) continue;
    // What queues do not count, such as pods, they do not use.
    const bool counts = queues.Counts(r);
    for (const QueueId q : queues.order()) {
      queues.usage().Charge(q, r, counts ? queues.Get(q, Figure::kAllocated, r) : 0);
    }
  }
}

}  // namespace fairlead::engine
