#include "engine/round/broken_gangs.h"

#include <algorithm>
#include <vector>

#include "engine/round/stop_whole.h"
#include "policy/limits.h"
#include "state/tally.h"

// A gang of four in rack r1 that is to start anew where it breaks, grace 10m, worked through:
//
//   10:00  the node of one of them fails, and its next pod finds no room in r1: (10:00, gang)
//   10:04  another job ends there, and the pod is placed: it is forgotten
//   10:30  the same again, and r1 is full: (10:30, gang) is noted, and shown as condition Broken
//   10:40  the three that run leave. As all of it waits, any rack will do
//
// One that may stand anywhere goes the same way where no node at all has room, or a limit is in the
// way.

namespace fairlead::engine {

using policy::RoomAction;
using state::PodId;
using state::WorkloadId;

bool BrokenGangs::LacksPods(WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo() || !workload.started() || !workload.open()) return false;
  if (workload.is_moving) return false;
  return std::ranges::any_of(cluster_.workloads().gang(w).sets, [&](const state::PodSet& set) {
    const auto there =
        std::ranges::count_if(set.pods, [&](PodId p) { return cluster_.pods()[p].counts(); });
    return !state::IsMinimum(there, set.succeeded, set.min_count);
  });
}

void BrokenGangs::Note(WorkloadId w) {
  if (LacksPods(w)) {
    lacking_.insert(w);
  } else {
    lacking_.erase(w);
  }
}

std::optional<RoomAction> BrokenGangs::ActionFor(WorkloadId w) const {
  const GroupId g = round_.backlog.GroupOfGang(w);
  if (!g.valid() || !LacksPods(w)) return std::nullopt;
  const Group& group = round_.backlog[g];
  if (!round_.backlog[g].IsBlocked() || group.above_minimum || group.not_before > round_.now) {
    return std::nullopt;
  }
  const bool lacks_room = group.wait == Group::Wait::kRoom;
  for (const state::GangTopology& each : cluster_.workloads().gang(w).topology) {
    if (!lacks_room || !each.binds() || PartsOf(each, group.parts).empty()) continue;
    return each.restarts_when_broken ? std::optional(RoomAction::kTopologyBroken) : std::nullopt;
  }
  return RoomAction::kStaleGang;
}

void BrokenGangs::Look() {
  served_at_ = round_.now;
  std::map<WorkloadId, Broken> broken;
  for (const WorkloadId w : lacking_) {
    const std::optional<RoomAction> action = ActionFor(w);
    if (!action) continue;
    const auto noted = broken_.find(w);
    const Time shown = cluster_.workloads().gang(w).broken_since.value_or(round_.now);
    const Time since = noted != broken_.end() ? noted->second.since : std::min(shown, round_.now);
    broken.emplace(w, Broken{since, *action});
  }
  broken_ = std::move(broken);
}

std::optional<Time> BrokenGangs::DueOf(WorkloadId w) const {
  const auto noted = broken_.find(w);
  return noted == broken_.end() ? std::nullopt : std::optional(noted->second.since + grace());
}

std::optional<Time> BrokenGangs::NextDue() const {
  std::optional<Time> next;
  for (const auto& [w, broken] : broken_) {
    const Time due = broken.since + grace();
    if (due > served_at_) next = std::min(next.value_or(due), due);
  }
  return next;
}

bool BrokenGangs::CouldGoOn(WorkloadId w) const {
  const GroupId g = round_.backlog.GroupOfGang(w);
  const std::optional<Group> step = g.valid() ? round_.backlog.NextStep(g) : std::nullopt;
  if (!step || step->above_minimum) return true;
  if (policy::FirstBreach(cluster_, w, step->request, state::When::kNow)) return false;
  state::Trial trial(cluster_);
  const GangVerdict verdict = CouldPlaceGang(round_.placer, cluster_, w, step->parts, trial);
  return verdict == GangVerdict::kPlaced;
}

bool BrokenGangs::Serve() {
  std::vector<WorkloadId> due;
  for (const auto& [w, broken] : broken_) {
    if (broken.since + grace() <= round_.now && LacksPods(w)) due.push_back(w);
  }
  SortByName(cluster_, due);
  bool stopped = false;
  for (const WorkloadId w : due) {
    if (CouldGoOn(w) || !BudgetsLetGo(cluster_, w)) continue;
    StopWhole(round_, starts_, w, broken_.at(w).action);
    stopped = true;
  }
  return stopped;
}

}  // namespace fairlead::engine
