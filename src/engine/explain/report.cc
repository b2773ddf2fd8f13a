#include "engine/explain/report.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "base/quantity.h"
#include "base/wide_int.h"
#include "engine/explain/explain.h"
#include "engine/explain/explain_user_limit.h"
#include "engine/explain/report_json.h"
#include "engine/explain/what_if.h"
#include "engine/place/node_survey.h"
#include "engine/round/round.h"
#include "policy/eviction_cost.h"
#include "policy/lending.h"
#include "policy/limits.h"
#include "policy/max_loss.h"
#include "policy/min_runtime.h"
#include "policy/run_time.h"
#include "policy/usage_weight.h"
#include "policy/windows.h"

namespace fairlead::engine {

using state::Figure;
using state::QueueId;
using state::WorkloadId;

std::string_view ToString(DecisionType type) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "Bind", "Evict", "Nominate", "Admit", "Reserve", "Nominate", "Lend"};
  return kNames[static_cast<std::size_t>(type)];
}

namespace {

// Why a pod has to go, for its owner.
std::string EvictionReason(const state::Cluster& cluster, const Decision& decision) {
  const state::Workload& victim = cluster.workloads()[decision.workload];
  const state::Workload& preemptor = cluster.workloads()[decision.beneficiary];
  const std::string& from = cluster.queues()[victim.queue].name;
  if (decision.was_on_loan) {
    return "its room was kept for that workload, and it was on loan until now";
  }
  if (decision.action == policy::RoomAction::kDaemonSet) {
    return fmt::format("that DaemonSet's pod can run on node {} only",
                       cluster.nodes().name(decision.node));
  }
  if (decision.action == policy::RoomAction::kPreempt) {
    return fmt::format("priority {} gives way to priority {} in queue \"{}\"", victim.priority,
                       preemptor.priority, from);
  }
  return fmt::format("queue \"{}\" uses more than it is entitled to, queue \"{}\" less", from,
                     cluster.queues()[preemptor.queue].name);
}

// Where a pod that moves goes, and what that loses.
std::string MoveReason(const state::Cluster& cluster, const Plan& plan, const Decision& decision) {
  const auto lands = std::ranges::find_if(plan.decisions, [&](const Decision& each) {
    return each.type == DecisionType::kLand && each.pod == decision.pod;
  });
  const state::ShapeId s = cluster.pods()[decision.pod].shape;
  const policy::Loss loss =
      policy::LossOf(cluster, decision.pod, policy::DominantPart(cluster, s), plan.now);
  return fmt::format(
      "it moves{}, which loses {}",
      lands == plan.decisions.end() ? "" : " to " + cluster.nodes().name(lands->node),
      policy::LossText(cluster, loss.lost, cluster.shapes()[s].request));
}

// Which window has begun where something of it runs.
std::string WindowReason(const state::Cluster& cluster, WorkloadId w, Time now) {
  const state::NodeTable& nodes = cluster.nodes();
  const QueueId queue = cluster.workloads()[w].queue;
  std::string reason;
  for (const objects::Window& window : cluster.windows().all()) {
    if (!policy::Windows::Evicts(window, now)) continue;
    if (policy::Windows::IsFor(window, cluster, queue)) continue;
    cluster.ForEachPodOf(w, [&](state::PodId p) {
      const state::NodeId n = cluster.pods()[p].node;
      if (!reason.empty() || !n.valid() || !nodes.exists(n)) return;
      if (!objects::Matches(window, nodes.labels(n), nodes.name(n))) return;
      reason = fmt::format("window {} has begun on node {}", window.meta.name, nodes.name(n));
    });
  }
  return reason;
}

void AddEviction(const state::Cluster& cluster, const Plan& plan, const Decision& decision,
                 DecisionReport& report) {
  const Time now = plan.now;
  report.action = policy::ToString(decision.action);
  report.least_proven = decision.least_proven;
  report.fewest_proven = decision.fewest_proven;
  report.past_budgets = decision.past_budgets;
  report.was_on_loan = decision.was_on_loan;
  report.max_grace = cluster.configuration().max_grace_period;
  report.by_itself = cluster.workloads()[decision.workload].solo();
  if (decision.action == policy::RoomAction::kRunTimeLimit) {
    report.at_limit = true;
    report.waits_again = cluster.workloads().run_time(decision.workload).waits_again;
    report.reason = policy::RanToLimitText(cluster, decision.workload);
    return;
  }
  // It goes for its own sake: that protects it from nobody.
  if (policy::IsOfBrokenGang(decision.action)) {
    const bool stale = decision.action == policy::RoomAction::kStaleGang;
    report.reason = fmt::format("pods that {} for {}",
                                stale ? "its minimum lacks could not be placed"
                                      : "it lost have found no room near the others",
                                FormatDuration(cluster.configuration().stale_gang_grace));
    return;
  }
  if (decision.action == policy::RoomAction::kConsolidate) {
    report.beneficiary = cluster.NameOf(decision.beneficiary);
    report.reason = MoveReason(cluster, plan, decision);
    return;  // it goes on elsewhere
  }
  if (decision.action == policy::RoomAction::kWindow) {
    report.reason = WindowReason(cluster, decision.workload, now);
  } else {
    report.beneficiary = cluster.NameOf(decision.beneficiary);
    report.reason = EvictionReason(cluster, decision);
  }
  // A Workload counts anyway; of a pod by itself it costs a write on its job.
  const state::Workload& victim = cluster.workloads()[decision.workload];
  if (decision.was_on_loan) return;
  if (!victim.solo() || policy::StopsProtect(cluster, victim.queue)) {
    report.stops = policy::StopsWithOneMore(cluster, decision.workload, now);
  }
}

// What one pod more of `set` lacks, where the plan is carried out.
std::string WhyNoMore(const Scheduler& scheduler, WorkloadId w, const state::PodSet& set) {
  const state::Cluster& cluster = scheduler.cluster();
  if (!set.expected_shape.valid()) return {};
  const state::Amounts& request = cluster.shapes()[set.expected_shape].request;
  if (const auto breach = policy::FirstBreach(cluster, w, request)) {
    if (breach->by_user()) return UserLimitText(cluster, *breach);
    if (breach->not_lent()) return policy::NotLentText(cluster, *breach);
    const bool limit = breach->code == state::ReasonCode::kQueueLimit;
    const std::string& resource = cluster.resources().name(breach->resource);
    const auto format = [&](std::int64_t amount) {
      return cluster.resources().Format(breach->resource, amount);
    };
    return fmt::format(
        "one more asks for {}, and queue \"{}\" has {} left of its {}",
        AmountText(resource, format(breach->requested)), cluster.queues()[breach->queue].name,
        BareAmountText(resource, format(breach->available)), limit ? "limit" : "guarantee");
  }
  if (WhatIf(scheduler).placer().Best(set.expected_shape).valid()) {
    return "all that was asked finds no room at once";
  }
  return fmt::format("no node has room for one more: {}",
                     Survey(cluster, set.expected_shape, Room::kFreeNow).text);
}

// Of `count` pods: more may run on until they are taken back.
objects::ResourceList UsageOf(const state::Cluster& cluster, const state::PodSet& set,
                              std::int32_t count) {
  state::Amounts sum;
  for (const state::PodId p : set.pods) {
    if (!cluster.pods()[p].live()) continue;
    if (count-- == 0) break;
    state::AddTo(sum, cluster.shapes()[cluster.pods()[p].shape].request, 1);
  }
  objects::ResourceList usage;
  for (const state::Amount& each : sum) {
    if (each.resource == state::kPods || state::IsInternal(each.resource)) continue;
    if (cluster.resources().IsSlots(each.resource)) continue;
    usage.emplace_back(cluster.resources().name(each.resource), each.amount);
  }
  std::sort(usage.begin(), usage.end());
  return usage;
}

void AddCounts(const Scheduler& scheduler, const Plan& plan, const Decision& decision,
               DecisionReport& report) {
  const state::Gang& gang = scheduler.cluster().workloads().gang(decision.workload);
  for (std::size_t i = 0; i < gang.sets.size(); ++i) {
    const state::PodSet& set = gang.sets[i];
    const std::int32_t count = plan.counts[decision.first_count + i];
    // Another job had the workload's name, and that pod set.
    if (i > 0 && set.asked == 0 && count == 0) continue;
    report.pod_sets.push_back({.name = set.name,
                               .count = count,
                               .asked = set.asked,
                               .usage = UsageOf(scheduler.cluster(), set, count)});
    const bool fewer = count < set.asked && !gang.elastic;
    if (fewer && report.reason.empty())
      report.reason = WhyNoMore(scheduler, decision.workload, set);
  }
}

void AddReservation(const state::Cluster& cluster, const Plan& plan, const Decision& decision,
                    DecisionReport& report) {
  report.since = decision.since;
  report.at = decision.at;
  report.by_itself = !decision.pod.valid() && cluster.workloads()[decision.workload].solo();
  std::map<std::string, std::int32_t> pods;
  for (std::uint32_t i = 0; i < decision.node_count; ++i) {
    ++pods[cluster.nodes().name(plan.nodes[decision.first_node + i])];
  }
  for (const auto& [node, count] : pods) {
    report.nodes.push_back(node);
    if (decision.node_count > 1) report.pods_on.push_back(count);
  }
}

void AddLanding(const state::Cluster& cluster, const Decision& decision, DecisionReport& report) {
  if (decision.pod.valid()) {
    report.beneficiary = cluster.NameOf(decision.beneficiary);
    return;
  }
  report.by_itself = cluster.workloads()[decision.workload].solo();
  const objects::Landings* held = cluster.workloads().landings(decision.workload);
  if (held != nullptr) report.landings = *held;
}

void AddLoan(const state::Cluster& cluster, const Decision& decision, DecisionReport& report) {
  report.by_itself = cluster.workloads()[decision.workload].solo();
  if (!decision.beneficiary.valid()) return;
  report.beneficiary = cluster.NameOf(decision.beneficiary);
  report.at = decision.at;
}

}  // namespace

DecisionReports ReportDecisions(const Scheduler& scheduler, const Plan& plan) {
  const state::Cluster& cluster = scheduler.cluster();
  DecisionReports reports;
  for (const Decision& decision : plan.decisions) {
    DecisionReport& report = reports.emplace_back();
    report.type = decision.type;
    if (decision.pod.valid()) report.pod = cluster.pods().name(decision.pod);
    if (decision.node.valid()) report.node = cluster.nodes().name(decision.node);
    if (decision.workload.valid()) report.workload = cluster.NameOf(decision.workload);
    report.gpu_device = decision.gpu_device;
    if (decision.type == DecisionType::kBind) {
      const auto& wishes =
          cluster.shapes()[cluster.pods()[decision.pod].shape].needs->rare->volume_wishes;
      for (state::ClaimToBind& each : cluster.volumes().supply.ClaimsOf(decision.pod, wishes)) {
        report.volumes.push_back({std::move(each.claim), std::move(each.volume)});
      }
    }
    if (decision.type == DecisionType::kEvict) AddEviction(cluster, plan, decision, report);
    if (decision.type == DecisionType::kReserve) AddReservation(cluster, plan, decision, report);
    if (decision.type == DecisionType::kLand) AddLanding(cluster, decision, report);
    if (decision.type == DecisionType::kLend) AddLoan(cluster, decision, report);
    for (std::uint32_t i = 0; i < decision.wait_count; ++i) {
      report.waiting_for.emplace_back(cluster.pods().name(plan.waits[decision.first_wait + i]));
    }
    if (decision.type == DecisionType::kAdmit && !decision.withdrawn) {
      AddCounts(scheduler, plan, decision, report);
    }
  }
  return reports;
}

std::vector<PendingReport> ReportPending(const Scheduler& scheduler, Time now) {
  return ReportPending(scheduler, now, std::numeric_limits<std::size_t>::max());
}

std::vector<PendingReport> ReportPending(const Scheduler& scheduler, Time now,
                                         std::size_t explained) {
  const state::Cluster& cluster = scheduler.cluster();
  std::vector<std::uint32_t> place(cluster.queues().size(), 0);
  for (std::size_t i = 0; i < cluster.queues().order().size(); ++i) {
    place[cluster.queues().order()[i].value()] = static_cast<std::uint32_t>(i);
  }
  std::vector<WorkloadId> waiting;
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    if (IsPending(cluster, WorkloadId(i))) waiting.emplace_back(i);
  }
  std::sort(waiting.begin(), waiting.end(), [&](WorkloadId a, WorkloadId b) {
    const std::uint32_t x = place[cluster.workloads()[a].queue.value()];
    const std::uint32_t y = place[cluster.workloads()[b].queue.value()];
    return x != y ? x < y : cluster.NameOf(a) < cluster.NameOf(b);
  });
  Explainer explainer(scheduler, now);
  std::vector<PendingReport> reports;
  reports.reserve(waiting.size());
  for (WorkloadId w : waiting) {
    reports.push_back({.workload = std::string(cluster.NameOf(w)),
                       .queue = cluster.queues()[cluster.workloads()[w].queue].name,
                       .reasons = {}});
    if (const auto* kept = cluster.workloads().reservation(w)) reports.back().reservation = *kept;
    if (reports.size() <= explained) reports.back().reasons = explainer.Reasons(w);
  }
  return reports;
}

namespace {

std::string_view NotReady(state::QueueHealth health) {
  switch (health) {
    case state::QueueHealth::kParentNotFound:
      return "ParentNotFound";
    case state::QueueHealth::kParentCycle:
      return "ParentCycle";
    default:
      return "";
  }
}

QueueReport ReportQueue(const state::Cluster& cluster, QueueId q,
                        const std::vector<state::ResourceId>& resources) {
  const state::QueueTree& queues = cluster.queues();
  const state::Queue& queue = queues[q];
  QueueReport report{.name = queue.name, .parent = queue.parent_name};
  report.not_ready = NotReady(queue.health);
  report.derived_from = queue.derived_from;
  for (state::ResourceId r : resources) {
    auto add = [&](Quantities& to, std::int64_t amount) {
      to.emplace_back(cluster.resources().name(r), cluster.resources().Format(r, amount));
    };
    const auto& named = queue.guaranteed_names;
    const bool guarantees = std::find(named.begin(), named.end(), r) != named.end();
    if (guarantees) {
      const bool all = queues.Get(q, Figure::kGuaranteed, r) >= state::kUnlimited;
      add(report.guaranteed, all ? state::GuaranteeOf(queues, queue.parent, r)
                                 : queues.Get(q, Figure::kGuaranteed, r));
    }
    const std::int64_t limit = queues.Get(q, Figure::kLimit, r);
    // Of the many resources that a queue does not cover only those that it is asked are shown.
    const bool shown =
        guarantees || !queue.limits_all || limit > 0 || queues.Get(q, Figure::kRequested, r) > 0;
    if (limit < state::kUnlimited && shown) add(report.limit, limit);
    if (!queues.Counts(r)) continue;
    if (auto requested = queues.Get(q, Figure::kRequested, r)) add(report.requested, requested);
    if (auto allocated = queues.Get(q, Figure::kAllocated, r)) add(report.allocated, allocated);
    if (auto share = queues.Get(q, Figure::kFairShare, r)) add(report.fair_share, share);
    if (const WideInt used = queues.usage().Of(q, r); used > 0) {
      const std::string& name = cluster.resources().name(r);
      report.usage.emplace_back(name, FormatWide(used, DecimalsOf(ScaleOf(name))));
    }
  }
  if (queues.usage().kept()) report.usage_at = queues.usage().at();
  report.median_duration = queues[q].median_duration;
  return report;
}

}  // namespace

std::vector<QueueReport> ReportQueues(const Scheduler& scheduler) {
  const state::Cluster& cluster = scheduler.cluster();
  const std::vector<state::ResourceId> resources = cluster.resources().SortedByName();
  std::vector<std::int32_t> pending(cluster.queues().size(), 0);
  std::vector<std::int32_t> running(cluster.queues().size(), 0);
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const state::Workload& workload = cluster.workloads()[WorkloadId(i)];
    if (!workload.in_use) continue;
    const bool waits = IsPending(cluster, WorkloadId(i));
    if (!waits && workload.live == 0) continue;
    std::vector<std::int32_t>& counts = waits ? pending : running;
    for (QueueId q = workload.queue; q.valid(); q = cluster.queues()[q].parent) ++counts[q.value()];
  }
  std::vector<QueueReport> reports;
  for (QueueId q : cluster.queues().order()) {
    if (q == state::QueueTree::Root() || !cluster.queues()[q].exists) continue;
    QueueReport report = ReportQueue(cluster, q, resources);
    report.pending_workloads = pending[q.value()];
    report.running_workloads = running[q.value()];
    reports.push_back(std::move(report));
  }
  return reports;
}

namespace {

// What usage makes of the weights of a parent's children.
void AddWeights(const state::Cluster& cluster, QueueId parent, state::ResourceId r,
                const std::vector<QueueReport*>& report_of) {
  const state::QueueTree& queues = cluster.queues();
  const std::vector<policy::Sharer> sharers = policy::SharersOf(queues, parent, r);
  const std::vector<policy::UsageWeight> weights =
      policy::UsageWeights(sharers, queues.usage().influence_milli());
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    QueueReport* report = report_of[queues[parent].children[i].value()];
    if (report == nullptr || sharers[i].requestable == 0) continue;
    report->weights.push_back({.resource = cluster.resources().name(r),
                               .of_weights = FormatWide(weights[i].of_weights, 6),
                               .of_usage = FormatWide(weights[i].of_usage, 6),
                               .weight = FormatWide(weights[i].weight, 9)});
  }
}

}  // namespace

std::vector<QueueReport> ReportShares(const Scheduler& scheduler) {
  const state::Cluster& cluster = scheduler.cluster();
  const state::QueueTree& queues = cluster.queues();
  std::vector<QueueReport> reports = ReportQueues(scheduler);
  std::vector<QueueReport*> report_of(queues.size(), nullptr);
  for (QueueReport& report : reports) report_of[queues.Find(report.name).value()] = &report;
  for (state::ResourceId r : cluster.resources().SortedByName()) {
    if (!queues.Counts(r)) continue;
    for (QueueId parent : queues.order()) {
      for (const policy::Loan& loan : policy::LoansBelow(queues, parent, r)) {
        QueueReport* report = report_of[loan.queue.value()];
        if (report == nullptr) continue;
        const auto add = [&](Quantities& to, std::int64_t amount) {
          if (amount == 0) return;
          to.emplace_back(cluster.resources().name(r), cluster.resources().Format(r, amount));
        };
        add(report->borrowed, loan.borrowed);
        add(report->lent, loan.lent);
      }
      if (queues.usage().counts()) AddWeights(cluster, parent, r, report_of);
    }
  }
  return reports;
}

std::vector<UserReport> ReportUsers(const Scheduler& scheduler) {
  const state::Cluster& cluster = scheduler.cluster();
  const state::Accounts& accounts = cluster.queues().accounts();
  std::vector<UserReport> reports(accounts.size());
  for (std::uint32_t i = 0; i < accounts.size(); ++i) {
    const state::Account& account = accounts[state::AccountId(i)];
    UserReport& report = reports[i];
    report.name = account.name;
    report.queue = cluster.queues()[account.queue].name;
    report.is_group = account.of_group;
    report.max_running = account.max_running;
    report.max_waiting = account.max_waiting;
    report.running = account.running;
    for (const state::Account::Line& line : account.max) {
      const std::string& name = cluster.resources().name(line.resource);
      report.max.emplace_back(name, cluster.resources().Format(line.resource, line.max));
      report.allocated.emplace_back(name,
                                    cluster.resources().Format(line.resource, line.allocated));
    }
  }
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const WorkloadId w(i);
    const state::Workload& workload = cluster.workloads()[w];
    if (!workload.in_use || !workload.accounts.valid()) continue;
    if (accounts.IsRunning(w) || !IsPending(cluster, w)) continue;
    for (const state::AccountId a : accounts[workload.accounts]) {
      ++(workload.beyond_line ? reports[a.value()].beyond : reports[a.value()].waiting);
    }
  }
  // Numbers of limits are in the order in which queues say them.
  std::stable_sort(reports.begin(), reports.end(), [](const UserReport& a, const UserReport& b) {
    return std::tie(a.name, a.is_group, a.queue) < std::tie(b.name, b.is_group, b.queue);
  });
  return reports;
}

PlanReport Report(const Scheduler& scheduler, const Plan& plan) {
  return Report(scheduler, plan, ReportDecisions(scheduler, plan));
}

PlanReport Report(const Scheduler& scheduler, const Plan& plan, DecisionReports decisions) {
  PlanReport report{.now = plan.now, .next_round = plan.next_round};
  report.decisions = std::move(decisions);
  report.pending = ReportPending(scheduler, plan.now);
  report.queues = ReportQueues(scheduler);
  report.digest = DigestOf(report);
  return report;
}

std::vector<BrokenReport> ReportBroken(const Scheduler& scheduler) {
  std::vector<BrokenReport> broken;
  for (const auto& [w, each] : scheduler.round().broken().all()) {
    broken.push_back({std::string(scheduler.cluster().NameOf(w)), each.since,
                      std::string(policy::ToString(each.action))});
  }
  std::ranges::sort(broken, {}, &BrokenReport::workload);
  return broken;
}

Result<PendingReport> Explain(const Scheduler& scheduler, std::string_view workload, Time now) {
  const state::Cluster& cluster = scheduler.cluster();
  const WorkloadId w = state::FindWorkload(cluster, workload);
  if (!w.valid()) return Fail("workload \"" + std::string(workload) + "\" is not there");
  Explainer explainer(scheduler, now);
  PendingReport report{.workload = std::string(cluster.NameOf(w)),
                       .queue = cluster.queues()[cluster.workloads()[w].queue].name,
                       .reasons = explainer.Reasons(w)};
  if (report.reasons.empty()) return report;
  if (const auto* kept = cluster.workloads().reservation(w)) report.reservation = *kept;
  if (const std::optional<RoomInTime> room = explainer.RoomAt(w)) {
    report.room.emplace().at = room->at;
    for (const WorkloadId ended : room->ended) report.room->ended.emplace(cluster.NameOf(ended));
  }
  return report;
}

}  // namespace fairlead::engine
