#include "cli/simulation_document.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include <boost/json.hpp>

#include "engine/explain/report_json.h"
#include "host/other_schedulers.h"
#include "objects/key.h"
#include "show/simulation_json.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

// Calls visit(value), as long as that says so, with what a text holds.
bool VisitParsed(std::string_view text, const show::LongList::Visit& visit) {
  std::array<unsigned char, 4096> buffer;
  json::monotonic_resource memory(buffer.data(), buffer.size());
  json::parse_options options;
  options.allow_invalid_utf8 = true;  // a trace may hold any bytes
  return visit(json::parse(text, &memory, options));
}

}  // namespace

void SimulationDocument::OnEvent(const drive::Event& event) {
  events_.Add(json::serialize(show::ToJson(event)));
}

void SimulationDocument::KeepForgotten(trace::RunOptions& run) {
  run.on_forgotten_pod = [this](const virtual_cluster::PodFinal& pod) {
    pods_.Add(pod.pod, show::ToJson(pod));
  };
  run.on_forgotten_workload = [this](const virtual_cluster::WorkloadFinal& workload) {
    workloads_.Add(workload.workload, show::ToJson(workload));
  };
}

void SimulationDocument::Finals::Add(std::string_view name, const json::value& value) {
  std::string text(name);
  text += '\0';
  texts_.Add(text += json::serialize(value));
}

std::string_view SimulationDocument::Finals::NameOf(std::uint32_t i) const {
  const std::string_view text = texts_[i];
  return text.substr(0, text.find('\0'));
}

void SimulationDocument::Finals::Sort(Order order) {
  order_.resize(texts_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
    if (order == Order::kByText) return NameOf(a) < NameOf(b);
    const auto [space_a, name_a] = objects::SplitKey(NameOf(a));
    const auto [space_b, name_b] = objects::SplitKey(NameOf(b));
    return std::tie(space_a, name_a) < std::tie(space_b, name_b);
  });
}

void SimulationDocument::Finals::ForEach(const show::LongList::Visit& visit) const {
  for (const std::uint32_t i : order_) {
    const std::string_view text = texts_[i];
    if (!VisitParsed(text.substr(text.find('\0') + 1), visit)) return;
  }
}

void SimulationDocument::Print(const trace::RunResult& result, Time start, show::Output& output) {
  const virtual_cluster::VirtualCluster& cluster = *result.cluster;
  json::value queues;
  {
    const virtual_cluster::Final final = cluster.FinalState();
    for (const auto& pod : final.pods) pods_.Add(pod.pod, show::ToJson(pod));
    for (const auto& each : final.workloads) workloads_.Add(each.workload, show::ToJson(each));
    queues = engine::ToJson(final.queues);
  }
  pods_.Sort(Finals::Order::kByParts);
  workloads_.Sort(Finals::Order::kByText);
  json::value metrics = show::ToJson(result.metrics);
  if (!result.nearness.empty()) metrics.get_object()["topologies"] = show::ToJson(result.nearness);
  json::object members{{"apiVersion", "fairlead.dev/v1alpha1"},
                       {"kind", "Simulation"},
                       {"start", FormatTime(start)},
                       {"end", FormatTime(result.end)},
                       {"digest", result.digest},
                       {"events", json::array()},
                       {"final", json::object{{"pods", json::array()},
                                              {"workloads", json::array()},
                                              {"queues", std::move(queues)}}},
                       {"metrics", std::move(metrics)}};
  host::AddOtherSchedulers(cluster.intake(), members);
  if (!result.allocation.empty()) {
    members["allocatedPercent"] = show::AllocationToJson(result.allocation);
  }
  const json::value document = std::move(members);
  const json::value& of_final = document.at("final");
  const show::LongList lists[] = {
      {.in_place_of = &document.at("events"),
       .for_each =
           [this](const show::LongList::Visit& visit) {
             events_.ForEach([&](std::string_view text) { return VisitParsed(text, visit); });
           }},
      {.in_place_of = &of_final.at("pods"),
       .for_each = [this](const show::LongList::Visit& visit) { pods_.ForEach(visit); }},
      {.in_place_of = &of_final.at("workloads"),
       .for_each = [this](const show::LongList::Visit& visit) { workloads_.ForEach(visit); }}};
  output.Document(document, lists);
}

}  // namespace fairlead::cli
