// Waiting work, so that a round looks at what could have changed and at nothing else.
//
// Pods of one shape, queue and priority are one group, a gang is a group by itself. When the first
// of a group cannot start, none of it can: ten thousand equal pods cost one question. A group that
// was refused says what it waits for (a node that could hold it, a queue's limit, a moment), is
// listed there, and is asked again only when that comes.
//
// In a round the ready groups of a queue stand in a heap; the queues take turns (turns.cc). What is
// woken while others are tried is gathered, and comes in the next pass.
//
// Worked: 10,000 pods of 8 GPUs wait for room, in one group. A pod of 1 GPU ends: its node has 1
// free, which holds none of theirs, so the group is not woken and the round is over. A node with 8
// comes free: the group is woken, its first pod starts, the second does not, and it waits again.

#include "engine/round/backlog.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/sorted_set.h"
#include "engine/round/gang_step.h"
#include "policy/dynamic_demand.h"
#include "policy/queue_order.h"
#include "policy/run_time.h"

namespace fairlead::engine {

using state::PodId;
using state::QueueId;
using state::WorkloadId;

namespace {

bool Earlier(const state::Cluster& cluster, const Group::Entry& a, const Group::Entry& b) {
  const state::PodTable& pods = cluster.pods();
  if (pods[a.pod].created != pods[b.pod].created) return pods[a.pod].created < pods[b.pod].created;
  return pods.name(a.pod) < pods.name(b.pod);
}

// Drops stale entries, and sorts what has come since the last time.
void SortPods(const state::Cluster& cluster, Group& group) {
  auto stale = [&](const Group::Entry& e) { return cluster.pods()[e.pod].ticket != e.ticket; };
  group.pods.erase(group.pods.begin(),
                   group.pods.begin() + static_cast<std::ptrdiff_t>(group.head));
  group.sorted = group.sorted > group.head ? group.sorted - group.head : 0;
  group.head = 0;
  const auto middle = std::remove_if(
      group.pods.begin(), group.pods.begin() + static_cast<std::ptrdiff_t>(group.sorted), stale);
  const auto kept = middle - group.pods.begin();
  group.pods.erase(middle, group.pods.begin() + static_cast<std::ptrdiff_t>(group.sorted));
  auto earlier = [&](const auto& a, const auto& b) { return Earlier(cluster, a, b); };
  std::erase_if(group.pods, stale);
  std::sort(group.pods.begin() + kept, group.pods.end(), earlier);
  std::inplace_merge(group.pods.begin(), group.pods.begin() + kept, group.pods.end(), earlier);
  group.sorted = group.pods.size();
}

// As the state is by now.
bool HasWork(Backlog& backlog, GroupId g) {
  return backlog[g].gang.valid() ? backlog.PrepareGang(g) : backlog.Head(g).valid();
}

}  // namespace

GroupId Backlog::NewGroup() {
  if (unused_.empty()) {
    unused_.emplace_back(groups_.size());
    groups_.emplace_back();
  }
  const GroupId g = unused_.back();
  unused_.pop_back();
  return g;
}

void Backlog::SetWait(GroupId g, Group::Wait wait) {
  Group& group = groups_[g.value()];
  group.wait = wait;
  if (!group.IsBlocked()) group.refusal = StandingRefusals::kNone;
  blocked_.Changed(g);
  with_work_.Note(g, wait == Group::Wait::kNothing ? QueueId() : group.queue);
}

void Backlog::Refresh(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  // The gang that had this number may be gone, and its number another's.
  if (const GroupId g = GroupOfGang(w); g.valid()) {
    Group& group = groups_[g.value()];
    if (group.wait == Group::Wait::kReady) group.outdated = true;
    SetWait(g, group.wait);
  }
  if (!workload.in_use) return;
  if (workload.solo()) {
    RefreshSolo(w);
  } else {
    RefreshGang(w);
  }
}

// Single pods ------------------------------------------------------------------------------------

GroupId Backlog::GroupOfPod(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  const state::Workload& workload = cluster_.workloads()[pod.workload];
  const bool by_run_time = policy::RunTimeMatters(cluster_, workload.queue);
  const std::int64_t run_us =
      by_run_time ? cluster_.workloads().run_time(pod.workload).said().value_or(Duration{}).us
                  : kAnyDuration;
  auto [it, added] = solo_groups_.try_emplace(SoloKey{
      workload.queue.value(), pod.shape.value(), workload.accounts.value(), workload.priority,
      workload.preemptible, workload.never_preempts, pod.of_daemon_set(), run_us});
  if (added) {
    it->second = NewGroup();
    Group& group = groups_[it->second.value()];
    group.queue = workload.queue;
    group.priority = workload.priority;
    group.preemptible = workload.preemptible;
    group.never_preempts = workload.never_preempts;
    group.of_daemon_set = pod.of_daemon_set();
    group.shape = pod.shape;
    group.by_run_time = by_run_time;
    group.request = cluster_.shapes()[pod.shape].request;
  }
  return it->second;
}

void Backlog::RefreshSolo(WorkloadId w) {
  const PodId p = cluster_.workloads()[w].only_pod;
  const state::Pod& pod = cluster_.pods()[p];
  if (!pod.waits() || !cluster_.workloads()[w].open()) return;
  const GroupId g = GroupOfPod(p);
  if (enqueued_.size() <= p.value()) enqueued_.resize(cluster_.pods().size());
  Enqueued& enqueued = enqueued_[p.value()];
  if (enqueued.ticket == pod.ticket && enqueued.group == g) return;
  enqueued = {g, pod.ticket};
  Group& group = groups_[g.value()];
  const Group::Entry entry{p, pod.ticket};
  // A stale last entry tells nothing: its number may be another pod's by now.
  auto live = [this](const Group::Entry& e) { return cluster_.pods()[e.pod].ticket == e.ticket; };
  const bool in_order = group.pods.size() == group.sorted &&
                        (group.head == group.pods.size() ||
                         (live(group.pods.back()) && Earlier(cluster_, group.pods.back(), entry)));
  group.pods.push_back(entry);
  if (in_order) group.sorted = group.pods.size();
  if (group.wait == Group::Wait::kNothing) {
    MakeReady(g);
  } else {
    SetWait(g, group.wait);
  }
}

void Backlog::RegroupByRunTime() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    const bool solo = !group.gang.valid() && group.queue.valid();
    if (!solo || group.by_run_time == policy::RunTimeMatters(cluster_, group.queue)) continue;
    group.head = group.sorted = 0;
    for (const Group::Entry& entry : std::exchange(group.pods, {})) {
      const state::Pod& pod = cluster_.pods()[entry.pod];
      const Enqueued& enqueued = enqueued_[entry.pod.value()];
      if (pod.ticket != entry.ticket || enqueued.ticket != entry.ticket) continue;
      if (enqueued.group == GroupId(i)) RefreshSolo(pod.workload);
    }
  }
}

namespace {

RoomStep StepWith(const Group& group, WorkloadId w, std::vector<GangPart> parts) {
  return {.workload = w,
          .queue = group.queue,
          .priority = group.priority,
          .preemptible = group.preemptible,
          .parts = std::move(parts),
          .request = group.request};
}

}  // namespace

WorkloadId NextOf(const state::Cluster& cluster, const Group& group) {
  return group.gang.valid() ? group.gang : cluster.pods()[group.pods[group.head].pod].workload;
}

WorkloadId NextOf(const state::Cluster& cluster, Backlog& backlog, GroupId g) {
  if (!backlog[g].gang.valid()) (void)backlog.Head(g);
  return NextOf(cluster, backlog[g]);
}

RoomStep StepOfGang(const Group& group) {
  DCHECK(group.gang.valid());
  return StepWith(group, group.gang, group.parts);
}

RoomStep Backlog::StepOf(GroupId g) {
  const Group& group = groups_[g.value()];
  if (group.gang.valid()) return StepOfGang(group);
  const PodId p = Head(g);
  DCHECK(p.valid());
  return StepWith(group, cluster_.pods()[p].workload,
                  {{.pod_set = 0, .shape = group.shape, .pods = {p}, .expected = 0}});
}

PodId Backlog::Head(GroupId g) {
  Group& group = groups_[g.value()];
  // Half of it is used up: let go of that, so that a long-lived group stays small.
  if (group.sorted < group.pods.size() || group.head > 64 + group.pods.size() / 2)
    SortPods(cluster_, group);
  for (; group.head < group.pods.size(); ++group.head) {
    const Group::Entry& entry = group.pods[group.head];
    const state::Pod& pod = cluster_.pods()[entry.pod];
    if (pod.ticket == entry.ticket && pod.waits() && enqueued_[entry.pod.value()].group == g &&
        cluster_.workloads()[pod.workload].open()) {
      return entry.pod;
    }
    // It may come back to this group (a hold that is lifted): then it is a new entry.
    Enqueued& enqueued = enqueued_[entry.pod.value()];
    if (enqueued.group == g && enqueued.ticket == entry.ticket) enqueued = {};
  }
  return PodId();
}

// Gangs ------------------------------------------------------------------------------------------

GroupId Backlog::GroupOfGang(WorkloadId w) const {
  auto it = gang_groups_.find(w.value());
  return it == gang_groups_.end() ? GroupId() : it->second;
}

GroupId Backlog::GroupOf(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use) return GroupId();
  if (!workload.solo()) {
    const GroupId g = GroupOfGang(w);
    return g.valid() && PrepareGang(g) ? g : GroupId();
  }
  const PodId p = workload.only_pod;
  if (p.value() >= enqueued_.size() || !cluster_.pods()[p].waits()) return GroupId();
  const GroupId g = enqueued_[p.value()].group;
  return g.valid() && Head(g) == p ? g : GroupId();
}

void Backlog::TakeOut(GroupId g) {
  DCHECK(!trying_);
  Group& group = groups_[g.value()];
  if (group.wait != Group::Wait::kReady) return;
  SetWait(g, Group::Wait::kNothing);
  group.outdated = false;
  for (const QueueId q : ready_queues_) std::erase(ready_[q.value()], g);
  std::erase_if(ready_queues_, [this](QueueId q) { return ready_[q.value()].empty(); });
}

void Backlog::RefreshGang(WorkloadId w) {
  GroupId g = GroupOfGang(w);
  if (!g.valid()) {
    g = NewGroup();
    groups_[g.value()].gang = w;
    gang_groups_.emplace(w.value(), g);
  }
  if (groups_[g.value()].wait == Group::Wait::kReady) {
    groups_[g.value()].outdated = true;  // it stands in a queue's list: StartTrying sees to it
  } else {
    MakeReady(g);
  }
}

bool Backlog::StillHasStep(GroupId g) {
  Group& group = groups_[g.value()];
  if (group.gang.valid() && !group.outdated) return true;
  group.outdated = false;
  const bool has_step = HasWork(*this, g);
  if (!has_step) SetWait(g, Group::Wait::kNothing);
  return has_step;
}

namespace {

bool PrepareStep(const state::Cluster& cluster, Group& group) {
  const state::Workload& workload = cluster.workloads()[group.gang];
  group.parts.clear();
  group.request.clear();
  if (!workload.in_use || workload.solo()) return false;  // its number may serve another by now
  group.queue = workload.queue;
  group.priority = workload.priority;
  group.preemptible = workload.preemptible;
  group.never_preempts = workload.never_preempts;
  group.above_minimum = false;
  std::optional<GangStep> step = NextStepOf(cluster, group.gang);
  if (!step) return false;
  group.parts = std::move(step->parts);
  group.above_minimum = step->above_minimum;
  group.replaces = workload.started() && !step->above_minimum;
  for (const GangPart& part : group.parts) {
    state::AddTo(group.request, cluster.shapes()[part.shape].request, part.count());
  }
  return true;
}

}  // namespace

bool Backlog::PrepareGang(GroupId g) {
  const bool has_step = PrepareStep(cluster_, groups_[g.value()]);
  SetWait(g, groups_[g.value()].wait);
  return has_step;
}

std::optional<Group> Backlog::NextStep(GroupId g) const {
  DCHECK(groups_[g.value()].gang.valid());
  Group group = groups_[g.value()];
  if (!PrepareStep(cluster_, group)) return std::nullopt;
  return group;
}

// Waiting and waking -----------------------------------------------------------------------------

void Backlog::WakeLapsed(Time now) {
  while (!lapses_.empty() && lapses_.begin()->first <= now) {
    const GroupId g = lapses_.begin()->second;
    lapses_.erase(lapses_.begin());
    Group& group = groups_[g.value()];
    group.retry_at = Time::Max();
    if (group.IsBlocked()) MakeReady(g);
  }
}

std::optional<Time> Backlog::NextLapse() {
  while (!lapses_.empty()) {
    const auto [at, g] = *lapses_.begin();
    if (groups_[g.value()].IsBlocked()) return at;
    groups_[g.value()].retry_at = Time::Max();
    lapses_.erase(lapses_.begin());
  }
  return std::nullopt;
}

void Backlog::WakeAsking(const BlockedGroups::Asking& asking) {
  for (const GroupId g : blocked_.TakeAsking(asking)) MakeReady(g);
}

void Backlog::Block(GroupId g, Group::Wait why, Limit limit, std::optional<Time> lapse) {
  Group& group = groups_[g.value()];
  if (group.retry_at != Time::Max()) lapses_.erase({group.retry_at, g});
  group.retry_at = lapse.value_or(Time::Max());
  if (lapse) lapses_.insert({*lapse, g});
  SetWait(g, why);
  group.blocker = limit.queue;
  group.account = limit.account;
  blocked_.Add(g);
  const auto waits = [this](GroupId w) { return groups_[w.value()].IsBlocked(); };
  const auto wait_in = [&](std::vector<std::vector<GroupId>>& lists, auto id) {
    if (lists.size() <= id.value()) lists.resize(id.value() + std::size_t{1});
    AddWaiting(lists[id.value()], g, waits);
  };
  if (why == Group::Wait::kQueue) wait_in(waiting_at_, limit.queue);
  if (why == Group::Wait::kUser) wait_in(waiting_for_, limit.account);
  if (why != Group::Wait::kRoom && why != Group::Wait::kEither) return;
  if (why == Group::Wait::kEither) {
    for (QueueId q = group.queue; q.valid(); q = cluster_.queues()[q].parent) {
      wait_in(waiting_at_, q);
    }
    const state::AccountsId accounts = cluster_.workloads()[NextOf(cluster_, group)].accounts;
    if (accounts.valid()) {
      for (const state::AccountId a : cluster_.queues().accounts()[accounts]) {
        wait_in(waiting_for_, a);
      }
    }
  }
  if (group.shape.valid()) {
    lacks_.Wait({.shape = group.shape}, g, waits);
    return;
  }
  // Of a gang that may start with fewer pods any node may matter. When others may be asked, where
  // that is known, is found anew, unless it is known for good.
  const bool needs_all = why == Group::Wait::kRoom;
  const bool by_sum = group.retry_at == Time::Max() || group.refusal != StandingRefusals::kNone;
  for (const RoomLacks::Lack& lack : lacks_.Of(group.gang, group.parts, needs_all, by_sum)) {
    lacks_.Wait(lack, g, waits);
  }
}

void Backlog::MakeReady(GroupId g) {
  const bool has_work = HasWork(*this, g);
  SetWait(g, has_work ? Group::Wait::kReady : Group::Wait::kNothing);
  if (!has_work) return;
  if (trying_) {
    woken_.push_back(g);
  } else {
    PushReady(g);
  }
}

void Backlog::PushReady(GroupId g) {
  const QueueId q = groups_[g.value()].queue;
  if (ready_.size() <= q.value()) ready_.resize(q.value() + std::size_t{1});
  std::vector<GroupId>& ready = ready_[q.value()];
  if (ready.empty() && !trying_) ready_queues_.push_back(q);
  ready.push_back(g);
  if (!trying_) return;
  std::push_heap(ready.begin(), ready.end(),
                 [this](GroupId a, GroupId b) { return GoesFirst(b, a); });
}

void Backlog::Continue(GroupId g) {
  const bool has_work = HasWork(*this, g);
  SetWait(g, has_work ? Group::Wait::kReady : Group::Wait::kNothing);
  if (has_work) PushReady(g);
}

std::vector<QueueId> Backlog::StartTrying(const std::function<bool(GroupId)>& can_start) {
  // Between a group being made ready and this, more may have changed: its queue, its next pods, or
  // whether it has any.
  std::vector<GroupId> outdated;
  for (QueueId q : ready_queues_) {
    std::erase_if(ready_[q.value()], [&](GroupId g) {
      Group& group = groups_[g.value()];
      const bool renew = group.gang.valid() ? group.outdated : !Head(g).valid();
      if (renew) outdated.push_back(g);
      return renew;
    });
  }
  std::erase_if(ready_queues_, [this](QueueId q) { return ready_[q.value()].empty(); });
  for (GroupId g : outdated) {
    groups_[g.value()].outdated = false;
    MakeReady(g);
  }
  trying_ = true;
  ++passes_;
  std::vector<QueueId> queues = std::exchange(ready_queues_, {});
  std::erase_if(queues, [&](QueueId q) {
    std::vector<GroupId>& ready = ready_[q.value()];
    std::erase_if(ready, [&](GroupId g) { return !can_start(g); });
    std::make_heap(ready.begin(), ready.end(),
                   [this](GroupId x, GroupId y) { return GoesFirst(y, x); });
    return ready.empty();
  });
  return queues;
}

std::vector<QueueId> Backlog::TakeWoken(const std::function<bool(GroupId)>& can_start) {
  std::vector<QueueId> queues;
  for (GroupId g : std::exchange(woken_, {})) {
    Group& group = groups_[g.value()];
    // As in StartTrying, of one.
    if (group.gang.valid() ? !StillHasStep(g) : !Head(g).valid()) {
      SetWait(g, Group::Wait::kNothing);
      continue;
    }
    if (std::exchange(group.woken_in, passes_) != passes_) group.woken_in_vain = 0;
    if (group.woken_in_vain >= kOftenInVain) {
      late_.push_back(g);
    } else if (can_start(g)) {
      PushReady(g);
      queues.push_back(group.queue);
    } else {
      ++group.woken_in_vain;
    }
  }
  MakeSet(queues);
  return queues;
}

// Who was woken too late for this pass is tried in the next.
void Backlog::StopTrying() {
  trying_ = false;
  for (GroupId g : std::exchange(woken_, {})) PushReady(g);
  for (GroupId g : std::exchange(late_, {})) PushReady(g);
}

bool Backlog::GoesFirst(GroupId a, GroupId b) {
  const Group& x = groups_[a.value()];
  const Group& y = groups_[b.value()];
  if (x.replaces != y.replaces) return x.replaces;
  if (x.priority != y.priority) return x.priority > y.priority;
  if (x.above_minimum != y.above_minimum) return !x.above_minimum;
  auto workload = [&](const Group& g) {
    return g.gang.valid() ? g.gang : cluster_.pods()[g.pods[g.head].pod].workload;
  };
  const WorkloadId v = workload(x);
  const WorkloadId w = workload(y);
  const Time at_v = policy::ServedAt(cluster_, v);
  const Time at_w = policy::ServedAt(cluster_, w);
  if (at_v != at_w) return at_v < at_w;
  return cluster_.NameOf(v) < cluster_.NameOf(w);
}

GroupId Backlog::TopReady(QueueId q) const {
  return ready_[q.value()].empty() ? GroupId() : ready_[q.value()].front();
}

void Backlog::PopReady(QueueId q) {
  std::vector<GroupId>& heap = ready_[q.value()];
  std::pop_heap(heap.begin(), heap.end(), [this](GroupId a, GroupId b) { return GoesFirst(b, a); });
  heap.pop_back();
}

void Backlog::WakeAll() {
  RegroupByRunTime();
  lacks_.Clear();
  waiting_at_.clear();
  waiting_for_.clear();
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].wait != Group::Wait::kReady) MakeReady(GroupId(i));
  }
}

// As all are asked anew, groups stand in no list but those of the ready.
void Backlog::Sweep() {
  WakeAll();
  blocked_.Clear();
  lapses_.clear();
  std::vector<bool> used(groups_.size(), false);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].retry_at = Time::Max();
    if (!groups_[i].gang.valid() && !Head(GroupId(i)).valid()) TakeOut(GroupId(i));
  }
  boost::unordered::erase_if(solo_groups_, [&](const auto& each) {
    used[each.second.value()] = groups_[each.second.value()].wait != Group::Wait::kNothing;
    return !used[each.second.value()];
  });
  boost::unordered::erase_if(gang_groups_, [&](const auto& each) {
    const state::Workload& workload = cluster_.workloads()[WorkloadId(each.first)];
    used[each.second.value()] = groups_[each.second.value()].wait != Group::Wait::kNothing ||
                                (workload.in_use && !workload.solo());
    return !used[each.second.value()];
  });
  for (Enqueued& enqueued : enqueued_) {
    if (enqueued.group.valid() && !used[enqueued.group.value()]) enqueued = {};
  }
  unused_.clear();
  for (std::size_t i = groups_.size(); i-- > 0;) {
    if (used[i]) continue;
    groups_[i] = Group();
    unused_.emplace_back(i);
  }
  fresh_ = groups_.size() - unused_.size();
}

void Backlog::WakeRoom(const std::vector<state::NodeId>& touched, Placer& placer, state::When when,
                       bool whole) {
  for (const GroupId g : lacks_.TakeMet(touched, placer, when, whole)) {
    const Group::Wait wait = groups_[g.value()].wait;
    if (wait == Group::Wait::kRoom || wait == Group::Wait::kEither) MakeReady(g);
  }
}

void Backlog::WakeQueues(const std::vector<state::Relief>& relieved) {
  const auto wake = [this](std::vector<std::vector<GroupId>>& lists, auto id, auto waits_there) {
    if (id.value() >= lists.size()) return;
    for (const GroupId g : std::exchange(lists[id.value()], {})) {
      const Group& group = groups_[g.value()];
      if (group.wait == Group::Wait::kEither || waits_there(group)) MakeReady(g);
    }
  };
  for (const state::Relief& relief : relieved) {
    for (QueueId q = relief.queue; q.valid(); q = cluster_.queues()[q].parent) {
      wake(waiting_at_, q, [q](const Group& group) {
        return group.wait == Group::Wait::kQueue && group.blocker == q;
      });
    }
    if (!relief.accounts.valid()) continue;
    for (const state::AccountId a : cluster_.queues().accounts()[relief.accounts]) {
      wake(waiting_for_, a, [a](const Group& group) {
        return group.wait == Group::Wait::kUser && group.account == a;
      });
    }
  }
}

}  // namespace fairlead::engine
