// Why a refusal holds without being asked again.
//
// Room for a step comes from what is free and from who leaves. Who runs protected until after a
// moment does not leave before it; who is not preemptible, of too high a priority, or of another
// scheduler does not leave at all. So let all others leave, count how many of the step's pods each
// node then holds, and add that up: where it is too little nobody can give the room before that
// moment. Rights, budgets, limits and what may be lost can only keep more from leaving.
//
// That is a sum over nodes, and what a node adds to it depends on the node and on the workloads of
// its pods alone. So a change costs a look at the nodes where something changed.
//
// Worked: 1,000 nodes of 8 GPUs, all protected for two days, and gangs of 8 wait. A pod ends: its
// node holds one pod of them, and all others none. One is less than eight, whoever asks.

#include "engine/round/standing_refusals.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/sorted_set.h"
#include "engine/room/nodes_of.h"
#include "engine/room/room_sums.h"
#include "engine/round/kept_answers.h"
#include "policy/min_runtime.h"
#include "policy/victims.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;

StandingRefusals::Number StandingRefusals::Note(const RoomStep& step, Time until) {
  CatchUp();
  if (!AsksAsAnybody(cluster_, step)) return kNone;
  Refusal refusal = Of(step, until);
  for (const GangPart& part : step.parts) {
    refusal.shape = part.shape;
    refusal.wanted = PodsOf(step, part.shape);
    LookAtAll(refusal);
    if (refusal.stands()) break;
  }
  const auto known = by_ask_.find(refusal.ask);
  if (known != by_ask_.end()) {
    const auto& [number, now] =
        *refusals_.insert_or_assign(known->second, std::move(refusal)).first;
    return now.stands() ? number : kNone;
  }
  if (!refusal.stands() || refusals_.size() >= kMost) return kNone;
  by_ask_.emplace(refusal.ask, ++last_);
  refusals_.emplace(last_, std::move(refusal));
  return last_;
}

void StandingRefusals::StartRound() {
  CatchUp();
  if (refusals_.size() < kMost) return;
  for (auto at = refusals_.begin(); at != refusals_.end();) {
    Refusal& refusal = at->second;
    const bool goes = !refusal.stands() || !std::exchange(refusal.was_used, false);
    if (goes) by_ask_.erase(refusal.ask);
    at = goes ? refusals_.erase(at) : std::next(at);
  }
}

StandingRefusals::Refusal StandingRefusals::Of(const RoomStep& step, Time until) const {
  Refusal refusal{.ask = KeyOfAsk(cluster_, step),
                  .queue = step.queue,
                  .reclaims_below = policy::kNobodyBelow,
                  .preempts_below = step.priority,
                  .until = until};
  for (const policy::Right right : {policy::Right::kGuarantee, policy::Right::kShare}) {
    const std::int64_t below =
        policy::ReclaimsBelow(cluster_.queues(), step.queue, step.priority, right);
    refusal.reclaims_below = std::max(refusal.reclaims_below, below);
  }
  return refusal;
}

bool StandingRefusals::Stands(Number number, Time until) {
  const auto known = refusals_.find(number);
  if (known == refusals_.end()) return false;
  CatchUp();
  Refusal& refusal = known->second;
  refusal.was_used = true;
  const bool stands = refusal.stands() && refusal.until >= until;
  DCHECK(!stands || IsUpToDate(refusal));
  return stands;
}

bool StandingRefusals::IsUpToDate(const Refusal& refusal) {
  Refusal anew = refusal;
  LookAtAll(anew);
  return anew.rooms == refusal.rooms;
}

void StandingRefusals::Clear() {
  refusals_.clear();
  by_ask_.clear();
}

void StandingRefusals::CatchUp() {
  const state::Journal& journal = cluster_.journal();
  const std::uint64_t touched = std::exchange(touched_, journal.touched.end());
  const std::uint64_t workloads = std::exchange(workloads_, journal.workloads.end());
  const std::uint64_t started = std::exchange(started_, journal.started.end());
  const bool any = touched < touched_ || workloads < workloads_ || started < started_;
  if (!any || refusals_.empty()) return;
  std::vector<NodeId> nodes(journal.touched.Since(touched).begin(),
                            journal.touched.Since(touched).end());
  const auto add_nodes_of = [&](state::WorkloadId w) {
    ForEachNodeOf(cluster_, w, [&](NodeId n) { nodes.push_back(n); });
  };
  std::ranges::for_each(journal.workloads.Since(workloads), add_nodes_of);
  std::ranges::for_each(journal.started.Since(started), add_nodes_of);
  MakeSet(nodes);
  if (nodes.size() * refusals_.size() > kMostLooks) return Clear();
  for (auto& [number, refusal] : refusals_) {
    for (const NodeId n : nodes) {
      if (refusal.stands()) LookAgain(refusal, n);
    }
  }
}

void StandingRefusals::LookAtAll(Refusal& refusal) {
  refusal.rooms.clear();
  refusal.held = 0;
  for (std::uint32_t i = 0; i < cluster_.nodes().size() && refusal.stands(); ++i) {
    const std::int64_t room = RoomOn(refusal, NodeId(i));
    if (room > 0) refusal.rooms.emplace_back(NodeId(i), room);
    refusal.held += room;
  }
  if (!refusal.stands()) refusal.rooms.clear();
}

void StandingRefusals::LookAgain(Refusal& refusal, NodeId n) {
  auto& rooms = refusal.rooms;
  const auto at =
      std::ranges::lower_bound(rooms, n, {}, [](const auto& each) { return each.first; });
  const bool known = at != rooms.end() && at->first == n;
  const std::int64_t room = RoomOn(refusal, n);
  refusal.held += room - (known ? at->second : 0);
  if (!refusal.stands()) {
    rooms.clear();
  } else if (known && room == 0) {
    rooms.erase(at);
  } else if (known) {
    at->second = room;
  } else if (room > 0) {
    rooms.emplace(at, n, room);
  }
}

// At most as many pods as are wanted: more say no more.
std::int64_t StandingRefusals::RoomOn(const Refusal& refusal, NodeId n) {
  if (!cluster_.nodes().exists(n) || !placer_.classes().Suits(refusal.shape, n)) return 0;
  const auto may_leave = [&](PodId p) { return MayLeave(refusal, p); };
  const state::Shape& shape = cluster_.shapes()[refusal.shape];
  return std::min(refusal.wanted, PodsOnceLeft(cluster_, shape, n, may_leave, room_));
}

// Before the refusal's moment. Who is spared is so for an instant only. That others were stopped
// often protects them no longer once one has waited for very long: here not at all.
bool StandingRefusals::MayLeave(const Refusal& refusal, PodId p) const {
  if (!policy::IsEvictable(cluster_, p)) return false;
  const state::WorkloadId w = cluster_.pods()[p].workload;
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.preemptible) return false;
  const bool own = workload.queue == refusal.queue;
  if (workload.priority >= (own ? refusal.preempts_below : refusal.reclaims_below)) return false;
  if (!workload.solo() && cluster_.workloads().gang(w).gives_singly()) return true;
  const auto action = own ? policy::RoomAction::kPreempt : policy::RoomAction::kReclaim;
  const std::optional<Time> protected_until =
      policy::ProtectedUntil(cluster_, w, action, refusal.queue, Time{}, Time{});
  return !protected_until || *protected_until < refusal.until;
}

}  // namespace fairlead::engine
