#include "account/ledger.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/scheduler.h"
#include "objects/keys.h"
#include "state/cluster.h"

namespace fairlead::account {
namespace {

using state::PodState;

// What a queue may be guaranteed at most is what there is.
std::int64_t Bounded(std::int64_t amount, std::int64_t capacity) {
  return amount >= state::kUnlimited ? capacity : amount;
}

}  // namespace

std::string_view ToString(StayEnd end) {
  switch (end) {
    case StayEnd::kRuns:
      return "running";
    case StayEnd::kFinished:
      return "finished";
    case StayEnd::kEvicted:
      return "evicted";
    case StayEnd::kDeleted:
      return "deleted";
  }
  return "";
}

Bookkeeper::Bookkeeper(std::optional<Time> start) : begun_(start) {
  if (start) ledger_.start = ledger_.end = *start;
  Intern("");
}

NameId Bookkeeper::Intern(std::string_view name) {
  const auto [at, is_new] =
      ids_.try_emplace(std::string(name), static_cast<NameId>(ledger_.names.size()));
  if (is_new) ledger_.names.emplace_back(name);
  return at->second;
}

void Bookkeeper::LearnResources(std::span<const state::Change> changes) {
  if (std::exchange(learned_, true)) return;
  std::set<std::string, std::less<>> names;
  const auto add = [&](const objects::ResourceList& list) {
    for (const auto& [name, amount] : list) {
      if (name != objects::kPodsResource) names.insert(name);
    }
  };
  for (const state::Change& change : changes) {
    if (const auto* node = std::get_if<state::NodeChange>(&change)) add(node->allocatable);
    const auto* pod = std::get_if<state::PodChange>(&change);
    if (pod == nullptr || pod->needs == nullptr) continue;
    add(pod->needs->request);
    if (pod->needs->gpu_milli > 0) names.emplace(objects::kGpuResource);
  }
  ledger_.resources.assign(names.begin(), names.end());
  ledger_.amounts.emplace_back(ledger_.resources.size());
}

Amounts Bookkeeper::AmountsOf(const objects::ResourceList& list) const {
  Amounts amounts(ledger_.resources.size());
  for (const auto& [name, amount] : list) {
    const auto at = std::lower_bound(ledger_.resources.begin(), ledger_.resources.end(), name);
    if (at == ledger_.resources.end() || *at != name) continue;
    amounts[static_cast<std::size_t>(at - ledger_.resources.begin())] += amount;
  }
  return amounts;
}

// An index into the ledger's amounts; 0: nothing.
std::uint32_t Bookkeeper::AmountsOf(const state::NeedsPtr& needs) {
  if (needs == nullptr) return 0;
  const auto [at, is_new] = amounts_by_needs_.try_emplace(
      needs.get(), static_cast<std::uint32_t>(ledger_.amounts.size()));
  if (is_new) {
    needs_.push_back(needs);
    objects::ResourceList asked = needs->request;
    // A share of a device and whole devices are one resource, in thousandths.
    if (needs->gpu_milli > 0)
      asked.emplace_back(std::string(objects::kGpuResource), needs->gpu_milli);
    ledger_.amounts.push_back(AmountsOf(asked));
  }
  return at->second;
}

std::uint32_t Bookkeeper::WorkloadOf(std::string_view name) {
  const NameId id = Intern(name);
  const auto [at, is_new] =
      workload_by_name_.try_emplace(id, static_cast<std::uint32_t>(held_.size()));
  if (is_new) {
    ledger_.workloads.push_back({.name = id, .submitted = {}, .size = {}});
    held_.emplace_back();
  }
  return at->second;
}

void Bookkeeper::OnChanges(Time now, std::span<const state::Change> changes) {
  LearnResources(changes);
  if (!std::exchange(begun_, true)) ledger_.start = now;
  for (const state::Change& change : changes) {
    if (const auto* node = std::get_if<state::NodeChange>(&change)) {
      Apply(now, *node);
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      Apply(*workload);
    } else if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      Apply(now, *pod);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kPod) RemovePod(now, removal->name);
      if (removal->kind == state::RowKind::kNode) {
        Apply(now, state::NodeChange{.name = removal->name, .ready = false});
      }
    } else if (const auto* failed = std::get_if<state::EvictFailed>(&change)) {
      TakeBackEviction(*failed);
    }
  }
  JudgeStarts(now);
}

void Bookkeeper::Apply(Time now, const state::NodeChange& change) {
  const NameId id = Intern(change.name);
  Node& node = nodes_[id];
  const bool serves = change.ready && change.schedulable;
  Amounts offered = AmountsOf(serves ? change.allocatable : objects::ResourceList{});
  if (node.taken_by_others.empty()) node.taken_by_others.resize(offered.size());
  if (node.offered == offered) return;
  node.offered = std::move(offered);
  NoteCapacity(now, id);
}

void Bookkeeper::NoteCapacity(Time now, NameId id) {
  const Node& node = nodes_[id];
  Amounts left = node.offered;
  for (std::size_t r = 0; r < left.size(); ++r) {
    left[r] = std::max<std::int64_t>(0, left[r] - node.taken_by_others[r]);
  }
  ledger_.capacity.push_back({.time = now, .node = id, .offered = std::move(left)});
}

void Bookkeeper::Apply(const state::WorkloadChange& change) {
  const std::uint32_t index = WorkloadOf(change.name);
  WorkloadRow& row = ledger_.workloads[index];
  row.submitted = change.traits.created;
  row.queue = Intern(change.traits.queue);
  starts_.Ask(index, change);
}

void Bookkeeper::TakeForeign(Time now, Pod& pod, const state::PodChange& change) {
  const bool takes = change.state == PodState::kBound;
  const NameId node = takes ? Intern(change.node) : kNoName;
  const Amounts amounts =
      takes ? ledger_.amounts[AmountsOf(change.needs)] : Amounts(ledger_.resources.size());
  const auto add = [&](NameId id, const Amounts& more, std::int64_t sign) {
    if (id == kNoName) return;
    Node& of = nodes_[id];
    if (of.taken_by_others.empty()) of.taken_by_others.resize(more.size());
    if (of.offered.empty()) of.offered.resize(more.size());
    for (std::size_t r = 0; r < more.size(); ++r) of.taken_by_others[r] += sign * more[r];
    NoteCapacity(now, id);
  };
  if (node == pod.foreign_node && amounts == pod.foreign_amounts) return;
  add(std::exchange(pod.foreign_node, node), std::exchange(pod.foreign_amounts, amounts), -1);
  add(node, amounts, +1);
}

void Bookkeeper::Apply(Time now, const state::PodChange& change) {
  const NameId id = Intern(change.name);
  Pod& pod = pods_[id];
  const NameId uid = Intern(change.uid);
  if (pod.name != kNoName && pod.uid != uid) {
    RemovePod(now, change.name);
    return Apply(now, change);
  }
  const bool is_new = pod.name == kNoName;
  pod.name = id;
  pod.uid = uid;
  pod.foreign = change.foreign;
  if (pod.foreign) return TakeForeign(now, pod, change);
  if (is_new && change.solo && change.state == PodState::kFinished) {
    pod.finished = true;  // it was over before anybody watched: no work of this run
    return;
  }
  if (change.solo && pod.workload == kNone) pod.workload = RowOfSolo(id);
  pod.solo = change.solo.has_value();
  if (!change.workload.empty()) pod.workload = WorkloadOf(change.workload);
  pod.set = std::max(change.pod_set, 0);
  if (change.solo) {
    WorkloadRow& row = ledger_.workloads[pod.workload];
    if (!starts_.known(pod.workload)) row.submitted = change.created;
    starts_.AskPod(pod.workload);
    row.queue = Intern(change.solo->queue);
  }
  const bool is_placed = change.state == PodState::kBound;
  // One that ran for no time at all is seen only when it has ended.
  const bool was_here = change.scheduled_time.has_value() && !pod.finished && !is_new;
  if (pod.stay == kNone && (is_placed || (change.state == PodState::kFinished && was_here))) {
    BeginStay(now, pod, change);
  }
  if (pod.stay != kNone && change.terminating && pod.counted) Count(pod, -1);
  if (change.state != PodState::kFinished || std::exchange(pod.finished, true)) return;
  // A kubelet that ends a pod at somebody's wish calls that an end as well.
  EndStay(now, pod, change.terminating ? StayEnd::kDeleted : StayEnd::kFinished);
  if (change.solo && !is_new && !change.terminating) ledger_.workloads[pod.workload].finished = now;
}

// The row of the work that a pod does: its own, or that of an evicted one in whose place it is.
std::uint32_t Bookkeeper::RowOfSolo(NameId pod) {
  const auto owner = owner_of_.find(pod);
  if (owner != owner_of_.end()) {
    std::vector<std::uint32_t>& rows = to_go_on_[owner->second];
    if (!rows.empty()) {
      const std::uint32_t row = rows.front();
      rows.erase(rows.begin());
      return row;
    }
  }
  return WorkloadOf(ledger_.names[pod]);
}

void Bookkeeper::BeginStay(Time now, Pod& pod, const state::PodChange& change) {
  Stay stay{.pod = pod.name,
            .node = Intern(change.node),
            .gpu_device = change.gpu_device,
            .amounts = AmountsOf(change.needs),
            // A server's clock may be ahead of a scheduler's.
            .begin = std::max(std::min(change.scheduled_time.value_or(now), now), ledger_.start)};
  if (pod.workload != kNone) {
    stay.workload = ledger_.workloads[pod.workload].name;
    stay.queue = ledger_.workloads[pod.workload].queue;
  }
  pod.stay = static_cast<std::uint32_t>(ledger_.stays.size());
  ledger_.stays.push_back(stay);
  if (!change.terminating) Count(pod, +1);
  const auto early = early_evictions_.find(pod.name);
  if (early == early_evictions_.end()) return;
  NoteEviction(pod, early->second);
  early_evictions_.erase(early);
}

// What its workload holds.
void Bookkeeper::Count(Pod& pod, std::int32_t sign) {
  pod.counted = sign > 0;
  if (pod.workload == kNone) return;
  starts_.Count(pod.workload, pod.set, sign);
  const Amounts& amounts = ledger_.amounts[ledger_.stays[pod.stay].amounts];
  Amounts& held = held_[pod.workload];
  held.resize(amounts.size());
  for (std::size_t r = 0; r < amounts.size(); ++r) held[r] += sign * amounts[r];
}

void Bookkeeper::EndStay(Time now, Pod& pod, StayEnd how) {
  if (pod.stay == kNone) return;
  if (pod.counted) Count(pod, -1);
  Stay& stay = ledger_.stays[std::exchange(pod.stay, kNone)];
  stay.end = now;
  stay.how = stay.evicted != Time::Max() ? StayEnd::kEvicted : how;
}

void Bookkeeper::RemovePod(Time now, std::string_view name) {
  const auto at = pods_.find(Intern(name));
  if (at == pods_.end()) return;
  if (at->second.foreign) TakeForeign(now, at->second, {});
  EndStay(now, at->second, StayEnd::kDeleted);
  early_evictions_.erase(at->first);
  pods_.erase(at);
}

void Bookkeeper::JudgeStarts(Time now) {
  starts_.Judge([&](std::uint32_t index, bool began_before) {
    WorkloadRow& row = ledger_.workloads[index];
    row.started = now;
    row.size = held_[index];
    row.began_before = began_before;
  });
}

void Bookkeeper::OnEvent(const drive::Event& event) {
  using drive::EventType;
  if (event.type == EventType::kComplete) {
    const auto found = workload_by_name_.find(Intern(event.object));
    if (found == workload_by_name_.end()) return;
    Time& finished = ledger_.workloads[found->second].finished;
    finished = std::min(finished, event.time);
  }
  if (event.type == EventType::kCreate) owner_of_[Intern(event.pod)] = Intern(event.owner);
  if (event.type != EventType::kEvict) return;
  const auto at = pods_.find(Intern(event.pod));
  if (at == pods_.end()) return;
  const Eviction eviction{event.time, Intern(event.action), Intern(event.beneficiary)};
  if (at->second.stay == kNone) {
    early_evictions_.emplace(at->first, eviction);
  } else {
    NoteEviction(at->second, eviction);
  }
}

void Bookkeeper::NoteEviction(Pod& pod, const Eviction& eviction) {
  Stay& stay = ledger_.stays[pod.stay];
  if (stay.evicted != Time::Max()) return;
  stay.evicted = std::max(eviction.at, stay.begin);
  stay.action = eviction.action;
  stay.beneficiary = eviction.beneficiary;
  const auto owner = owner_of_.find(pod.name);
  if (owner != owner_of_.end() && pod.solo) to_go_on_[owner->second].push_back(pod.workload);
}

// A real cluster refused it in the end: the pod stays.
void Bookkeeper::TakeBackEviction(const state::EvictFailed& failed) {
  const auto at = pods_.find(Intern(failed.pod));
  if (at == pods_.end()) return;
  early_evictions_.erase(at->first);
  if (at->second.stay == kNone) return;
  Stay& stay = ledger_.stays[at->second.stay];
  stay.evicted = Time::Max();
  stay.action = stay.beneficiary = kNoName;
  const auto owner = owner_of_.find(at->first);
  if (owner != owner_of_.end()) std::erase(to_go_on_[owner->second], at->second.workload);
}

void Bookkeeper::OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) {
  const state::Cluster& cluster = scheduler.cluster();
  const state::QueueTree& queues = cluster.queues();
  std::vector<state::ResourceId> ids(ledger_.resources.size());
  for (std::uint32_t r = 0; r < cluster.resources().size(); ++r) {
    const std::string& name = cluster.resources().name(state::ResourceId(r));
    const auto at = std::lower_bound(ledger_.resources.begin(), ledger_.resources.end(), name);
    if (at == ledger_.resources.end() || *at != name) continue;
    ids[static_cast<std::size_t>(at - ledger_.resources.begin())] = state::ResourceId(r);
  }
  last_share_.resize(std::max<std::size_t>(last_share_.size(), queues.size()), kNone);
  for (const state::QueueId q : queues.order()) {
    if (q == state::QueueTree::Root() || !queues.IsLeaf(q)) continue;
    ShareRow row{.time = plan.now, .queue = Intern(queues[q].name)};
    for (const state::ResourceId r : ids) {
      row.guaranteed.push_back(
          Bounded(queues.Get(q, state::Figure::kGuaranteed, r), queues.capacity(r)));
      row.fair.push_back(queues.Get(q, state::Figure::kFairShare, r));
      row.requested.push_back(queues.Get(q, state::Figure::kRequested, r));
      row.allocated.push_back(queues.Get(q, state::Figure::kAllocated, r));
    }
    std::uint32_t& last = last_share_[q.value()];
    if (last != kNone) {
      ShareRow& before = ledger_.shares[last];
      if (before.guaranteed == row.guaranteed && before.fair == row.fair &&
          before.requested == row.requested && before.allocated == row.allocated) {
        continue;
      }
      if (before.time == row.time) {
        before = std::move(row);
        continue;
      }
    }
    last = static_cast<std::uint32_t>(ledger_.shares.size());
    ledger_.shares.push_back(std::move(row));
  }
}

Ledger Bookkeeper::Take(Time end) {
  ledger_.end = end;
  return std::move(ledger_);
}

}  // namespace fairlead::account
