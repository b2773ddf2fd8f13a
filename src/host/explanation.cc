#include "host/explanation.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "base/sorted_set.h"
#include "engine/explain/explain.h"
#include "engine/explain/explain_node.h"
#include "engine/explain/for_good.h"
#include "engine/explain/report_json.h"
#include "host/untrusted.h"
#include "objects/keys.h"
#include "policy/min_runtime.h"
#include "policy/run_time.h"
#include "policy/start_time.h"
#include "show/human_text.h"
#include "show/remedy.h"
#include "state/cluster.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;

// How many pods of the workload exist, and where they are.
struct Pods {
  std::int64_t asked = 0, placed = 0, finished = 0, existing = 0;
  json::array placements;
};

Pods CountPods(const StateIndex& index, std::string_view workload_name,
               const StateIndex::Workload& workload) {
  Pods pods;
  for (const StateIndex::PodSet& pod_set : workload.pod_sets) pods.asked += pod_set.count;
  for (const std::string_view name : index.PodsOf(workload_name)) {
    const std::optional<StateIndex::Pod> pod = index.FindPod(name);
    if (!pod) continue;
    ++pods.existing;
    if (pod->state == state::PodState::kFinished) ++pods.finished;
    if (pod->state != state::PodState::kBound) continue;
    ++pods.placed;
    json::object placement{{"pod", name}, {"node", pod->node}};
    if (pod->scheduled_time) placement["since"] = FormatTime(*pod->scheduled_time);
    if (pod->terminating) placement["terminating"] = true;
    pods.placements.push_back(std::move(placement));
  }
  return pods;
}

json::array DecisionsAbout(const ExplainSource& source, std::string_view workload) {
  json::array decisions;
  if (source.plan == nullptr) return decisions;
  for (const engine::DecisionReport& decision : source.plan->decisions) {
    if (decision.workload == workload || decision.beneficiary == workload) {
      decisions.push_back(engine::ToJson(decision));
    }
  }
  return decisions;
}

bool Starts(const json::array& decisions) {
  return std::any_of(decisions.begin(), decisions.end(), [](const json::value& decision) {
    const json::string& type = decision.at("type").get_string();
    return type == "Bind" || type == "Admit";
  });
}

// Pods of the workload that have to go.
std::int64_t CountEvicted(const json::array& decisions, std::string_view workload) {
  return std::count_if(decisions.begin(), decisions.end(), [&](const json::value& decision) {
    return decision.at("type").get_string() == "Evict" &&
           decision.at("workload").get_string() == workload;
  });
}

json::array PodSetsToJson(const StateIndex::Workload& workload) {
  json::array pod_sets;
  for (const StateIndex::PodSet& pod_set : workload.pod_sets) {
    json::object object{{"name", pod_set.name}, {"count", pod_set.count}};
    if (pod_set.min_count != pod_set.count) object["minCount"] = pod_set.min_count;
    if (pod_set.admitted > 0) object["admitted"] = pod_set.admitted;
    pod_sets.push_back(std::move(object));
  }
  return pod_sets;
}

// Adds `reasons` with their remedies, and the earliest moment that one of them names.
void AddReasons(const engine::PendingReport& pending, std::string_view scheduler,
                json::object& into) {
  json::array reasons;
  std::optional<Time> not_before;
  for (const state::Reason& reason : pending.reasons) {
    json::value row = engine::ToJson(reason);
    row.get_object()["remedy"] = show::RemedyFor(reason, scheduler);
    reasons.push_back(std::move(row));
    if (reason.until) not_before = std::min(not_before.value_or(*reason.until), *reason.until);
  }
  into["reasons"] = std::move(reasons);
  if (not_before) into["notBefore"] = FormatTime(*not_before);
}

// Preferences of its pods where the configuration weighs none.
json::array PassedOver(const ExplainSource& source, std::string_view workload) {
  const StateIndex index(source.intake);
  std::vector<std::string> fields;
  if (source.intake.configuration().preferences != objects::PreferenceOrder::kOff) return {};
  for (const std::string_view name : index.PodsOf(workload)) {
    const std::optional<StateIndex::Pod> pod = index.FindPod(name);
    if (!pod || pod->needs == nullptr) continue;
    const objects::RareNeeds& rare = *pod->needs->rare;
    const auto add = [&](bool any, std::string_view of) {
      if (any) fields.push_back(fmt::format("spec.affinity.{}.{}", of, objects::kPreferredTerms));
    };
    add(!rare.preferences.nodes.empty(), "nodeAffinity");
    for (const objects::JoinedDemands::Preferred& each : rare.joined.preferred) {
      add(true, each.weight > 0 ? "podAffinity" : "podAntiAffinity");
    }
    if (!rare.joined.preferred_spread.empty())
      fields.emplace_back("spec.topologySpreadConstraints");
  }
  MakeSet(fields);
  return json::array(fields.begin(), fields.end());
}

// Since when it counts as started, as the engine has it (semantics.md §1); of what goes in the
// plan, as it had it.
std::optional<Time> StartOf(const ExplainSource& source, std::string_view workload, bool goes) {
  const state::Cluster& cluster = source.scheduler.cluster();
  const state::WorkloadId w = state::FindWorkload(cluster, workload);
  if (!w.valid()) return std::nullopt;
  if (goes) return policy::StartOfLeaving(cluster, w, source.now);
  const state::Workload& known = cluster.workloads()[w];
  return known.started() ? std::optional(known.start) : std::nullopt;
}

// Whether it can never start as it is written; else it waits its turn.
bool IsHopeless(const ExplainSource& source, std::string_view workload,
                const engine::PendingReport& why) {
  const state::Cluster& cluster = source.scheduler.cluster();
  const state::WorkloadId w = state::FindWorkload(cluster, workload);
  return w.valid() && !why.reasons.empty() && engine::WaitsForGood(cluster, w, why.reasons.front());
}

// Workloads that were placed while this one waited for room: they fitted into what was free.
json::array OvertakenBy(const ExplainSource& source, std::string_view workload) {
  const state::WorkloadId w = state::FindWorkload(source.scheduler.cluster(), workload);
  if (!w.valid()) return {};
  const std::vector<std::string> names = engine::Explainer(source.scheduler).OvertakenBy(w);
  return json::array(names.begin(), names.end());
}

// What keeps running work from being stopped, while it does.
json::array Protections(const ExplainSource& source, std::string_view name) {
  json::array protections;
  const state::Cluster& cluster = source.scheduler.cluster();
  const state::WorkloadId w = state::FindWorkload(cluster, name);
  if (!w.valid() || !cluster.workloads()[w].preemptible) return protections;
  const policy::Protection latest = policy::LatestProtection(cluster, w);
  auto add = [&](policy::RoomAction action, const std::optional<Time>& until,
                 const policy::MinRuntime& by) {
    if (!until || *until <= source.now) return;
    json::object row{{"action", policy::ToString(action)},
                     {"until", FormatTime(*until)},
                     {"minRuntime", FormatDuration(by.value)}};
    if (by.from.valid()) row["queue"] = cluster.queues()[by.from].name;
    if (by.stops > 0) row["stops"] = by.stops;
    row["message"] =
        fmt::format("protected until {} by {}", FormatTime(*until), policy::ToText(cluster, by));
    protections.push_back(std::move(row));
  };
  add(policy::RoomAction::kReclaim, latest.reclaim, latest.reclaim_by);
  add(policy::RoomAction::kPreempt, latest.preempt, latest.preempt_by);
  return protections;
}

// How long it may run; while it runs, until when.
std::optional<json::object> RunTimeLimit(const ExplainSource& source, std::string_view name,
                                         const std::optional<Time>& start) {
  const state::Cluster& cluster = source.scheduler.cluster();
  const state::WorkloadId w = state::FindWorkload(cluster, name);
  if (!w.valid()) return std::nullopt;
  const state::RunTime& run_time = cluster.workloads().run_time(w);
  if (!run_time.limit) return std::nullopt;
  const state::RareOwnLimit& own = run_time.own_limit;
  const bool ours = own && own->after <= *run_time.limit;
  std::string_view by = "Kubernetes";
  if (ours) {
    using By = state::OwnLimit::By;
    by = own->by == By::kItself ? "Itself" : own->by == By::kQueue ? "Queue" : "QueueDefault";
  }
  json::object limit{{"after", FormatDuration(*run_time.limit)}, {"by", by}};
  if (ours && !own->queue.empty()) limit["queue"] = own->queue;
  if (ours) limit["then"] = run_time.waits_again ? "Requeue" : "Stop";
  if (start) {
    const Time until = *start + *run_time.limit;
    limit["until"] = FormatTime(until);
    limit["left"] = FormatDuration(std::max(Duration(), until - source.now));
  }
  limit["message"] =
      fmt::format("{}{}", policy::ToText(*run_time.limit),
                  ours ? policy::OwnerText(*own) : std::string(", kept by Kubernetes"));
  return limit;
}

// Of a DaemonSet's pod whose node is held for it: each pod of the node, and why it has to leave or
// has not.
std::optional<json::object> Reservation(const ExplainSource& source, std::string_view name) {
  const state::Cluster& cluster = source.scheduler.cluster();
  const state::PodId p = cluster.pods().Find(name);
  if (!p.valid() || !cluster.pods()[p].claims()) return std::nullopt;
  if (!policy::PinnedTo(cluster, p).valid()) return std::nullopt;
  const engine::NodeReport report = engine::ReportNode(source.scheduler, p, source.now);
  json::object lacking;
  for (const auto& [resource, amount] : report.lacking) lacking[resource] = amount;
  json::object object{{"node", report.node}, {"from", FormatTime(report.from)}};
  if (report.since) object["since"] = FormatTime(*report.since);
  object["lacking"] = std::move(lacking);
  if (!report.strategy.empty()) object["strategy"] = report.strategy;
  json::array pods;
  for (const engine::NeighbourReport& neighbour : report.pods) {
    json::object row{
        {"pod", neighbour.pod}, {"priority", neighbour.priority}, {"verdict", neighbour.verdict}};
    if (!neighbour.giving_class.empty()) row["class"] = neighbour.giving_class;
    if (neighbour.until) row["until"] = FormatTime(*neighbour.until);
    row["message"] = neighbour.message;
    pods.push_back(std::move(row));
  }
  object["pods"] = std::move(pods);
  return object;
}

std::optional<json::object> OnLoan(const state::Cluster& cluster, std::string_view workload) {
  const state::WorkloadId w = state::FindWorkload(cluster, workload);
  const objects::Loan* loan = w.valid() ? cluster.workloads().loan(w) : nullptr;
  if (loan == nullptr) return std::nullopt;
  return json::object{{"for", loan->holder}, {"until", FormatTime(loan->until)}};
}

json::object Header(std::string_view name, Time now) {
  return {{"apiVersion", "fairlead.dev/v1alpha1"},
          {"kind", "Explanation"},
          {"now", FormatTime(now)},
          {"name", name}};
}

// A pod that this scheduler leaves alone.
json::object NotOurs(const intake::PodStanding& pod, const ExplainSource& source,
                     json::object explanation) {
  const std::string& ours = source.intake.configuration().scheduler_name;
  explanation["state"] = "NotOurs";
  explanation["schedulerName"] = pod.scheduler;
  if (!pod.node.empty()) explanation["node"] = pod.node;
  if (pod.ours) {
    explanation["message"] =
        fmt::format("its node {} is outside of the pool that nodeSelector names", pod.node);
    explanation["remedy"] = "a nodeSelector in the SchedulerConfiguration that takes the node in";
    return explanation;
  }
  explanation["message"] = fmt::format(
      "its schedulerName is {}; Fairlead schedules pods that name {}", pod.scheduler, ours);
  if (!pod.node.empty()) return explanation;
  explanation["remedy"] = fmt::format(
      "schedulerName: {} in the template that it is made from; a pod that is there keeps its own",
      ours);
  return explanation;
}

std::string_view StateOf(const Pods& pods, const engine::PendingReport& pending, bool starts) {
  if (pods.finished > 0 && pods.finished >= std::max(pods.asked, pods.existing)) return "Finished";
  if (starts) return "Starting";
  // Some reasons concern pods beyond the minimum: it runs all the same.
  if (pods.placed > 0 && pending.reasons.empty()) return "Running";
  return pods.placed > 0 ? "Running, pods pending" : "Pending";
}

}  // namespace

std::string QualifiedName(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return std::string(name);
  return fmt::format("default/{}", name);
}

void AddExpectedStart(const StartForecast::Told& told, json::value& explanation) {
  if (show::TextAt(explanation, "state") != "Pending") return;
  if (show::At(explanation, "hopeless").is_bool()) return;
  const auto found = told.starts.find(std::string(show::TextAt(explanation, "workload")));
  if (found == told.starts.end()) return;
  const ExpectedStart& start = found->second;
  if (!start.at && start.unknown.empty()) return;  // no end would let it start
  explanation.get_object()["expectedStart"] = ToJson(start);
}

StartForecast::Told AddExpectedStarts(const std::vector<objects::Object>& objects,
                                      virtual_cluster::Options options, const ForecastDraws& draws,
                                      std::span<json::value> explanations) {
  StartForecast::Told told;
  std::set<std::string> pending;
  for (json::value& explanation : explanations) {
    const Result<Time> now = ParseTime(show::TextAt(explanation, "now"));
    if (!now || show::TextAt(explanation, "state") != "Pending") continue;
    if (show::At(explanation, "hopeless").is_bool()) continue;
    options.start = told.now = *now;
    pending.emplace(show::TextAt(explanation, "workload"));
  }
  if (pending.empty()) return told;
  const std::string only = pending.size() == 1 ? *pending.begin() : std::string();
  told.starts = ExpectedStarts(objects, options, draws, only);
  for (json::value& explanation : explanations) AddExpectedStart(told, explanation);
  return told;
}

Result<json::value> Explain(const ExplainSource& source, std::string_view name) {
  const StateIndex index(source.intake);
  const std::optional<StateIndex::Pod> pod = index.FindPod(name);
  const std::optional<intake::PodStanding> standing = source.intake.FindPod(name);
  if (standing && (!pod || pod->foreign)) {
    return NotOurs(*standing, source, Header(name, source.now));
  }
  const std::string workload_name(!pod ? name : StateIndex::WorkloadOf(name, *pod));
  const std::optional<StateIndex::Workload> workload = index.FindWorkload(workload_name);
  const auto pending = engine::Explain(source.scheduler, workload_name, source.now);
  if (!pod && !workload) {
    const std::vector<std::string> names = index.Names();
    return Fail(fmt::format("there is no workload or pod {}{}", name, DidYouMean(name, names)));
  }
  const StateIndex::Workload facts = workload.value_or(StateIndex::Workload{});
  engine::PendingReport why = pending ? *pending : engine::PendingReport{};

  json::object explanation = Header(name, source.now);
  explanation["workload"] = workload_name;
  explanation["queue"] = why.queue.empty() ? facts.queue : std::string_view(why.queue);
  explanation["priority"] = facts.priority;
  const Pods pods = CountPods(index, workload_name, facts);
  const json::array decisions = DecisionsAbout(source, workload_name);
  const bool goes = pods.placed > 0 && CountEvicted(decisions, workload_name) >= pods.placed;
  if (goes) why.reasons.clear();  // of its next start: it runs now
  const std::string_view state = StateOf(pods, why, Starts(decisions));
  explanation["state"] = state;
  if (goes) explanation["toBeEvicted"] = true;
  if (pod && pod->gated) {
    explanation["gated"] = true;
    if (standing && standing->gated_by_kueue) explanation["gatedBy"] = objects::kKueueGate;
  }
  explanation["created"] = FormatTime(workload ? facts.created : pod->created);
  std::optional<Time> start = StartOf(source, workload_name, goes);
  if (pods.placed == 0) start.reset();
  if (start) explanation["startTime"] = FormatTime(*start);
  if (auto limit = RunTimeLimit(source, workload_name, start)) {
    explanation["runTimeLimit"] = std::move(*limit);
  }
  explanation["pods"] = json::object{{"asked", pods.asked}, {"placed", pods.placed}};
  explanation["podSets"] = PodSetsToJson(facts);
  explanation["placements"] = pods.placements;
  explanation["decisions"] = decisions;
  AddReasons(why, source.intake.configuration().scheduler_name, explanation);
  if (state == "Pending" && IsHopeless(source, workload_name, why)) explanation["hopeless"] = true;
  if (why.room && !why.reasons.empty()) {
    explanation["room"] =
        json::object{{"at", FormatTime(why.room->at)},
                     {"ended", json::array(why.room->ended.begin(), why.room->ended.end())}};
  }
  if (why.reservation) explanation["reserved"] = engine::ToJson(*why.reservation);
  if (auto loan = OnLoan(source.scheduler.cluster(), workload_name)) {
    explanation["onLoan"] = std::move(*loan);
  }
  if (const json::array protections = Protections(source, workload_name); !protections.empty()) {
    explanation["protections"] = protections;
  }
  if (auto reservation = Reservation(source, name)) {
    explanation["reservation"] = std::move(*reservation);
  }
  if (auto untrusted = Untrusted(source.scheduler.cluster(), name)) {
    explanation["untrusted"] = std::move(*untrusted);
  }
  if (const json::array overtaken = OvertakenBy(source, workload_name); !overtaken.empty()) {
    explanation["overtakenBy"] = overtaken;
  }
  if (source.plan != nullptr && source.plan->next_round) {
    explanation["nextRound"] = FormatTime(*source.plan->next_round);
  }
  explanation["passedOver"] = PassedOver(source, workload_name);
  return explanation;
}

}  // namespace fairlead::host
