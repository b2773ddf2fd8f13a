#include "show/simulation_json.h"

#include <cmath>
#include <string_view>

#include "base/quantity.h"
#include "base/time.h"
#include "engine/explain/report_json.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

void AddText(json::object& into, std::string_view key, std::string_view text) {
  if (!text.empty()) into[key] = text;
}

// Whole numbers stay whole, so that they print without a fraction.
json::value Seconds(Duration duration) {
  if (duration.us % 1'000'000 == 0) return duration.WholeSeconds();
  return static_cast<double>(duration.us) / 1e6;
}

json::object SpreadToJson(const account::Spread& spread) {
  return {{"count", spread.count},      {"mean", Seconds(spread.mean)},
          {"p50", Seconds(spread.p50)}, {"p95", Seconds(spread.p95)},
          {"p99", Seconds(spread.p99)}, {"max", Seconds(spread.max)}};
}

// How often victims were looked for on the node of a DaemonSet's pod, and what came of it.
json::object DaemonSetsToJson(const engine::DaemonSetCounts& counts) {
  json::object failures;
  for (std::size_t i = 0; i < counts.failures.size(); ++i) {
    if (counts.failures[i] == 0) continue;
    failures[engine::ToString(static_cast<engine::NoVictims>(i))] = counts.failures[i];
  }
  return {{"attempts", counts.attempts},
          {"victims", counts.victims},
          {"failures", std::move(failures)}};
}

json::object UseToJson(const account::Use& use) {
  return {{"percent", std::round(use.Percent() * 100) / 100},
          {"peak", FormatResource(use.resource, use.peak_allocated)}};
}

}  // namespace

json::value ToJson(const drive::Event& event) {
  json::object object;
  object["time"] = FormatTime(event.time);
  object["type"] = ToString(event.type);
  AddText(object, "kind", event.kind);
  AddText(object, "object", event.object);
  AddText(object, "pod", event.pod);
  AddText(object, "node", event.node);
  AddText(object, "workload", event.workload);
  if (event.gpu_device >= 0) object["gpuDevice"] = event.gpu_device;
  AddText(object, "action", event.action);
  AddText(object, "for", event.beneficiary);
  AddText(object, "reason", event.reason);
  if (event.type == drive::EventType::kFinish) {
    object["phase"] = objects::ToString(event.phase);
  }
  if (!event.waiting_for.empty()) {
    object["waitingFor"] = json::array(event.waiting_for.begin(), event.waiting_for.end());
  }
  if (event.type == drive::EventType::kReserve && event.pod.empty()) {
    if (event.at) object["at"] = FormatTime(*event.at);
    object["nodes"] = json::array(event.nodes.begin(), event.nodes.end());
  }
  if (event.type == drive::EventType::kLend && event.at) object["until"] = FormatTime(*event.at);
  if (event.type == drive::EventType::kAdmit) {
    object["podSets"] = engine::ToJson(
        std::vector<engine::PodSetCount>(event.pod_sets.begin(), event.pod_sets.end()));
  }
  return object;
}

json::value ToJson(const virtual_cluster::PodFinal& pod) {
  json::object object{{"pod", pod.pod}, {"phase", objects::ToString(pod.phase)}};
  AddText(object, "node", pod.node);
  return object;
}

json::value ToJson(const virtual_cluster::WorkloadFinal& workload) {
  json::array pod_sets;
  for (const virtual_cluster::PodSetFinal& pod_set : workload.pod_sets) {
    json::object object{
        {"name", pod_set.name}, {"count", pod_set.count}, {"running", pod_set.running}};
    if (pod_set.succeeded > 0) object["succeeded"] = pod_set.succeeded;
    pod_sets.push_back(std::move(object));
  }
  return json::object{{"workload", workload.workload},
                      {"state", ToString(workload.state)},
                      {"podSets", std::move(pod_sets)}};
}

json::value ToJson(const account::MetricsReport& metrics) {
  json::object lost;
  for (const auto& [resource, seconds] : metrics.lost_seconds) lost[resource] = seconds;
  json::object lost_by_dominant;
  for (const auto& [resource, duration] : metrics.lost_by_dominant) {
    lost_by_dominant[resource] = Seconds(duration);
  }
  json::object utilisation;
  for (const account::Use& use : metrics.utilisation) utilisation[use.resource] = UseToJson(use);
  json::array queues;
  for (const account::QueueWaiting& queue : metrics.queues) {
    queues.push_back(json::object{{"name", queue.queue},
                                  {"waitingSeconds", SpreadToJson(queue.waiting)},
                                  {"pendingWorkloads", queue.pending}});
  }
  json::object object{{"makespanSeconds", Seconds(metrics.makespan)},
                      {"evictions", metrics.evictions},
                      {"lostSeconds", std::move(lost)},
                      {"lostSecondsByDominant", std::move(lost_by_dominant)},
                      {"pods", json::object{{"total", metrics.pods},
                                            {"bound", metrics.bound},
                                            {"running", metrics.running},
                                            {"finished", metrics.finished},
                                            {"pending", metrics.pending}}},
                      {"waitingSeconds", SpreadToJson(metrics.waiting)},
                      {"completionSeconds", SpreadToJson(metrics.completion)},
                      {"utilisation", std::move(utilisation)}};
  if (metrics.gpu) object["gpu"] = UseToJson(*metrics.gpu);
  object["queues"] = std::move(queues);
  if (metrics.daemon_sets.attempts > 0) {
    object["daemonSetPreemption"] = DaemonSetsToJson(metrics.daemon_sets);
  }
  return object;
}

json::value ToJson(const std::vector<account::Nearness>& nearness) {
  const auto add = [](json::object& into, std::string_view key,
                      const std::optional<double>& value) {
    if (value) into[key] = std::round(*value * 100) / 100;
  };
  json::array topologies;
  for (const account::Nearness& topology : nearness) {
    json::array levels;
    for (const account::Nearness::OfLevel& level : topology.levels) {
      json::object object{{"level", level.key}};
      add(object, "gangsWithinPercent", level.gangs_within);
      add(object, "pairsNearestPercent", level.nearest);
      add(object, "domainsFree", level.free);
      add(object, "domainsFreePercent", level.free_percent);
      levels.push_back(std::move(object));
    }
    json::object object{{"name", topology.topology}, {"levels", std::move(levels)}};
    add(object, "pairsApartPercent", topology.apart);
    topologies.push_back(std::move(object));
  }
  return topologies;
}

json::array AllocationToJson(const std::vector<std::int64_t>& hundredths) {
  json::array percents;
  for (const std::int64_t each : hundredths) {
    if (each < 0) {
      percents.emplace_back(nullptr);
    } else {
      percents.emplace_back(static_cast<double>(each) / 100);
    }
  }
  return percents;
}

}  // namespace fairlead::show
