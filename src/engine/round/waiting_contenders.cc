// Who would take room back (semantics.md §4.3): no exchange within a queue that somebody else who
// waits would undo by its right at once.
//
// Asked when a search has found that lower priorities of the workload's own queue make room for it,
// with the exchange done in the trial. Would any group that waits in another queue fit once the
// newcomer has left, and not before? And does a right let it ask this queue, which the exchange has
// brought above its line? The first for which both hold is enough.
//
// Worked: nodes of 6 and 4 GPUs, queues a and b with fair shares of 5. On the first runs low of a
// with 4, on the second one GPU of b, whose next pod waits for 4: nowhere are 4 free, and a has no
// more than its share. high (6 GPUs) of a could preempt low. Then a had 6, b could ask for one of
// them to go, and would have the first node: low would have been stopped for nothing. high waits.

#include "engine/round/waiting_contenders.h"

#include <algorithm>

#include "policy/entitlement.h"
#include "policy/limits.h"
#include "policy/victims.h"

namespace fairlead::engine {

using policy::Entitlement;
using policy::Right;
using state::PodId;
using state::QueueId;
using state::Trial;

namespace {

// What the trial has added to the queue of those it moves.
state::Amounts GrowthBy(const state::Cluster& cluster, const Trial& trial) {
  state::Amounts growth;
  for (const Trial::Step& done : trial.steps()) {
    const bool comes = done.act == Trial::Act::kPut || done.act == Trial::Act::kPutExpected ||
                       done.act == Trial::Act::kUnevict;
    const state::Shape& shape = cluster.shapes()[cluster.pods()[done.pod].shape];
    state::AddTo(growth, shape.request, comes ? 1 : -1);
  }
  return growth;
}

struct Siblings {
  QueueId ours, theirs;
};

// The children of the lowest common ancestor towards both; invalid where one is above the other.
Siblings MeetingOf(const state::QueueTree& queues, QueueId ours, QueueId theirs) {
  while (ours.valid() && theirs.valid() && queues[ours].parent != queues[theirs].parent) {
    QueueId& deeper = queues[ours].depth > queues[theirs].depth ? ours : theirs;
    deeper = queues[deeper].parent;
  }
  return {ours, theirs};
}

}  // namespace

bool WaitingContenders::WouldTakeBack(const RoomStep& step, Trial& trial) const {
  if (!step.preemptible || !cluster_.configuration().reclaim_enabled) return false;
  const state::Amounts growth = GrowthBy(cluster_, trial);
  const bool grows = std::any_of(growth.begin(), growth.end(),
                                 [](const state::Amount& a) { return a.amount > 0; });
  return grows && backlog_.with_work().Any([&](GroupId g) {
    return GainsRight(backlog_[g], step, growth) && GainsRoom(g, step, trial);
  });
}

// Whether it may ask the step's queue for room, which it might not before that grew.
bool WaitingContenders::GainsRight(const Group& group, const RoomStep& step,
                                   const state::Amounts& growth) const {
  if (group.queue == step.queue || group.never_preempts || group.of_daemon_set) return false;
  const state::QueueTree& queues = cluster_.queues();
  const auto [donor, beside] = MeetingOf(queues, step.queue, group.queue);
  if (!donor.valid() || !beside.valid() || donor == beside) return false;
  for (const Right which : {Right::kGuarantee, Right::kShare}) {
    if (step.priority >= policy::ReclaimsBelow(queues, group.queue, group.priority, which)) {
      continue;
    }
    const Entitlement right(queues, which, group.request);
    if (!right.applies() || right.IsAbove(donor, growth) || !right.IsAbove(donor, {})) {
      continue;
    }
    bool allowed = !right.TurnsAbout(beside, group.request, donor, step.request);
    for (QueueId q = group.queue; allowed && q != queues[beside].parent; q = queues[q].parent) {
      allowed = right.Allows(q, group.request);
    }
    if (allowed) return true;
  }
  return false;
}

// Whether it has room once the step's pods have left, and none while they are there.
bool WaitingContenders::GainsRoom(GroupId g, const RoomStep& step, Trial& trial) const {
  const bool waits = backlog_[g].gang.valid() ? backlog_.PrepareGang(g) : backlog_.Head(g).valid();
  if (!waits) return false;
  const Group& group = backlog_[g];
  if (!TakesWork(cluster_.queues(), group.queue) || Fits(group, trial)) return false;
  const std::size_t mark = trial.Mark();
  std::vector<PodId> ours;
  for (const Trial::Step& done : trial.steps()) {
    const state::Pod& pod = cluster_.pods()[done.pod];
    if (pod.claims() && pod.workload == step.workload) ours.push_back(done.pod);
  }
  for (PodId p : ours) trial.Release(p);
  const bool fits = Fits(group, trial);
  trial.UndoTo(mark);
  return fits;
}

bool WaitingContenders::Fits(const Group& group, Trial& trial) const {
  if (policy::FirstBreach(cluster_, NextOf(cluster_, group), group.request)) return false;
  if (!group.gang.valid()) return placer_.AnyFits(group.shape, state::When::kLater);
  const std::size_t mark = trial.Mark();
  const bool placed = PlaceGang(placer_, cluster_, group.gang, group.parts, state::When::kLater,
                                trial) == GangVerdict::kPlaced;
  trial.UndoTo(mark);
  return placed;
}

}  // namespace fairlead::engine
