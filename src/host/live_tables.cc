// The tables of `get`: one function a kind, with kubectl's columns where it has some.

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ascii.h"
#include "base/quantity.h"
#include "engine/explain/report.h"
#include "host/live_view.h"
#include "host/state_index.h"
#include "host/table_rows.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "show/human_text.h"
#include "show/plan_view.h"
#include "state/cluster.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using objects::Object;
using server::Query;

std::string AgeAt(const objects::Meta& meta, Time now) {
  return meta.creation_time ? show::HumanDuration(now - *meta.creation_time) : "";
}

// kubectl's word for a pod's state, and ours for a pod that is bound but does not run yet.
std::string StatusOf(const objects::Pod& pod) {
  if (pod.meta.deletion_time) return "Terminating";
  if (pod.phase == objects::PodPhase::kPending) {
    if (!pod.spec.node_name.empty()) return "Starting";
    if (pod.spec.gated) {
      const bool by_kueue = std::ranges::count(pod.spec.rare->gates, objects::kKueueGate) > 0;
      return by_kueue ? "GatedByKueue" : "Gated";
    }
    return pod.nominated_node.empty() ? "Pending" : "Nominated";
  }
  return std::string(objects::ToString(pod.phase));
}

TableRows PodRows(const LiveSource& source, const Query& query) {
  TableRows result{.columns = PodColumns()};
  const PendingRows pending(source.view);
  const Time now = source.cluster.Now();
  for (const Object* object : source.cluster.List("Pod")) {
    const auto& pod = std::get<objects::Pod>(*object);
    if (!query.Wants(pod.meta)) continue;
    const StateIndex index(source.cluster.intake());
    const std::string key = pod.meta.Key();
    const std::optional<StateIndex::Pod> known = index.FindPod(key);
    std::optional<StateIndex::Workload> workload;
    std::string expected;
    if (known) {
      const std::string_view owner = StateIndex::WorkloadOf(key, *known);
      workload = index.FindWorkload(owner);
      expected = pending.ExpectedOf(owner, now);
    }
    // A workload lies in its pods' namespace: its name is enough.
    std::string_view workload_name;
    if (workload && !workload->is_pod) {
      workload_name = objects::SplitKey(known->workload).name;
    }
    const std::string& node = pod.spec.node_name.empty() ? pod.nominated_node : pod.spec.node_name;
    result.rows.push_back(json::array{
        pod.meta.name_space, pod.meta.name, StatusOf(pod), node, workload_name,
        workload ? workload->queue : std::string_view(), expected, AgeAt(pod.meta, now)});
  }
  return result;
}

// "15/20": with how many of the pods that it asks the Workload of that name is admitted. Empty: it
// is not, or is no object.
std::string AdmittedOf(const LiveSource& source, const objects::Meta& meta) {
  const Object* object = source.cluster.Find("Workload", meta.name_space, meta.name);
  if (object == nullptr) return "";
  const auto& workload = std::get<objects::Workload>(*object);
  if (workload.admission.empty()) return "";
  std::int64_t admitted = 0, asked = 0;
  for (const objects::PodSetAssignment& set : workload.admission) admitted += set.count;
  for (const objects::PodSet& set : workload.pod_sets) asked += set.count.value_or(0);
  return fmt::format("{}/{}", admitted, asked);
}

TableRows WorkloadRows(const LiveSource& source, const Query& query) {
  TableRows result{.columns = WorkloadColumns()};
  const PendingRows pending(source.view);
  const Time now = source.cluster.Now();
  for (const virtual_cluster::WorkloadFinal& final : source.cluster.FinalWorkloads()) {
    const auto [name_space, name] = objects::SplitKey(final.workload);
    const objects::Meta meta{.name = std::string(name), .name_space = std::string(name_space)};
    if (!query.Wants(meta)) continue;
    std::int64_t there = 0, count = 0;
    for (const virtual_cluster::PodSetFinal& pod_set : final.pod_sets) {
      there += pod_set.running + pod_set.succeeded;
      count += pod_set.count;
    }
    const std::optional<StateIndex::Workload> known =
        StateIndex(source.cluster.intake()).FindWorkload(final.workload);
    const auto why = engine::Explain(source.cluster.scheduler(), final.workload, now);
    const bool waits = why && !why->reasons.empty();
    const bool never_started = final.state == virtual_cluster::WorkloadState::kPending;
    result.rows.push_back(
        json::array{meta.name_space, meta.name, ToString(final.state), AdmittedOf(source, meta),
                    fmt::format("{}/{}", there, count), known ? known->queue : std::string_view(),
                    EndsIn(source.cluster.scheduler().cluster(), final.workload, now),
                    known && never_started ? show::HumanDuration(now - known->created) : "",
                    pending.ExpectedOf(final.workload, now),
                    waits ? state::ToString(why->reasons[0].code) : ""});
  }
  return result;
}

std::string ShortAmounts(const objects::ResourceList& list) {
  engine::Quantities quantities;
  for (const auto& [resource, amount] : list) {
    quantities.emplace_back(resource, FormatResource(resource, amount));
  }
  return show::ShortQuantities(quantities);
}

TableRows QuotaRows(const LiveSource& source, const Query& query) {
  TableRows result{.columns = {"NAMESPACE", "NAME", "MIN", "MAX", "USED"}};
  for (const Object* object : source.cluster.List("ElasticQuota")) {
    const auto& quota = std::get<objects::ElasticQuota>(*object);
    if (!query.Wants(quota.meta)) continue;
    result.rows.push_back(json::array{quota.meta.name_space, quota.meta.name,
                                      ShortAmounts(quota.min), ShortAmounts(quota.max),
                                      ShortAmounts(quota.used)});
  }
  return result;
}

// What is used of each node: the requests of all that is bound there and has not ended.
std::map<std::string, objects::ResourceList, std::less<>> UseByNode(const LiveSource& source) {
  std::map<std::string, std::map<std::string, std::int64_t>> sums;
  for (const Object* object : source.cluster.List("Pod")) {
    const auto& pod = std::get<objects::Pod>(*object);
    if (pod.spec.node_name.empty() || pod.finished()) continue;
    auto& sum = sums[pod.spec.node_name];
    for (const auto& [resource, amount] : pod.spec.needs.request) sum[resource] += amount;
    sum[std::string(objects::kGpuResource)] += pod.spec.needs.gpu_milli;
  }
  std::map<std::string, objects::ResourceList, std::less<>> use;
  for (const auto& [node, sum] : sums) use[node] = {sum.begin(), sum.end()};
  return use;
}

TableRows NodeRows(const LiveSource& source, const Query& query) {
  TableRows result{.columns = NodeColumns()};
  const auto use = UseByNode(source);
  static const objects::ResourceList kNone;
  for (const Object* object : source.cluster.List("Node")) {
    const auto& node = std::get<objects::Node>(*object);
    if (!query.Wants(node.meta)) continue;
    const auto found = use.find(node.meta.name);
    const objects::ResourceList& used = found == use.end() ? kNone : found->second;
    std::string status = node.ready ? "Ready" : "NotReady";
    if (node.unschedulable) status += ",SchedulingDisabled";
    result.rows.push_back(json::array{node.meta.name, status, UsedOf(used, node.allocatable, "cpu"),
                                      UsedOf(used, node.allocatable, "memory"),
                                      UsedOf(used, node.allocatable, objects::kGpuResource),
                                      AgeAt(node.meta, source.cluster.Now())});
  }
  return result;
}

std::string_view StatusOf(bool complete, bool suspended) {
  return complete ? "Complete" : suspended ? "Suspended" : "Running";
}

TableRows JobRows(const LiveSource& source, const Query& query) {
  TableRows result{
      .columns = {"NAMESPACE", "NAME", "STATUS", "ADMITTED", "ACTIVE", "SUCCEEDED", "AGE"}};
  for (const Object* object : source.cluster.List("Job")) {
    const auto& job = std::get<objects::Job>(*object);
    if (!query.Wants(job.meta)) continue;
    result.rows.push_back(
        json::array{job.meta.name_space, job.meta.name, StatusOf(job.complete, job.suspend),
                    AdmittedOf(source, job.meta), fmt::format("{}/{}", job.active, job.parallelism),
                    job.completions ? fmt::format("{}/{}", job.succeeded, *job.completions)
                                    : std::to_string(job.succeeded),
                    AgeAt(job.meta, source.cluster.Now())});
  }
  return result;
}

std::string PodSetsOf(const objects::JobObject& job) {
  std::vector<std::string> sets;
  for (const auto& set : job.pod_sets) sets.push_back(fmt::format("{} {}", set.name, set.count()));
  return fmt::format("{}", fmt::join(sets, ", "));
}

// "1/2": of the groups of one that is let go by its pods, those that run, by their key.
std::string GroupsThatRun(const objects::JobObject& job,
                          const std::vector<virtual_cluster::WorkloadFinal>& workloads) {
  const bool has_groups = !job.row->pod_labels.group.empty();
  const std::string stem = job.meta.Key() + (has_groups ? "-" : "");
  std::int64_t run = 0;
  for (const virtual_cluster::WorkloadFinal& workload : workloads) {
    if (workload.state != virtual_cluster::WorkloadState::kRunning) continue;
    if (!workload.workload.starts_with(stem)) continue;
    const std::string_view group = std::string_view(workload.workload).substr(stem.size());
    run += has_groups ? group.find_first_not_of("0123456789") == group.npos && !group.empty()
                      : group.empty();
  }
  return fmt::format("{}/{}", run, job.row->groups.empty() ? 1 : job.groups.value_or(1));
}

// A column for each pod set of which there may be any number; one for all where they are named by
// the job itself.
TableRows JobObjectRows(const LiveSource& source, const Query& query) {
  const objects::JobRow& kind = *objects::FindJobRow(query.kind->kind);
  const bool named = std::ranges::none_of(kind.pod_sets, &objects::JobRow::PodSet::is_of_each);
  std::vector<std::string_view> sets;
  const bool by_pods = kind.is_let_go_by_pods();
  TableRows result{.columns = {"NAMESPACE", "NAME", "STATUS", by_pods ? "GROUPS" : "ADMITTED"}};
  const auto workloads =
      by_pods ? source.cluster.FinalWorkloads() : std::vector<virtual_cluster::WorkloadFinal>();
  if (!named) result.columns.emplace_back("PODS");
  for (const objects::JobRow::PodSet& set : kind.pod_sets) {
    if (!named || set.only_count) continue;
    sets.push_back(set.name);
    result.columns.emplace_back(UpperCase(set.name) + "S");
  }
  result.columns.emplace_back("AGE");
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    const auto& job = std::get<objects::JobObject>(*object);
    if (!query.Wants(job.meta)) continue;
    json::array row{job.meta.name_space, job.meta.name, StatusOf(job.complete(), job.suspend),
                    by_pods ? GroupsThatRun(job, workloads) : AdmittedOf(source, job.meta)};
    if (!named) row.emplace_back(PodSetsOf(job));
    for (const std::string_view name : sets) {
      const auto set = std::ranges::find(job.pod_sets, name, &objects::JobObject::Replicas::name);
      row.emplace_back(std::to_string(set == job.pod_sets.end() ? 0 : set->count()));
    }
    row.emplace_back(AgeAt(job.meta, source.cluster.Now()));
    result.rows.push_back(std::move(row));
  }
  return result;
}

// Of several of one name, which are of different systems, the first counts: it has a state.
TableRows PodGroupRows(const LiveSource& source, const Query& query) {
  TableRows result{.columns = {"NAMESPACE", "NAME", "API", "STATE", "MINIMUM", "PODS", "AGE"}};
  std::map<std::string, virtual_cluster::WorkloadFinal> states;
  for (virtual_cluster::WorkloadFinal& final : source.cluster.FinalWorkloads()) {
    states.emplace(final.workload, std::move(final));
  }
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    const auto& group = std::get<objects::PodGroup>(*object);
    if (!query.Wants(group.meta)) continue;
    std::int64_t least = 0, there = 0;
    for (const objects::PodSet& set : group.pod_sets) least += set.min_count.value_or(0);
    const auto state = states.extract(group.meta.Key());
    if (!state.empty()) {
      for (const virtual_cluster::PodSetFinal& set : state.mapped().pod_sets) {
        there += set.running + set.succeeded;
      }
    }
    result.rows.push_back(json::array{
        group.meta.name_space, group.meta.name, objects::RowOf(group.api).group,
        state.empty() ? std::string_view() : ToString(state.mapped().state), std::to_string(least),
        std::to_string(there), AgeAt(group.meta, source.cluster.Now())});
  }
  return result;
}

TableRows TopologyTable(const LiveSource& source, const Query& query) {
  TableRows result{.columns = {"NAME", "API", "LEVELS", "AGE"}};
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    const auto& topology = std::get<objects::Topology>(*object);
    if (!query.Wants(topology.meta)) continue;
    result.rows.push_back(json::array{topology.meta.name, objects::RowOf(topology).group,
                                      fmt::format("{}", fmt::join(topology.levels, ", ")),
                                      AgeAt(topology.meta, source.cluster.Now())});
  }
  return result;
}

std::string WhichNodes(const objects::Window& window) {
  if (!window.nodes.empty()) return fmt::format("{}", fmt::join(window.nodes, ", "));
  std::vector<std::string> labels;
  for (const auto& [key, value] : window.node_selector) labels.push_back(key + "=" + value);
  return fmt::format("{}", fmt::join(labels, ", "));
}

TableRows WindowTable(const LiveSource& source, const Query& query) {
  TableRows result{.columns = {"NAME", "NODES", "FROM", "UNTIL", "QUEUES", "AT-BEGIN", "STATE"}};
  const Time now = source.cluster.Now();
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    const auto& window = std::get<objects::Window>(*object);
    if (!query.Wants(window.meta)) continue;
    const bool is_over = window.until && *window.until <= now;
    result.rows.push_back(
        json::array{window.meta.name, WhichNodes(window), FormatTime(window.from),
                    window.until ? FormatTime(*window.until) : "-",
                    window.queues.empty() ? "-" : fmt::format("{}", fmt::join(window.queues, ", ")),
                    window.at_begin == objects::AtBegin::kEvict ? "Evict" : "Leave",
                    is_over              ? "over"
                    : window.from <= now ? "begun"
                                         : "in " + show::HumanDuration(window.from - now)});
  }
  return result;
}

TableRows QueueRowsOf(const LiveSource& source, const Query& query) {
  return QueueRows(source.cluster.scheduler(), source.view, query);
}

TableRows UserRowsOf(const LiveSource& source, const Query& query) {
  return UserRows(source.cluster.scheduler(), query);
}

TableRows EventRowsOf(const LiveSource& source, const Query& query) {
  return EventRows(source.log, source.cluster.Now(), query);
}

TableRows OtherRows(const LiveSource& source, const Query& query) {
  TableRows result{.columns = {"NAME", "AGE"}};
  if (query.kind->namespaced)
    result.columns.insert(result.columns.begin(), json::value("NAMESPACE"));
  for (const Object* object : source.cluster.List(query.kind->kind)) {
    const objects::Meta& meta = objects::MetaOf(*object);
    if (!query.Wants(meta)) continue;
    json::array row{meta.name, AgeAt(meta, source.cluster.Now())};
    if (query.kind->namespaced) row.insert(row.begin(), json::value(meta.name_space));
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace

JsonOrRefusal TableOf(const LiveSource& source, const Query& query) {
  struct Maker {
    std::string_view kind;
    TableRows (*make)(const LiveSource&, const Query&);
  };
  static constexpr Maker kMakers[] = {
      {"Pod", PodRows},
      {"Workload", WorkloadRows},
      {"Queue", QueueRowsOf},
      {"User", UserRowsOf},
      {"Node", NodeRows},
      {"Job", JobRows},
      {"ElasticQuota", QuotaRows},
      {"Event", EventRowsOf},
      {objects::kPodGroup, PodGroupRows},
      {objects::kTopology, TopologyTable},
      {objects::kWindow, WindowTable},
  };
  const objects::JobRow* job = objects::FindJobRow(query.kind->kind);
  TableRows (*make)(const LiveSource&, const Query&) =
      job != nullptr && job->is_generic() ? JobObjectRows : OtherRows;
  for (const Maker& maker : kMakers) {
    if (maker.kind == query.kind->kind) make = maker.make;
  }
  TableRows made = make(source, query);
  if (made.rows.empty() && !query.name.empty()) return tl::unexpected(NotThere(source, query));
  return ToJson(std::move(made), source.cluster.Now());
}

}  // namespace fairlead::host
