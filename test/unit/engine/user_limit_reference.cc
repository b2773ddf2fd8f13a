#include "unit/engine/user_limit_reference.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/explain/what_if.h"
#include "policy/limits.h"
#include "policy/queue_order.h"
#include "state/cluster.h"

namespace fairlead::engine {
namespace {

using state::PodId;
using state::QueueId;
using state::WorkloadId;

// One limit, as it holds for one user or group: the queue, its place there, whom.
using Holder = std::tuple<QueueId, std::size_t, bool, std::string>;

struct Use {
  std::map<std::string, std::int64_t> counted, taken;
  std::set<WorkloadId> running, present;
};

class Reference {
 public:
  Reference(const Scheduler& scheduler, const Plan& plan)
      : scheduler_(scheduler), cluster_(scheduler.cluster()), plan_(plan) {}

  std::vector<std::string> Run() {
    for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) Add(WorkloadId(i));
    for (const Decision& decision : plan_.decisions) CheckPlaced(decision);
    CheckLines();
    for (const WorkloadId w : waiting_) CheckWaits(w);
    return std::move(faults_);
  }

 private:
  std::vector<Holder> HoldersOf(WorkloadId w) const {
    std::vector<Holder> holders;
    const state::SubmitterId s = cluster_.workloads().submitter(w);
    if (!s.valid()) return holders;
    const objects::Submitter& who = cluster_.queues().accounts().submitter(s);
    QueueId q = cluster_.workloads()[w].queue;
    for (; q.valid(); q = cluster_.queues()[q].parent) {
      const auto& limits = cluster_.queues()[q].user_limits;
      for (std::size_t i = 0; i < limits.size(); ++i) {
        using Each = objects::UserLimit::Each;
        if (limits[i].each == Each::kUser || std::ranges::count(limits[i].users, who.user) > 0) {
          holders.emplace_back(q, i, false, who.user);
        }
        for (const std::string& group : who.groups) {
          if (limits[i].each == Each::kGroup || std::ranges::count(limits[i].groups, group) > 0) {
            holders.emplace_back(q, i, true, group);
          }
        }
      }
    }
    return holders;
  }
  const objects::UserLimit& LimitOf(const Holder& holder) const {
    return cluster_.queues()[std::get<QueueId>(holder)].user_limits[std::get<std::size_t>(holder)];
  }
  static std::string Text(const Holder& holder) {
    return fmt::format("{} {} by limit {}", std::get<bool>(holder) ? "group" : "user",
                       std::get<std::string>(holder), std::get<std::size_t>(holder));
  }

  void Add(WorkloadId w) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.in_use || !workload.queue.valid()) return;
    bool any_waits = false, any_counts = false;
    const std::vector<Holder> holders = HoldersOf(w);
    cluster_.ForEachPodOf(w, [&](PodId p) {
      const state::Pod& pod = cluster_.pods()[p];
      any_waits |= pod.waits();
      if (!pod.placed() || !cluster_.nodes().exists(pod.node)) return;
      any_counts |= pod.counts();
      for (const Holder& holder : holders) {
        Use& use = uses_[holder];
        for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
          const std::string& name = cluster_.resources().name(a.resource);
          if (pod.counts()) use.counted[name] += a.amount;
          if (!pod.claims()) use.taken[name] += a.amount;
        }
        if (pod.counts()) use.running.insert(w);
        if (!pod.claims()) use.present.insert(w);
      }
    });
    if (!workload.solo()) {
      for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
        any_waits |= set.MissingExpected() > 0;
      }
      if (!cluster_.workloads().gang(w).known) return;
    }
    if (any_waits && !any_counts && workload.may_wait()) waiting_.push_back(w);
  }

  void CheckPlaced(const Decision& decision) {
    const bool binds = decision.type == DecisionType::kBind;
    const bool claims = decision.type == DecisionType::kNominate && decision.node.valid();
    if (!binds && !claims) return;
    for (const Holder& holder : HoldersOf(decision.workload)) {
      const objects::UserLimit& limit = LimitOf(holder);
      const Use& use = uses_[holder];
      for (const auto& [name, max] : limit.max) {
        if (!Asks(decision.pod, name)) continue;
        const auto& used = binds ? use.taken : use.counted;
        const auto at = used.find(name);
        if (at == used.end() || at->second <= max) continue;
        Fault("{} has {} of {}, at most {}", Text(holder), at->second, name, max);
      }
      const auto running = std::ssize(binds ? use.present : use.running);
      if (limit.max_running && running > *limit.max_running && Starts(decision.workload)) {
        Fault("{} has {} workloads running, at most {}", Text(holder), running, *limit.max_running);
      }
    }
  }
  bool Asks(PodId p, const std::string& resource) const {
    return std::ranges::any_of(
        cluster_.shapes()[cluster_.pods()[p].shape].request,
        [&](const state::Amount& a) { return cluster_.resources().name(a.resource) == resource; });
  }
  // All that is placed of it is by this plan.
  bool Starts(WorkloadId w) const {
    bool before = false;
    cluster_.ForEachPodOf(w, [&](PodId p) {
      const state::Pod& pod = cluster_.pods()[p];
      before |= pod.placed() && pod.placement == state::Placement::kBound;
    });
    return !before;
  }

  // In their order, each once.
  void CheckLines() {
    std::sort(waiting_.begin(), waiting_.end(),
              [this](WorkloadId a, WorkloadId b) { return policy::IsServedFirst(cluster_, a, b); });
    std::map<Holder, int> in_line;
    for (const WorkloadId w : waiting_) {
      std::vector<Holder> holders = HoldersOf(w);
      std::erase_if(holders, [this](const Holder& h) { return !LimitOf(h).max_waiting; });
      const bool beyond = std::ranges::any_of(
          holders, [&](const Holder& h) { return in_line[h] >= *LimitOf(h).max_waiting; });
      if (!beyond) {
        for (const Holder& h : holders) ++in_line[h];
      }
      if (beyond == cluster_.workloads()[w].beyond_line) continue;
      Fault("{} {} beyond those who may wait", cluster_.NameOf(w), beyond ? "is not" : "is");
    }
  }

  void CheckWaits(WorkloadId w) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.solo() || !workload.open() || !TakesWork(cluster_.queues(), workload.queue))
      return;
    const state::ShapeId s = cluster_.pods()[workload.only_pod].shape;
    const state::Amounts& request = cluster_.shapes()[s].request;
    for (const Holder& holder : HoldersOf(w)) {
      const objects::UserLimit& limit = LimitOf(holder);
      if (limit.max_running && std::ssize(uses_[holder].running) >= *limit.max_running) return;
      for (const state::Amount& a : request) {
        const std::string& name = cluster_.resources().name(a.resource);
        const auto max =
            std::ranges::find(limit.max, name, &std::pair<std::string, std::int64_t>::first);
        if (max != limit.max.end() && uses_[holder].counted[name] + a.amount > max->second) return;
      }
    }
    const auto all = policy::AllBreaches(cluster_, w, request);
    if (std::ranges::any_of(all, [](const auto& breach) { return !breach.by_user(); })) return;
    if (WhatIf(scheduler_).placer().AnyFits(s)) Fault("{} could start", cluster_.NameOf(w));
  }

  template <typename... Args>
  void Fault(fmt::format_string<Args...> text, Args&&... args) {
    faults_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  const Scheduler& scheduler_;
  const state::Cluster& cluster_;
  const Plan& plan_;
  std::map<Holder, Use> uses_;
  std::vector<WorkloadId> waiting_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> UserLimitFaults(const Scheduler& scheduler, const Plan& plan) {
  return Reference(scheduler, plan).Run();
}

}  // namespace fairlead::engine
