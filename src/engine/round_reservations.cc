// DaemonSets' pods that can run on one node only (semantics.md §7). Where such a pod does not fit,
// its node is reserved: it claims room that is not there yet, so that nobody else is placed into
// what comes free. In the order of waiting each pod of a node is bound, or waits for what is
// leaving, or for its startDelay, or has others leave.

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/round.h"
#include "engine/waits_for.h"
#include "policy/disruption_budget.h"
#include "policy/limits.h"
#include "policy/node_fit.h"
#include "policy/queue_order.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

namespace {

// A host port that another scheduler's pod holds is no room that could be made or waited for: the
// node is not held (§7.2).
bool ForeignPortsClash(const state::Cluster& cluster, const state::Shape& shape, NodeId n) {
  if (!shape.has_ports || !cluster.nodes().exists(n)) return false;
  const auto& pods = cluster.nodes().pods(n);
  return std::any_of(pods.begin(), pods.end(), [&](PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    return pod.foreign && pod.stay() != state::Stay::kLeaves &&
           policy::PortsClash(shape, cluster.shapes()[pod.shape]);
  });
}

}  // namespace

// In its queue's turn ----------------------------------------------------------------------------

bool RoundState::IsPinned(GroupId g) {
  if (!backlog_[g].of_daemon_set) return false;
  const PodId p = backlog_.Head(g);
  return p.valid() && policy::PinnedTo(cluster_, p).valid();
}

bool RoundState::CanReserve(GroupId g) {
  const state::Shape& shape = cluster_.shapes()[backlog_[g].shape];
  return shape.placeable && !LimitedBy(g).valid() &&
         !ForeignPortsClash(cluster_, shape, policy::PinnedTo(cluster_, backlog_.Head(g)));
}

bool RoundState::TryPinned(GroupId g) {
  const PodId p = backlog_.Head(g);
  const NodeId n = policy::PinnedTo(cluster_, p);
  if (FitsWithinLimits(p, n) && TryPod(g)) return true;
  backlog_.PopHead(g);
  ++steps_;
  const state::Pod& pod = cluster_.pods()[p];
  if (pod.reserved == Time::Max()) cluster_.SetReserved(p, pod.passed_by ? now_ : pod.created);
  reservations_.Add(n, p);
  ServeNode(n);
  backlog_.Continue(g);
  return true;
}

void RoundState::BlockPinned(GroupId g) {
  const PodId p = backlog_.Head(g);
  const NodeId n = policy::PinnedTo(cluster_, p);
  if (ForeignPortsClash(cluster_, cluster_.shapes()[backlog_[g].shape], n)) {
    clashing_pinned_.insert({n, g});
  }
  BlockGroup(g, std::nullopt);
}

void RoundState::WakeClashing(const std::vector<NodeId>& touched) {
  if (clashing_pinned_.empty()) return;
  for (NodeId n : touched) {
    auto at = clashing_pinned_.lower_bound({n, GroupId(0U)});
    for (; at != clashing_pinned_.end() && at->first == n; at = clashing_pinned_.erase(at)) {
      if (backlog_.IsBlocked(at->second)) backlog_.MakeReady(at->second);
    }
  }
}

// A full node that is there at last, or suits them again, can be reserved.
void RoundState::WakePinned() {
  for (GroupId g : std::exchange(unplaceable_pinned_, {})) {
    if (backlog_[g].wait == Group::Wait::kRoom) backlog_.MakeReady(g);
  }
}

// A limit that lower priorities use up -----------------------------------------------------------

void RoundState::NoteReserver(PodId p) {
  const Claimant reserver = ClaimantOf(cluster_.pods()[p].workload);
  if (cluster_.pods()[p].claims()) {
    reservers_.insert(reserver);
  } else {
    reservers_.erase(reserver);
  }
}

// The last to wait come first.
std::vector<PodId> RoundState::ReserversBelow(state::QueueId queue, std::int32_t priority) {
  std::vector<PodId> pods;
  auto at =
      reservers_.lower_bound({queue, std::numeric_limits<std::int32_t>::min(), WorkloadId(0U)});
  while (at != reservers_.end() && std::get<0>(*at) == queue && std::get<1>(*at) < priority) {
    const WorkloadId w = std::get<2>(*at);
    const state::Workload& workload = cluster_.workloads()[w];
    const bool stands = workload.in_use && workload.solo() && ClaimantOf(w) == *at &&
                        cluster_.pods()[workload.only_pod].claims() &&
                        policy::PinnedTo(cluster_, workload.only_pod).valid();
    if (stands) pods.push_back(workload.only_pod);
    at = stands ? std::next(at) : reservers_.erase(at);
  }
  std::sort(pods.begin(), pods.end(),
            [this](PodId a, PodId b) { return policy::WaitsBefore(cluster_, b, a); });
  return pods;
}

// Whether lower priorities of its queue give their reservations up, so that a limit holds no more.
bool RoundState::LimitYields(GroupId g, state::Trial& trial) {
  if (reservers_.empty()) return false;
  for (PodId p : ReserversBelow(backlog_[g].queue, backlog_[g].priority)) {
    trial.Release(p);
    if (!LimitedBy(g).valid()) return true;
  }
  trial.UndoTo(0);
  return false;
}

// The same, where it could start then.
bool RoundState::CouldTakeLimit(GroupId g, state::Trial& trial) {
  if (!LimitYields(g, trial)) return false;
  if (IsPinned(g) ? CanReserve(g) : FitsNow(g)) return true;
  trial.UndoTo(0);
  return false;
}

void RoundState::TakeLimit(GroupId g) {
  std::vector<PodId> released;
  {
    state::Trial trial(cluster_);
    if (!CouldTakeLimit(g, trial)) return;
    for (const state::Trial::Step& step : trial.steps()) released.push_back(step.pod);
  }
  ++steps_;
  for (PodId p : released) {
    const NodeId n = cluster_.pods()[p].node;
    Release(p);
    reservations_.StayRestless(n);
  }
}

// What changed -----------------------------------------------------------------------------------

// What can be told from what the cluster shows, too; a newcomer of the same number does not.
bool RoundState::Reserves(PodId p) const {
  const state::Pod& pod = cluster_.pods()[p];
  return pod.of_daemon_set() && (pod.claims() || (pod.waits() && pod.reserved != Time::Max()));
}

void RoundState::NotePinned(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use) return;
  if (!reservations_.empty()) {
    cluster_.ForEachPodOf(w, [&](PodId p) {
      if (cluster_.pods()[p].placed()) reservations_.Touch(cluster_.pods()[p].node);
    });
  }
  if (!workload.solo()) return;
  const state::Pod& pod = cluster_.pods()[workload.only_pod];
  if (pod.daemon_set != state::OfDaemonSet::kNo && !pod.passed_by) {
    new_of_daemon_sets_.push_back(workload.only_pod);
  }
  // What it was promised is told anew, where it has stopped to wait meanwhile.
  if (!pod.claims()) {
    cluster_.SetPromiseTold(workload.only_pod, false);
  }
  if (!Reserves(workload.only_pod)) return;
  const NodeId n = policy::PinnedTo(cluster_, workload.only_pod);
  if (n.valid()) reservations_.Add(n, workload.only_pod);
}

// The configuration says whether there are such pods at all.
void RoundState::NoteAllPinned() {
  for (const Claimant& claimant : std::exchange(claimants_, {})) {
    NotePinned(std::get<WorkloadId>(claimant));
    NoteClaims(std::get<WorkloadId>(claimant));
  }
}

// Node by node -----------------------------------------------------------------------------------

void RoundState::ServeReservations() {
  const std::vector<NodeId>& touched = cluster_.journal().touched;
  while (seen_touched_ < touched.size()) reservations_.Touch(touched[seen_touched_++]);
  while (reservations_.HasTouched()) ServeTouched();
}

void RoundState::ServeTouched() {
  std::vector<std::pair<PodId, NodeId>> nodes;  // by who waits first there
  std::vector<PodId> all;
  for (NodeId n : reservations_.TakeTouched()) {
    std::vector<PodId> pods = StillReserved(n);
    reservations_.Set(n, pods, std::nullopt);
    if (pods.empty()) continue;
    nodes.emplace_back(pods.front(), n);
    all.insert(all.end(), pods.begin(), pods.end());
  }
  if (nodes.empty()) return;
  ReleaseOverLimit(std::move(all));
  std::sort(nodes.begin(), nodes.end(), [this](const auto& a, const auto& b) {
    return policy::WaitsBefore(cluster_, a.first, b.first);
  });
  const std::vector<NodeId>& touched = cluster_.journal().touched;
  for (const auto& [p, n] : nodes) {
    ServeNode(n);
    // Who had to go here may have left other nodes, too.
    for (; seen_touched_ < touched.size(); ++seen_touched_) {
      if (touched[seen_touched_] != n) reservations_.Touch(touched[seen_touched_]);
    }
  }
}

// In the order of waiting.
std::vector<PodId> RoundState::StillReserved(NodeId n) {
  std::vector<PodId> pods = reservations_.On(n);
  std::erase_if(pods, [&](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    if (!pod.in_use) return true;
    if (policy::PinnedTo(cluster_, p) != n) {
      if (pod.foreign || !pod.claims()) return true;
      // A promise is one like any other; the rest nobody else could know of.
      if (pod.nominated == n && !pod.renounced) {
        NoteClaims(pod.workload);
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

// Where a limit was lowered, those who wait last give their reservations up first.
void RoundState::ReleaseOverLimit(std::vector<PodId> pods) {
  std::erase_if(pods, [this](PodId p) { return !cluster_.pods()[p].claims(); });
  auto within = [this](PodId p) {
    return policy::WithinLimits(cluster_.queues(),
                                cluster_.workloads()[cluster_.pods()[p].workload].queue,
                                cluster_.shapes()[cluster_.pods()[p].shape].request, {});
  };
  if (std::all_of(pods.begin(), pods.end(), within)) return;
  std::sort(pods.begin(), pods.end(),
            [this](PodId a, PodId b) { return policy::WaitsBefore(cluster_, b, a); });
  for (PodId p : pods) {
    if (!within(p)) Release(p);
  }
}

void RoundState::ServeNode(NodeId n) {
  const std::vector<PodId> pods = StillReserved(n);
  std::vector<PodId> holding;
  for (PodId p : pods) {
    if (!cluster_.pods()[p].claims()) continue;
    if (!cluster_.nodes().exists(n) || !MayWait(p)) {
      Release(p);
      continue;
    }
    holding.push_back(p);
    cluster_.Unplace(p);
    // It is no news that it gives up what it takes again below.
    cluster_.journal().relieved.pop_back();
  }
  std::vector<PodId> left;
  std::vector<PodId> claims;
  std::optional<Time> lapse;
  for (PodId p : pods) {
    const bool held = std::find(holding.begin(), holding.end(), p) != holding.end();
    if (!MayHold(p, n)) {
      if (held) Release(p);
      left.push_back(p);
      reservations_.StayRestless(n);
      continue;
    }
    const state::ShapeId s = cluster_.pods()[p].shape;
    // Nothing tells which devices others were promised: it takes its own first.
    const bool of_device = cluster_.shapes()[s].gpu_milli > 0;
    if (of_device || !placer_.Fits(s, n, state::When::kLater)) {
      for (PodId claim : PutAside(n)) claims.push_back(claim);
    }
    if (FitsWithinLimits(p, n)) {
      WithdrawPromise(p);
      cluster_.Place(p, n);
      GiveTakenUp(cluster_.pods()[p].workload, {p});
      ++steps_;
      continue;
    }
    left.push_back(p);
    const std::optional<Time> until = HoldNode(p, n);
    if (until) lapse = std::min(lapse.value_or(*until), *until);
    if (cluster_.pods()[p].placement == state::Placement::kAssumed) left.pop_back();
  }
  for (PodId p : pods) NoteReserver(p);
  PutBack(claims, n);
  reservations_.Set(n, std::move(left), lapse);
}

// Whether it may be placed at once.
bool RoundState::FitsWithinLimits(PodId p, NodeId n) {
  const state::Pod& pod = cluster_.pods()[p];
  if (!placer_.Fits(pod.shape, n)) return false;
  if (!WaitsForLimit(pod.workload, cluster_.shapes()[pod.shape].request)) return true;
  reservations_.StayRestless(n);  // others may have to leave other nodes
  return false;
}

// Only such a pod may be taken from where it is to be put there again.
bool RoundState::MayWait(PodId p) const {
  return cluster_.workloads()[cluster_.pods()[p].workload].open() &&
         cluster_.shapes()[cluster_.pods()[p].shape].placeable;
}

// As for any pod: its queue takes work, and is within its limits with it.
bool RoundState::MayHold(PodId p, NodeId n) const {
  const state::Workload& workload = cluster_.workloads()[cluster_.pods()[p].workload];
  const state::Shape& shape = cluster_.shapes()[cluster_.pods()[p].shape];
  return MayWait(p) && cluster_.queues().TakesWork(workload.queue) &&
         !ForeignPortsClash(cluster_, shape, n) &&
         !policy::FirstBreach(cluster_.queues(), workload.queue, shape.request,
                              workload.preemptible);
}

// The pod waits again like any other.
void RoundState::Release(PodId p) {
  const bool claims = cluster_.pods()[p].claims();
  given_up_.push_back(claims ? cluster_.pods()[p].node : policy::PinnedTo(cluster_, p));
  if (claims) {
    cluster_.Apply(state::BindFailed{cluster_.pods().name(p)});
  } else {
    cluster_.Requeue(p);
  }
  cluster_.journal().relieved.push_back(cluster_.workloads()[cluster_.pods()[p].workload].queue);
  TakeBackPromise(p);
  cluster_.SetPromiseTold(p, false);
  if (!cluster_.pods()[p].reservation_told) cluster_.SetReserved(p, Time::Max());
  cluster_.SetPassedBy(p);
  backlog_.Refresh(cluster_.pods()[p].workload);
}

// Returns when it is worth another look although nothing has changed.
std::optional<Time> RoundState::HoldNode(PodId p, NodeId n) {
  const state::Pod& pod = cluster_.pods()[p];
  if (pod.reserved == Time::Max()) cluster_.SetReserved(p, pod.passed_by ? now_ : pod.created);
  if (placer_.Fits(pod.shape, n, state::When::kLater)) {
    cluster_.Claim(p, n);
    TellPromise(p);
    return std::nullopt;
  }
  const Time old_enough = pod.reserved + cluster_.configuration().daemon_set_preemption.start_delay;
  std::optional<Time> lapse;
  if (now_ < old_enough) {
    lapse = old_enough;
  } else if (MakeRoomOn(n, p, lapse)) {
    return std::nullopt;
  }
  cluster_.Claim(p, n);
  WithdrawPromise(p);
  TellReservation(p, n);
  return lapse;
}

// What this very plan promised it is no news any more: it has it, or somebody came who is first.
void RoundState::WithdrawPromise(PodId p) {
  if (cluster_.pods()[p].promise_told && RecallPromise(p)) cluster_.SetPromiseTold(p, false);
}

bool RoundState::MakeRoomOn(NodeId n, PodId p, std::optional<Time>& lapse) {
  state::Trial trial(cluster_);
  const DaemonSetAnswer found = daemon_set_room_.Find(p, n, now_, trial);
  ++daemon_set_counts_.attempts;
  if (!found.found) {
    ++daemon_set_counts_.failures[static_cast<std::size_t>(found.cause)];
    const bool may_bind_less = found.cause == NoVictims::kBudgets || policy::BudgetsYield(cluster_);
    if (may_bind_less) reservations_.StayRestless(n);
    lapse = found.lapse;
    return false;
  }
  daemon_set_counts_.victims += std::ssize(found.victims);
  const RoomAnswer answer{.verdict = RoomAnswer::Verdict::kFound, .victims = found.victims};
  const WorkloadId w = cluster_.pods()[p].workload;
  GiveVictims(answer, w);
  if (backlog_.AnyBlocked()) freed_.Add(trial);
  trial.Commit();
  ++steps_;
  Displace(answer);
  // Victims of this very plan never ran: what they had is free.
  if (FitsWithinLimits(p, n)) {
    cluster_.Place(p, n);
    GiveTakenUp(w, {p});
  } else {
    cluster_.Claim(p, n);
    TellPromise(p);
  }
  return true;
}

// Where the cluster does not show it yet.
void RoundState::TellReservation(PodId p, NodeId n) {
  const state::Pod& pod = cluster_.pods()[p];
  if (pod.reservation_told) return;
  cluster_.SetReservationTold(p);
  plan_.Give({.type = DecisionType::kReserve,
              .pod = p,
              .node = n,
              .workload = pod.workload,
              .since = pod.reserved});
}

void RoundState::TellPromise(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  const bool shown = pod.nominated == pod.node && !pod.renounced;
  if (shown || pod.promise_told) return;
  cluster_.SetPromiseTold(p, true);
  GiveNominate(p, LeavingForLimit(cluster_, pod.workload));
}

// Others' promises on the node -------------------------------------------------------------------

// Whoever was promised room here may find it elsewhere; the pod in want may not.
std::vector<PodId> RoundState::PutAside(NodeId n) {
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
  ReleaseClaims(dead);
  if (!dead.empty()) RefreshJournaled();
  for (PodId p : claims) {
    cluster_.Unplace(p);
    cluster_.journal().relieved.pop_back();
  }
  return claims;
}

void RoundState::PutBack(const std::vector<PodId>& claims, NodeId n) {
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
    for (PodId p : ClaimsOf(cluster_, w)) {
      given_up_.push_back(cluster_.pods()[p].node);
      cluster_.Apply(state::BindFailed{cluster_.pods().name(p)});
    }
    relieved_.push_back(cluster_.workloads()[w].queue);
    cluster_.journal().relieved.push_back(cluster_.workloads()[w].queue);
  }
  if (!lost.empty()) ++steps_;
  TakeBackOutranked(lost);
}

}  // namespace fairlead::engine
