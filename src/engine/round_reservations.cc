// DaemonSets' pods that can run on one node only (semantics.md §7). Where such a pod does not fit,
// its node is reserved: it claims room that is not there yet, so that nobody else is placed into
// what comes free. In the order of waiting each pod of a node is bound, or waits for what is
// leaving, or for its startDelay, or has others leave.

#include <algorithm>
#include <utility>

#include "engine/round.h"
#include "policy/limits.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

// In its queue's turn
// ------------------------------------------------------------------------------

bool RoundState::IsPinned(GroupId g) {
  if (!backlog_[g].of_daemon_set) return false;
  const PodId p = backlog_.Head(g);
  return p.valid() && policy::PinnedTo(cluster_, p).valid();
}

bool RoundState::CanReserve(GroupId g) {
  return cluster_.shapes()[backlog_[g].shape].placeable && !LimitedBy(g).valid();
}

bool RoundState::TryPinned(GroupId g) {
  if (TryPod(g)) return true;
  const PodId p = backlog_.Head(g);
  const NodeId n = policy::PinnedTo(cluster_, p);
  backlog_.PopHead(g);
  ++steps_;
  reservations_.Add(n, p);
  ServeNode(n);
  backlog_.MakeReady(g);
  return true;
}

void RoundState::BlockPinned(GroupId g) {
  cluster_.SetPassedBy(backlog_.Head(g));
  if (!cluster_.shapes()[backlog_[g].shape].placeable) unplaceable_pinned_.push_back(g);
  BlockGroup(g, std::nullopt);
}

// A full node that came back, or suits them again, can be reserved.
void RoundState::WakePinned() {
  for (GroupId g : std::exchange(unplaceable_pinned_, {})) {
    if (backlog_[g].wait == Group::Wait::kRoom) backlog_.MakeReady(g);
  }
}

// What changed
// -------------------------------------------------------------------------------------

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
  const bool reserves = pod.claims() || (pod.waits() && pod.reserved != Time::Max());
  if (!pod.of_daemon_set || !reserves) return;
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

std::optional<Time> RoundState::NextRound() {
  std::optional<Time> next;
  for (const std::optional<Time>& at :
       {backlog_.NextLapse(), reservations_.NextLapse(), NextDue()}) {
    if (at) next = std::min(next.value_or(*at), *at);
  }
  return next;
}

// Node by node
// -------------------------------------------------------------------------------------

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
      if (!pod.foreign && pod.claims()) NoteClaims(pod.workload);  // a claim like any other
      return true;
    }
    return !pod.claims() && !pod.waits();
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
    if (!cluster_.nodes().exists(n) || !cluster_.shapes()[cluster_.pods()[p].shape].placeable) {
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
    if (!MayHold(p)) {
      if (held) Release(p);
      left.push_back(p);
      reservations_.StayRestless(n);
      continue;
    }
    const state::ShapeId s = cluster_.pods()[p].shape;
    if (!placer_.Fits(s, n, state::When::kLater)) {
      for (PodId claim : PutAside(n)) claims.push_back(claim);
    }
    if (placer_.Fits(s, n)) {
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
  PutBack(claims, n);
  reservations_.Set(n, std::move(left), lapse);
}

// As for any pod: its queue takes work, and is within its limits with it.
bool RoundState::MayHold(PodId p) const {
  const state::Workload& workload = cluster_.workloads()[cluster_.pods()[p].workload];
  const state::QueueTree& queues = cluster_.queues();
  const state::Queue& queue = queues[workload.queue];
  return workload.open() && queue.health == state::QueueHealth::kReady && queue.active &&
         queues.IsLeaf(workload.queue) && workload.queue != state::QueueTree::Root() &&
         cluster_.shapes()[cluster_.pods()[p].shape].placeable &&
         !policy::FirstBreach(queues, workload.queue,
                              cluster_.shapes()[cluster_.pods()[p].shape].request,
                              workload.preemptible);
}

// The pod waits again like any other.
void RoundState::Release(PodId p) {
  if (cluster_.pods()[p].claims()) {
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
  TellReservation(p, n);
  return lapse;
}

bool RoundState::MakeRoomOn(NodeId n, PodId p, std::optional<Time>& lapse) {
  state::Trial trial(cluster_);
  const DaemonSetAnswer found = daemon_set_room_.Find(p, n, now_, trial);
  ++daemon_set_counts_.attempts;
  if (!found.found) {
    ++daemon_set_counts_.failures[static_cast<std::size_t>(found.cause)];
    if (found.cause == NoVictims::kBudgets) reservations_.StayRestless(n);
    lapse = found.lapse;
    return false;
  }
  daemon_set_counts_.victims += std::ssize(found.victims);
  const RoomAnswer answer{.verdict = RoomAnswer::Verdict::kFound, .victims = found.victims};
  const WorkloadId w = cluster_.pods()[p].workload;
  GiveVictims(answer, w);
  trial.Commit();
  ++steps_;
  Displace(answer);
  // Victims of this very plan never ran: what they had is free.
  if (placer_.Fits(cluster_.pods()[p].shape, n)) {
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
  plan_.decisions.push_back({.type = DecisionType::kReserve,
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
  GiveNominate(p);
}

// Others' promises on the node
// ---------------------------------------------------------------------

// Whoever was promised room here may find it elsewhere; the pod in want may not.
std::vector<PodId> RoundState::PutAside(NodeId n) {
  std::vector<PodId> claims;
  if (!cluster_.nodes().in_turnover(n)) return claims;
  for (PodId p : cluster_.nodes().pods(n)) {
    if (cluster_.pods()[p].claims() && policy::PinnedTo(cluster_, p) != n) claims.push_back(p);
  }
  for (PodId p : claims) {
    cluster_.Unplace(p);
    cluster_.journal().relieved.pop_back();
  }
  return claims;
}

void RoundState::PutBack(const std::vector<PodId>& claims, NodeId n) {
  std::vector<PodId> order = claims;
  std::sort(order.begin(), order.end(), [this](PodId a, PodId b) {
    const state::Workload& x = cluster_.workloads()[cluster_.pods()[a].workload];
    const state::Workload& y = cluster_.workloads()[cluster_.pods()[b].workload];
    if (x.priority != y.priority) return x.priority > y.priority;
    if (x.created != y.created) return x.created < y.created;
    return cluster_.pods().name(a) < cluster_.pods().name(b);
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
      cluster_.Apply(state::BindFailed{cluster_.pods().name(p)});
    }
    relieved_.push_back(cluster_.workloads()[w].queue);
    cluster_.journal().relieved.push_back(cluster_.workloads()[w].queue);
  }
  if (!lost.empty()) ++steps_;
  TakeBackOutranked(lost);
}

}  // namespace fairlead::engine
