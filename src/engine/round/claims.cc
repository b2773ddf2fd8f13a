#include "engine/round/claims.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/sorted_set.h"
#include "engine/place/put_in_place.h"
#include "engine/room/waits_for.h"
#include "policy/daemon_set.h"
#include "policy/dynamic_demand.h"
#include "policy/limits.h"
#include "policy/queue_order.h"
#include "state/favour.h"

namespace fairlead::engine {

using state::PodId;
using state::QueueId;
using state::WorkloadId;

Claimant ClaimantOf(const state::Cluster& cluster, WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  return {workload.queue, workload.priority, w};
}

bool Claims::Outranks(QueueId queue, std::int32_t priority) const {
  const auto at =
      claimants_.lower_bound({queue, std::numeric_limits<std::int32_t>::min(), WorkloadId(0U)});
  return at != claimants_.end() && std::get<0>(*at) == queue && std::get<1>(*at) < priority;
}

std::vector<WorkloadId> Claims::Outranked(QueueId queue, std::int32_t priority) const {
  std::vector<WorkloadId> outranked;
  const std::int32_t least = std::numeric_limits<std::int32_t>::min();
  for (auto at = claimants_.lower_bound({queue, least, WorkloadId(0U)});
       at != claimants_.end() && std::get<0>(*at) == queue && std::get<1>(*at) < priority; ++at) {
    outranked.push_back(std::get<2>(*at));
  }
  return outranked;
}

void Claims::Note(WorkloadId w) {
  if (!cluster_.workloads()[w].in_use || cluster_.workloads()[w].is_landing) return;
  bool claims = false;
  std::vector<PodId> shown;  // by the cluster, as claimed room
  cluster_.ForEachPodOf(w, [&](PodId p) {
    claims |= cluster_.pods()[p].claims();
    if (cluster_.pods()[p].nominated.valid()) shown.push_back(p);
  });
  cluster_.pods().SortByName(shown);
  for (PodId p : shown) Renounce(p);
  const state::Workload& workload = cluster_.workloads()[w];
  if (workload.solo() && policy::PinnedTo(cluster_, workload.only_pod).valid()) return;
  if (claims) claimants_.insert(ClaimantOf(cluster_, w));
}

void Claims::Renounce(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  if (!pod.nominated.valid() || pod.renounced || pod.placed()) return;
  cluster_.notes().SetRenounced(p, true);
  plan_.Give({.type = DecisionType::kNominate, .pod = p, .workload = pod.workload});
}

// The same claim was taken back in this plan, and stands again: then there is nothing to tell.
bool Claims::StandsAgain(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  if (!pod.renounced) return false;
  cluster_.notes().SetRenounced(p, false);
  if (pod.nominated != pod.node) return false;
  if (plan_.NominationOf(p) == nullptr) return false;
  plan_.TakeBackNomination(p);
  return true;
}

bool Claims::Recall(PodId p) {
  const Decision* told = plan_.NominationOf(p);
  if (told == nullptr || !told->node.valid()) return false;
  plan_.TakeBackNomination(p);
  if (plan_.NominationOf(p) != nullptr) cluster_.notes().SetRenounced(p, true);
  return true;
}

void Claims::Serve() {
  if (claimants_.empty()) return;
  std::vector<WorkloadId> order;
  for (const auto& [queue, priority, w] : claimants_) order.push_back(w);
  std::erase_if(order, [this](WorkloadId w) { return ClaimsOf(cluster_, w).empty(); });
  // One that changed its queue or priority is there twice.
  MakeSet(order,
          [this](WorkloadId a, WorkloadId b) { return policy::IsServedFirst(cluster_, a, b); });
  ChooseDevicesAnew(order);
  std::vector<state::NodeId> nodes;
  for (WorkloadId w : order) {
    admission_.RefreshCounts(w);
    for (PodId p : ClaimsOf(cluster_, w)) nodes.push_back(cluster_.pods()[p].node);
  }
  // Where claims no longer fit together, the least of them is taken back first.
  bool changed = false;
  for (auto w = order.rbegin(); w != order.rend(); ++w) {
    const std::vector<PodId> pods = ClaimsOf(cluster_, *w);
    if (Holds(*w, pods) && !StandsOnClosed(*w, pods)) continue;
    Release(pods);
    changed = true;
  }
  claimants_.clear();
  for (WorkloadId w : order) {
    std::vector<PodId> pods = ClaimsOf(cluster_, w);
    if (pods.empty()) continue;
    if (TakeUp(w, pods)) {
      GiveTakenUp(w, pods);
      changed = true;
    } else {
      claimants_.insert(ClaimantOf(cluster_, w));
    }
  }
  if (changed) {
    ++round_.steps;  // who runs may have to go; who only waits may not
    // What is held, or came to run, on a node out of service is part of the capacity.
    UpdateFairShares(round_);
  }
  // What a claim held may be free for others now.
  MakeSet(nodes);
  backlog_.WakeRoom(nodes, placer_, state::When::kNow);
  backlog_.WakeQueues(round_.relieved.Take());
  admission_.RefreshChanged();
}

// A window has come up since, and the room would be taken in it.
bool Claims::StandsOnClosed(WorkloadId w, const std::vector<PodId>& pods) const {
  if (!round_.windows.any() || cluster_.workloads()[w].started()) return false;
  const policy::Windows::Start start = policy::Windows::StartOf(cluster_, w, round_.now);
  return std::ranges::any_of(pods, [&](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    return !pod.of_daemon_set() && round_.windows.IsClosed(pod.node, start);
  });
}

// The cluster does not tell which devices were claimed: it must make no difference in which order
// the claims became known.
void Claims::ChooseDevicesAnew(const std::vector<WorkloadId>& order) {
  std::vector<std::pair<PodId, state::NodeId>> shares;
  for (WorkloadId w : order) {
    for (PodId p : ClaimsOf(cluster_, w)) {
      const state::Pod& pod = cluster_.pods()[p];
      const state::Shape& shape = cluster_.shapes()[pod.shape];
      if (shape.gpu_milli > 0 && shape.placeable && cluster_.nodes().exists(pod.node)) {
        shares.emplace_back(p, pod.node);
      }
    }
  }
  for (const auto& [p, n] : shares) cluster_.Unplace(p);
  for (const auto& [p, n] : shares) cluster_.Claim(p, n);
}

// Whether the room can still become theirs: their nodes would hold them, their queue takes work and
// is within its limits, no part of a gang's minimum is missing, and it asks for no fewer by now.
bool Claims::Holds(WorkloadId w, const std::vector<PodId>& pods) {
  const state::Workload& workload = cluster_.workloads()[w];
  const state::QueueTree& queues = cluster_.queues();
  const state::Queue& queue = queues[workload.queue];
  if (!workload.open() || queue.health != state::QueueHealth::kReady || !queue.active) return false;
  if (!OthersStillAllow(w, pods) || !policy::WithinUserLimits(cluster_, w)) return false;
  // Their request is counted already.
  for (PodId p : pods) {
    const state::Pod& pod = cluster_.pods()[p];
    const state::Shape& shape = cluster_.shapes()[pod.shape];
    if (!shape.placeable || !cluster_.nodes().exists(pod.node) ||
        !placer_.classes().Fits(pod.shape, pod.node)) {
      return false;
    }
    const std::int64_t* later = cluster_.nodes().later(pod.node);
    for (const state::Amount& a : shape.fit) {
      if (a.resource != state::kGpuShare && later[a.resource.value()] < 0) return false;
    }
    if (shape.gpu_milli > 0 && cluster_.nodes().FreeLaterOn(pod.node, pod.gpu_device) < 0) {
      return false;
    }
    if (!policy::WithinLimits(queues, workload.queue, shape.request, {})) return false;
  }
  if (workload.solo()) return true;
  const state::Gang& gang = cluster_.workloads().gang(w);
  return gang.known && std::ranges::all_of(gang.sets, [&](const state::PodSet& set) {
           const auto have = set.succeeded + std::ranges::count_if(set.pods, [this](PodId p) {
                               return cluster_.pods()[p].counts();
                             });
           const bool goes_on = workload.started() || workload.is_moving;
           return have <= set.count && (goes_on || have >= set.min_count);
         });
}

bool Claims::DemandsOthers(const std::vector<PodId>& pods) const {
  return std::any_of(pods.begin(), pods.end(), [this](PodId p) {
    return policy::DependsOnOthers(cluster_.shapes()[cluster_.pods()[p].shape]);
  });
}

// Whether those who are to stay let them be there: nobody came who refuses them, and nobody is
// about to go whom they want beside them. A spread is judged when they are bound: until then a
// promise to one of a lower claim may make it uneven, who would come back for ever.
bool Claims::OthersStillAllow(WorkloadId w, const std::vector<PodId>& pods) {
  if (!DemandsOthers(pods)) return true;
  const state::Favour favour(cluster_, w);
  return std::all_of(pods.begin(), pods.end(), [this](PodId p) {
    return policy::OthersAllowPlaced(cluster_, p, state::When::kLater);
  });
}

bool Claims::TakeUp(WorkloadId w, std::vector<PodId>& pods) {
  if (cluster_.workloads().landings(w) != nullptr) return false;  // those who left go first
  if (WaitsForLimit(cluster_, w, state::RequestOf(cluster_, pods))) return false;
  return TakeUpInPlace(pods) || PlaceElsewhere(w, pods);
}

bool Claims::TakeUpInPlace(std::vector<PodId>& pods) {
  state::Trial trial(cluster_);
  if (DemandsOthers(pods)) {
    std::vector<PodId> order = pods;
    if (!PutInPlace(placer_, cluster_, order, state::When::kNow, trial)) return false;
    pods = std::move(order);
    trial.Commit();
    return true;
  }
  std::vector<state::NodeId> nodes;
  for (PodId p : pods) {
    nodes.push_back(cluster_.pods()[p].node);
    trial.Release(p);
  }
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (!placer_.Fits(cluster_.pods()[pods[i]].shape, nodes[i])) return false;
    trial.Put(pods[i], nodes[i], state::When::kNow);
  }
  trial.Commit();
  return true;
}

bool Claims::PlaceElsewhere(WorkloadId w, std::vector<PodId>& pods) {
  std::vector<GangPart> parts;
  state::KeptBack closed(cluster_);
  round_.windows.Close(round_.windows.ClosedTo(policy::Windows::StartOf(cluster_, w, round_.now)),
                       closed);
  state::Trial trial(cluster_);
  for (PodId p : pods) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.expected) return false;  // nobody else knows of them: their room stays where it is
    PartFor(parts, pod.pod_set, pod.shape).pods.push_back(p);
    trial.Release(p);
  }
  if (PlaceGang(placer_, cluster_, w, parts, state::When::kNow, trial) != GangVerdict::kPlaced) {
    return false;
  }
  if (DemandsOthers(pods)) {  // they are bound in the order in which each is let in
    pods.clear();
    for (const state::Trial::Step& step : trial.steps()) {
      if (step.act == state::Trial::Act::kPut) pods.push_back(step.pod);
    }
  }
  trial.Commit();
  return true;
}

void Claims::GiveTakenUp(WorkloadId w, const std::vector<PodId>& pods) {
  for (PodId p : pods) {
    // It is bound: what this very plan gave it as a claim or took back is no news; unless it loses
    // this room as well.
    while (const Decision* told = plan_.NominationOf(p)) {
      if (!told->node.valid()) cluster_.notes().SetRenounced(p, false);
      plan_.TakeBackNomination(p);
    }
  }
  placements_.Give(w, pods);
  backlog_.Refresh(w);
}

void Claims::Give(WorkloadId w, const std::vector<PodId>& pods) {
  const std::vector<PodId> leaving = LeavingForLimit(cluster_, w);
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) Nominate(p, leaving);
  }
  Note(w);
}

void Claims::Nominate(PodId p, const std::vector<PodId>& leaving_for_limit) {
  if (StandsAgain(p)) return;
  const state::Pod& pod = cluster_.pods()[p];
  plan_.Nominate(p, pod.node, pod.workload,
                 WaitsFor(cluster_, leaving_for_limit, std::span(&p, 1)));
}

void Claims::TakeBack(const std::vector<WorkloadId>& outranked) {
  round_.notices.claims_were_lifted |= !outranked.empty();
  for (WorkloadId w : outranked) {
    if (!cluster_.workloads()[w].in_use) continue;  // it was room for a pod that moves
    std::vector<PodId> waiting;
    cluster_.ForEachPodOf(w, [&](PodId p) {
      if (cluster_.pods()[p].waits()) waiting.push_back(p);
    });
    for (PodId p : waiting) {
      if (cluster_.pods()[p].expected) {
        cluster_.RemoveExpected(p);
        continue;
      }
      cluster_.Requeue(p);
      Recall(p);
    }
    claimants_.erase(ClaimantOf(cluster_, w));
    admission_.RefreshCounts(w);
    Note(w);
  }
  admission_.RefreshChanged();
}

void Claims::Release(const std::vector<PodId>& pods) {
  for (PodId p : pods) {
    const bool exists = !cluster_.pods()[p].expected;
    Recall(p);
    cluster_.Apply(state::BindFailed{std::string(cluster_.pods().name(p))});
    if (exists) Renounce(p);
  }
}

std::vector<WorkloadId> Claims::TakeAll() {
  std::vector<WorkloadId> all;
  for (const Claimant& claimant : std::exchange(claimants_, {})) {
    all.push_back(std::get<WorkloadId>(claimant));
  }
  return all;
}

}  // namespace fairlead::engine
