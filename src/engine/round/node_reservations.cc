#include "engine/round/node_reservations.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/room/nodes_of.h"
#include "engine/room/waits_for.h"
#include "policy/disruption_budget.h"
#include "policy/dynamic_demand.h"
#include "policy/limits.h"
#include "policy/node_fit.h"
#include "policy/queue_order.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

void NodeReservations::Reserve(PodId p, NodeId n) {
  SetReservedOnce(p);
  nodes_.Add(n, p);
  ServeNode(n);
}

void NodeReservations::SetReservedOnce(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  if (pod.reserved == Time::Max()) {
    cluster_.notes().SetReserved(p, pod.passed_by ? round_.now : pod.created);
  }
}

// Who holds a node -----------------------------------------------------------------------------

void NodeReservations::NoteHolder(PodId p) {
  const Claimant holder = ClaimantOf(cluster_, cluster_.pods()[p].workload);
  if (cluster_.pods()[p].claims()) {
    holders_.insert(holder);
  } else {
    holders_.erase(holder);
  }
}

std::vector<PodId> NodeReservations::HoldersBelow(state::QueueId queue, std::int32_t priority) {
  std::vector<PodId> pods;
  auto at = holders_.lower_bound({queue, std::numeric_limits<std::int32_t>::min(), WorkloadId(0U)});
  while (at != holders_.end() && std::get<0>(*at) == queue && std::get<1>(*at) < priority) {
    const WorkloadId w = std::get<2>(*at);
    const state::Workload& workload = cluster_.workloads()[w];
    const bool stands = workload.in_use && workload.solo() && ClaimantOf(cluster_, w) == *at &&
                        cluster_.pods()[workload.only_pod].claims() &&
                        policy::PinnedTo(cluster_, workload.only_pod).valid();
    if (stands) pods.push_back(workload.only_pod);
    at = stands ? std::next(at) : holders_.erase(at);
  }
  std::sort(pods.begin(), pods.end(),
            [this](PodId a, PodId b) { return policy::WaitsBefore(cluster_, b, a); });
  return pods;
}

// What can be told from what the cluster shows, too; a newcomer of the same number does not.
bool NodeReservations::Reserves(PodId p) const {
  const state::Pod& pod = cluster_.pods()[p];
  return pod.of_daemon_set() && (pod.claims() || (pod.waits() && pod.reserved != Time::Max()));
}

void NodeReservations::Note(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use) return;
  if (!nodes_.empty()) {
    ForEachNodeOf(cluster_, w, [this](state::NodeId n) { nodes_.Touch(n); });
  }
  if (!workload.solo()) return;
  const state::Pod& pod = cluster_.pods()[workload.only_pod];
  if (pod.daemon_set != state::OfDaemonSet::kNo && !pod.passed_by) {
    new_to_rounds_.push_back(workload.only_pod);
  }
  // What it claims is told anew, where it has stopped to wait meanwhile.
  if (!pod.claims()) {
    cluster_.notes().SetClaimTold(workload.only_pod, false);
  }
  if (!Reserves(workload.only_pod)) return;
  const NodeId n = policy::PinnedTo(cluster_, workload.only_pod);
  if (n.valid()) nodes_.Add(n, workload.only_pod);
}

// Node by node ---------------------------------------------------------------------------------

void NodeReservations::Serve() {
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  while (seen_touched_ < touched.end()) nodes_.Touch(touched[seen_touched_++]);
  while (nodes_.HasTouched()) ServeTouched();
}

void NodeReservations::ServeTouched() {
  std::vector<std::pair<PodId, NodeId>> nodes;  // by who waits first there
  std::vector<PodId> all;
  for (NodeId n : nodes_.TakeTouched()) {
    std::vector<PodId> pods = StillReserved(n);
    nodes_.Set(n, pods, std::nullopt);
    if (pods.empty()) continue;
    nodes.emplace_back(pods.front(), n);
    all.insert(all.end(), pods.begin(), pods.end());
  }
  if (nodes.empty()) return;
  ReleaseOverLimit(std::move(all));
  std::sort(nodes.begin(), nodes.end(), [this](const auto& a, const auto& b) {
    return policy::WaitsBefore(cluster_, a.first, b.first);
  });
  const state::Log<NodeId>& touched = cluster_.journal().touched;
  for (const auto& [p, n] : nodes) {
    ServeNode(n);
    // Who had to go here may have left other nodes, too.
    for (; seen_touched_ < touched.end(); ++seen_touched_) {
      if (touched[seen_touched_] != n) nodes_.Touch(touched[seen_touched_]);
    }
  }
}

// In the order of waiting.
std::vector<PodId> NodeReservations::StillReserved(NodeId n) {
  std::vector<PodId> pods = nodes_.On(n);
  std::erase_if(pods, [&](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    if (!pod.in_use) return true;
    if (policy::PinnedTo(cluster_, p) != n) {
      if (pod.foreign || !pod.claims()) return true;
      // A claim is one like any other; the rest nobody else could know of.
      if (pod.nominated == n && !pod.renounced) {
        claims_.Note(pod.workload);
      } else {
        Release(p);
      }
      return true;
    }
    return !Reserves(p);
  });
  std::sort(pods.begin(), pods.end(),
            [this](PodId a, PodId b) { return policy::WaitsBefore(cluster_, a, b); });
  return pods;
}

// Where a limit was lowered those who wait last give their reservations up first.
void NodeReservations::ReleaseOverLimit(std::vector<PodId> pods) {
  std::erase_if(pods, [this](PodId p) { return !cluster_.pods()[p].claims(); });
  auto within = [this](PodId p) {
    const WorkloadId w = cluster_.pods()[p].workload;
    return policy::WithinUserLimits(cluster_, w) &&
           policy::WithinLimits(cluster_.queues(), cluster_.workloads()[w].queue,
                                cluster_.shapes()[cluster_.pods()[p].shape].request, {});
  };
  if (std::all_of(pods.begin(), pods.end(), within)) return;
  std::sort(pods.begin(), pods.end(),
            [this](PodId a, PodId b) { return policy::WaitsBefore(cluster_, b, a); });
  for (PodId p : pods) {
    if (!within(p)) Release(p);
  }
}

void NodeReservations::ServeNode(NodeId n) {
  const std::vector<PodId> pods = StillReserved(n);
  std::vector<PodId> holding;
  for (PodId p : pods) {
    if (!cluster_.pods()[p].claims()) continue;
    if (!cluster_.nodes().exists(n) || !MayWait(p)) {
      Release(p);
      continue;
    }
    holding.push_back(p);
    cluster_.SetAside(p);
  }
  std::vector<PodId> left;
  std::vector<PodId> claims;
  std::optional<Time> lapse;
  for (PodId p : pods) {
    const bool held = std::find(holding.begin(), holding.end(), p) != holding.end();
    if (!MayHold(p, n)) {
      if (held) Release(p);
      left.push_back(p);
      nodes_.StayRestless(n);
      continue;
    }
    const state::ShapeId s = cluster_.pods()[p].shape;
    // Nothing tells which devices others claim: it takes its own first.
    const bool of_device = cluster_.shapes()[s].gpu_milli > 0;
    if (of_device || !placer_.Fits(s, n, state::When::kLater)) {
      for (PodId claim : PutAside(n)) claims.push_back(claim);
    }
    if (FitsWithinLimits(p, n)) {
      RecallClaim(p);
      cluster_.Place(p, n);
      claims_.GiveTakenUp(cluster_.pods()[p].workload, {p});
      ++round_.steps;
      continue;
    }
    left.push_back(p);
    const std::optional<Time> until = HoldNode(p, n);
    if (until) lapse = std::min(lapse.value_or(*until), *until);
    if (cluster_.pods()[p].placement == state::Placement::kAssumed) left.pop_back();
  }
  for (PodId p : pods) NoteHolder(p);
  PutBack(claims, n);
  nodes_.Set(n, std::move(left), lapse);
}

bool NodeReservations::FitsWithinLimits(PodId p, NodeId n) {
  const state::Pod& pod = cluster_.pods()[p];
  if (!placer_.Fits(pod.shape, n)) return false;
  if (!WaitsForLimit(cluster_, pod.workload, cluster_.shapes()[pod.shape].request)) return true;
  nodes_.StayRestless(n);  // others may have to leave other nodes
  return false;
}

// Only such a pod may be taken from where it is to be put there again.
bool NodeReservations::MayWait(PodId p) const {
  return cluster_.workloads()[cluster_.pods()[p].workload].open() &&
         cluster_.shapes()[cluster_.pods()[p].shape].placeable;
}

// As for any pod: its queue takes work, and is within its limits with it.
bool NodeReservations::MayHold(PodId p, NodeId n) const {
  const state::Workload& workload = cluster_.workloads()[cluster_.pods()[p].workload];
  const state::Shape& shape = cluster_.shapes()[cluster_.pods()[p].shape];
  return MayWait(p) && TakesWork(cluster_.queues(), workload.queue) &&
         !policy::IsKeptOffForGood(cluster_, shape, n) &&
         !policy::FirstBreach(cluster_, cluster_.pods()[p].workload, shape.request);
}

void NodeReservations::Release(PodId p) {
  const bool claims = cluster_.pods()[p].claims();
  round_.notices.given_up.push_back(claims ? cluster_.pods()[p].node
                                           : policy::PinnedTo(cluster_, p));
  if (claims) {
    cluster_.Apply(state::BindFailed{std::string(cluster_.pods().name(p))});
  } else {
    cluster_.Requeue(p);
  }
  round_.relieved.Tell(cluster_.workloads()[cluster_.pods()[p].workload].relief());
  claims_.Renounce(p);
  cluster_.notes().SetClaimTold(p, false);
  if (!cluster_.pods()[p].reservation_told) cluster_.notes().SetReserved(p, Time::Max());
  cluster_.notes().SetPassedBy(p);
  backlog_.Refresh(cluster_.pods()[p].workload);
}

// Returns when it is worth another look although nothing has changed.
std::optional<Time> NodeReservations::HoldNode(PodId p, NodeId n) {
  const state::Pod& pod = cluster_.pods()[p];
  SetReservedOnce(p);
  if (placer_.Fits(pod.shape, n, state::When::kLater)) {
    cluster_.Claim(p, n);
    TellClaim(p);
    return std::nullopt;
  }
  const Time old_enough = pod.reserved + cluster_.configuration().daemon_set_preemption.start_delay;
  std::optional<Time> lapse;
  if (round_.now < old_enough) {
    lapse = old_enough;
  } else if (MakeRoomOn(n, p, lapse)) {
    return std::nullopt;
  }
  cluster_.Claim(p, n);
  RecallClaim(p);
  TellReservation(p, n);
  return lapse;
}

// What this very plan gave it as a claim is no news any more: it has it, or somebody came who is
// first.
void NodeReservations::RecallClaim(PodId p) {
  if (cluster_.pods()[p].claim_told && claims_.Recall(p)) cluster_.notes().SetClaimTold(p, false);
}

bool NodeReservations::MakeRoomOn(NodeId n, PodId p, std::optional<Time>& lapse) {
  state::Trial trial(cluster_);
  const DaemonSetAnswer found = room_.Find(p, n, round_.now, trial);
  ++counts_.attempts;
  if (!found.found) {
    ++counts_.failures[static_cast<std::size_t>(found.cause)];
    const bool may_bind_less = found.cause == NoVictims::kBudgets || policy::BudgetsYield(cluster_);
    if (may_bind_less) nodes_.StayRestless(n);
    lapse = found.lapse;
    return false;
  }
  counts_.victims += std::ssize(found.victims);
  const RoomAnswer answer{.verdict = RoomAnswer::Verdict::kFound, .victims = found.victims};
  const WorkloadId w = cluster_.pods()[p].workload;
  rooms_.GiveVictims(answer, w);
  if (backlog_.AnyBlocked()) rooms_.freed().Add(trial);
  trial.Commit();
  ++round_.steps;
  rooms_.Displace(answer);
  // Victims of this very plan never ran: what they had is free.
  if (FitsWithinLimits(p, n)) {
    cluster_.Place(p, n);
    claims_.GiveTakenUp(w, {p});
  } else {
    cluster_.Claim(p, n);
    TellClaim(p);
  }
  return true;
}

// Where the cluster does not show it yet.
void NodeReservations::TellReservation(PodId p, NodeId n) {
  const state::Pod& pod = cluster_.pods()[p];
  if (pod.reservation_told) return;
  cluster_.notes().SetReservationTold(p);
  plan_.Give({.type = DecisionType::kReserve,
              .pod = p,
              .node = n,
              .workload = pod.workload,
              .since = pod.reserved});
}

void NodeReservations::TellClaim(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  const bool shown = pod.nominated == pod.node && !pod.renounced;
  if (shown || pod.claim_told) return;
  cluster_.notes().SetClaimTold(p, true);
  claims_.Nominate(p, LeavingForLimit(cluster_, pod.workload));
}

// Others' claims on the node -------------------------------------------------------------------

// Whoever claims room here may find it elsewhere; the pod in want may not.
std::vector<PodId> NodeReservations::PutAside(NodeId n) {
  std::vector<PodId> claims;
  if (!cluster_.nodes().in_turnover(n)) return claims;
  for (PodId p : cluster_.nodes().pods(n)) {
    if (cluster_.pods()[p].claims() && policy::PinnedTo(cluster_, p) != n) claims.push_back(p);
  }
  std::vector<PodId> dead;
  std::erase_if(claims, [&](PodId p) {
    if (MayWait(p)) return false;
    dead.push_back(p);
    return true;
  });
  claims_.Release(dead);
  if (!dead.empty()) admission_.RefreshChanged();
  for (PodId p : claims) cluster_.SetAside(p);
  return claims;
}

void NodeReservations::PutBack(const std::vector<PodId>& claims, NodeId n) {
  std::vector<PodId> order = claims;
  std::sort(order.begin(), order.end(), [this](PodId a, PodId b) {
    const WorkloadId v = cluster_.pods()[a].workload;
    const WorkloadId w = cluster_.pods()[b].workload;
    return v != w ? policy::IsServedFirst(cluster_, v, w)
                  : cluster_.pods().name(a) < cluster_.pods().name(b);
  });
  std::vector<WorkloadId> lost;
  for (PodId p : order) {
    if (placer_.Fits(cluster_.pods()[p].shape, n, state::When::kLater)) {
      cluster_.Claim(p, n);
    } else {
      lost.push_back(cluster_.pods()[p].workload);
    }
  }
  for (WorkloadId w : lost) {
    const state::Relief relief = cluster_.workloads()[w].relief();
    for (PodId p : ClaimsOf(cluster_, w)) {
      round_.notices.given_up.push_back(cluster_.pods()[p].node);
      cluster_.Apply(state::BindFailed{std::string(cluster_.pods().name(p))});
    }
    round_.notices.lost_to_try.push_back(relief);
    round_.relieved.Tell(relief);
  }
  if (!lost.empty()) ++round_.steps;
  claims_.TakeBack(lost);
}

void NodeReservations::EndRound() {
  for (PodId p : std::exchange(new_to_rounds_, {})) cluster_.notes().SetPassedBy(p);
}

}  // namespace fairlead::engine
