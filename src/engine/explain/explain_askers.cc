#include "engine/explain/explain_askers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "engine/explain/explain.h"
#include "engine/place/obstacles.h"
#include "policy/node_fit.h"
#include "policy/queue_order.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::ShapeId;
using state::WorkloadId;
using Verdict = AskerReport::Verdict;

// Of the pods that have still to be placed, the first's; invalid: there are none.
ShapeId ShapeOf(const state::Cluster& cluster, WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  if (workload.solo()) return cluster.pods()[workload.only_pod].shape;
  for (const state::PodSet& set : cluster.workloads().gang(w).sets) {
    if (set.MissingExpected() > 0) return set.expected_shape;
    for (const state::PodId p : set.pods) {
      if (cluster.pods()[p].waits()) return cluster.pods()[p].shape;
    }
  }
  return {};
}

// What a pod of that shape lacks of the node.
struct AskerStanding {
  Verdict verdict = Verdict::kHasRoom;
  std::string lacks;
};

std::optional<std::string> UnmetDemand(const state::Cluster& cluster, const state::Shape& shape,
                                       NodeId n) {
  for (const policy::NodeDemand& demand : policy::NodeDemands()) {
    if (!policy::IsMadeBy(demand, shape) || demand.met(cluster, shape, n)) continue;
    const std::string what = demand.what == nullptr ? "" : demand.what(cluster, shape, n);
    std::string nodes = demand.nodes_of == nullptr ? demand.nodes : demand.nodes_of(shape);
    if (demand.names != policy::NodeDemand::Names::kNothing) {
      Obstacles obstacles(cluster, shape);
      obstacles.Add(demand.names, n, false);
      nodes += obstacles.NamesText(demand.names);
    }
    return what.empty() ? nodes : fmt::format("{} ({})", nodes, what);
  }
  return std::nullopt;
}

// "too few free GPUs (0 of 8)": what the row of the node is short of; empty: of nothing.
std::string ShortOf(const state::Cluster& cluster, const state::Amounts& need,
                    const std::int64_t* row, std::string_view free) {
  for (const state::Amount& a : need) {
    const std::int64_t have = row[a.resource.value()];
    if (have >= a.amount) continue;
    const std::string& name = cluster.resources().name(state::PublicOf(a.resource));
    const std::int64_t least = std::max<std::int64_t>(0, state::PublicAmount(a.resource, have));
    return fmt::format("{} ({} of {})", TooLittleText(name, free), HumanAmount(name, least),
                       HumanAmount(name, state::PublicAmount(a.resource, a.amount)));
  }
  return {};
}

AskerStanding StandingOfAsker(const state::Cluster& cluster, ShapeId s, NodeId n) {
  const state::Shape& shape = cluster.shapes()[s];
  if (auto demand = UnmetDemand(cluster, shape, n)) return {Verdict::kUnfit, *std::move(demand)};
  const state::NodeTable& nodes = cluster.nodes();
  std::string lacks = ShortOf(cluster, shape.request, nodes.allocatable(n), "");
  if (!lacks.empty()) return {Verdict::kUnfit, std::move(lacks)};
  lacks = ShortOf(cluster, shape.fit, nodes.free(n), "free ");
  if (!lacks.empty()) return {Verdict::kLacks, std::move(lacks)};
  return {};
}

}  // namespace

AskersReport ReportAskers(const Scheduler& scheduler, NodeId n, Time now) {
  const state::Cluster& cluster = scheduler.cluster();
  std::vector<WorkloadId> waiting;
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const WorkloadId w(i);
    if (cluster.workloads()[w].in_use && IsPending(cluster, w)) waiting.push_back(w);
  }
  AskersReport report{.waiting = std::ssize(waiting)};
  const std::size_t looked = std::min(waiting.size(), kAskersLooked);
  report.unseen = std::ssize(waiting) - static_cast<std::int64_t>(looked);
  std::partial_sort(
      waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(looked), waiting.end(),
      [&](WorkloadId a, WorkloadId b) { return policy::IsServedFirst(cluster, a, b); });
  waiting.resize(looked);
  Explainer explainer(scheduler, now);
  std::map<std::uint32_t, AskerStanding> standings;                             // by shape
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::size_t> alike;  // in the report
  for (const WorkloadId w : waiting) {
    const ShapeId s = ShapeOf(cluster, w);
    if (!s.valid()) continue;
    const state::Workload& workload = cluster.workloads()[w];
    const auto [known, fresh] = alike.try_emplace(
        {s.value(), workload.queue.value(), workload.solo()}, report.askers.size());
    if (!fresh && workload.solo()) {
      ++report.askers[known->second].alike;
      continue;
    }
    const auto [standing, first] = standings.try_emplace(s.value());
    if (first) standing->second = StandingOfAsker(cluster, s, n);
    AskerReport& asker = report.askers.emplace_back();
    asker.verdict = standing->second.verdict;
    asker.lacks = standing->second.lacks;
    asker.workload = cluster.NameOf(w);
    asker.queue = cluster.queues()[workload.queue].name;
    if (auto reason = explainer.First(w)) asker.reason = *std::move(reason);
  }
  std::ranges::stable_sort(report.askers, {}, &AskerReport::verdict);
  return report;
}

}  // namespace fairlead::engine
