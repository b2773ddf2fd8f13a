#include "show/queue_metrics.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/quantity.h"
#include "base/wide_int.h"
#include "engine/explain/report.h"
#include "show/metric_lines.h"
#include "state/cluster.h"
#include "view/workload_list.h"

namespace fairlead::show {
namespace {

using state::NodeId;
using state::ResourceId;

// The number of a canonical quantity: cores, bytes, devices.
std::string InBaseUnits(const std::string& quantity) {
  const Result<std::int64_t> milli = ParseQuantity(quantity, Scale::kMilli);
  return milli ? fmt::format("{:g}", static_cast<double>(*milli) / 1e3) : std::string("NaN");
}

void AddNodes(MetricLines& lines, const state::Cluster& cluster) {
  const state::NodeTable& nodes = cluster.nodes();
  const std::vector<ResourceId> resources = cluster.resources().SortedByName();
  std::int64_t in_service = 0, others = 0;
  std::vector<WideInt> allocatable(resources.size()), allocated(resources.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodeId n(i);
    if (!nodes.exists(n)) continue;
    ++(nodes.in_service(n) ? in_service : others);
    for (std::size_t k = 0; k < resources.size(); ++k) {
      const std::size_t r = resources[k].value();
      if (nodes.in_service(n)) allocatable[k] += nodes.allocatable(n)[r];
      allocated[k] += nodes.allocatable(n)[r] - nodes.free(n)[r];
    }
  }
  lines.Begin("fairlead_cluster_nodes", "gauge", "Nodes, by whether they take pods.");
  lines.Add(in_service, Label("state", "ready"));
  lines.Add(others, Label("state", "other"));
  const std::pair<std::string_view, const std::vector<WideInt>*> amounts[] = {
      {"allocatable", &allocatable}, {"allocated", &allocated}};
  for (const auto& [name, sums] : amounts) {
    lines.Begin(fmt::format("fairlead_cluster_{}", name), "gauge", "Of all nodes, by resource.");
    for (std::size_t k = 0; k < resources.size(); ++k) {
      const std::string& resource = cluster.resources().name(resources[k]);
      lines.Add(FormatWide((*sums)[k], DecimalsOf(ScaleOf(resource))), Label("resource", resource));
    }
  }
}

void AddQueues(MetricLines& lines, const std::vector<engine::QueueReport>& queues) {
  lines.Begin("fairlead_queue_pending_workloads", "gauge", "Workloads that wait in a queue.");
  for (const auto& queue : queues) lines.Add(queue.pending_workloads, Label("queue", queue.name));
  lines.Begin("fairlead_queue_running_workloads", "gauge", "Workloads that run in a queue.");
  for (const auto& queue : queues) lines.Add(queue.running_workloads, Label("queue", queue.name));
  const std::pair<std::string_view, engine::Quantities engine::QueueReport::*> amounts[] = {
      {"guaranteed", &engine::QueueReport::guaranteed},
      {"limit", &engine::QueueReport::limit},
      {"requested", &engine::QueueReport::requested},
      {"allocated", &engine::QueueReport::allocated},
      {"fair_share", &engine::QueueReport::fair_share}};
  for (const auto& [name, member] : amounts) {
    lines.Begin(fmt::format("fairlead_queue_{}", name), "gauge",
                "Of a queue, by resource; as in its status, in base units.");
    for (const auto& queue : queues) {
      for (const auto& [resource, quantity] : queue.*member) {
        lines.Add(InBaseUnits(quantity),
                  Label("queue", queue.name) + "," + Label("resource", resource));
      }
    }
  }
}

// Queues hold what their children hold: those at the top hold all.
void AddWork(MetricLines& lines, const std::vector<engine::QueueReport>& queues) {
  std::int64_t pending = 0, running = 0;
  for (const auto& queue : queues) {
    if (!queue.parent.empty()) continue;
    pending += queue.pending_workloads;
    running += queue.running_workloads;
  }
  lines.Begin("fairlead_cluster_workloads", "gauge", "Workloads that wait or run.");
  lines.Add(pending, Label("state", "pending"));
  lines.Add(running, Label("state", "running"));
}

}  // namespace

std::string QueueMetricsText(const engine::Scheduler& scheduler) {
  MetricLines lines;
  const std::vector<engine::QueueReport> queues = engine::ReportQueues(scheduler);
  AddNodes(lines, scheduler.cluster());
  AddWork(lines, queues);
  AddQueues(lines, queues);
  return lines.Take();
}

std::string HopelessMetricsText(const view::View& view) {
  MetricLines lines;
  const auto by_queue = view::HopelessByQueue(*view.tables);
  std::int64_t all = 0;
  view.tables->workloads.ForEachUsed(
      [&](const view::WorkloadRow& row) { all += row.hopeless ? 1 : 0; });
  lines.Begin("fairlead_cluster_never_starting_workloads", "gauge",
              "Of the pending workloads those that can never start as they are written.");
  lines.Add(all);
  lines.Begin("fairlead_queue_never_starting_workloads", "gauge",
              "Of a queue's pending workloads those that can never start as they are written.");
  for (const std::uint32_t i : *view.tables->queue_order) {
    const std::string& queue = *view.tables->queues[i].name;
    const auto found = by_queue.find(queue);
    lines.Add(found == by_queue.end() ? 0 : found->second, Label("queue", queue));
  }
  return lines.Take();
}

}  // namespace fairlead::show
