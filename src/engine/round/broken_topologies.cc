#include "engine/round/broken_topologies.h"

#include <algorithm>
#include <vector>

#include "engine/round/gang_step.h"
#include "engine/round/stop_whole.h"
#include "state/tally.h"

// A gang of four in rack r1, grace 10m, worked through:
//
//   10:00  the node of one of them fails, and its next pod finds no room in r1: (10:00, gang)
//   10:04  another job ends there, and the pod is placed: it is forgotten
//   10:30  the same again, and r1 is full: (10:30, gang) is noted, and shown as condition Broken
//   10:40  the three that run leave. As all of it waits, any rack will do

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

bool BrokenTopologies::LacksPods(WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo() || !workload.started() || !workload.open()) return false;
  const state::Gang& gang = cluster_.workloads().gang(w);
  const auto restarts = [](const state::GangTopology& each) {
    return each.restarts_when_broken && each.binds();
  };
  return std::ranges::any_of(gang.topology, restarts) &&
         std::ranges::any_of(gang.sets, [&](const state::PodSet& set) {
           const auto there = std::ranges::count_if(
               set.pods, [&](PodId p) { return cluster_.pods()[p].counts(); });
           return !state::IsMinimum(there, set.succeeded, set.min_count);
         });
}

void BrokenTopologies::Note(WorkloadId w) {
  if (LacksPods(w)) {
    lacking_.insert(w);
  } else {
    lacking_.erase(w);
  }
}

// Its next step, replacements of pods that are to be near those that run, waits for nothing but
// room.
bool BrokenTopologies::IsBroken(WorkloadId w) const {
  const GroupId g = round_.backlog.GroupOfGang(w);
  if (!g.valid() || !LacksPods(w)) return false;
  const Group& group = round_.backlog[g];
  if (group.wait != Group::Wait::kRoom || group.above_minimum || group.not_before > round_.now) {
    return false;
  }
  const std::vector<state::GangTopology>& demands = cluster_.workloads().gang(w).topology;
  return std::ranges::any_of(demands, [&](const state::GangTopology& each) {
    return each.restarts_when_broken && each.binds() && !PartsOf(each, group.parts).empty();
  });
}

void BrokenTopologies::Look() {
  served_at_ = round_.now;
  std::map<WorkloadId, Time> since;
  for (const WorkloadId w : lacking_) {
    if (!IsBroken(w)) continue;
    const auto noted = since_.find(w);
    const Time shown = cluster_.workloads().gang(w).broken_since.value_or(round_.now);
    since.emplace(w, noted != since_.end() ? noted->second : std::min(shown, round_.now));
  }
  since_ = std::move(since);
}

std::optional<Time> BrokenTopologies::DueOf(WorkloadId w) const {
  const auto noted = since_.find(w);
  return noted == since_.end() ? std::nullopt : std::optional(noted->second + grace());
}

std::optional<Time> BrokenTopologies::NextDue() const {
  std::optional<Time> next;
  for (const auto& [w, since] : since_) {
    const Time due = since + grace();
    if (due > served_at_) next = std::min(next.value_or(due), due);
  }
  return next;
}

bool BrokenTopologies::HasRoomNow(WorkloadId w) const {
  const std::optional<GangStep> step = NextStepOf(cluster_, w);
  if (!step) return true;
  state::Trial trial(cluster_);
  const GangVerdict verdict = CouldPlaceGang(round_.placer, cluster_, w, step->parts, trial);
  return verdict == GangVerdict::kPlaced;
}

bool BrokenTopologies::Serve() {
  std::vector<WorkloadId> due;
  for (const auto& [w, since] : since_) {
    if (since + grace() <= round_.now && LacksPods(w)) due.push_back(w);
  }
  SortByName(cluster_, due);
  bool stopped = false;
  for (const WorkloadId w : due) {
    if (HasRoomNow(w) || !BudgetsLetGo(cluster_, w)) continue;
    StopWhole(round_, starts_, w, policy::RoomAction::kTopologyBroken);
    stopped = true;
  }
  return stopped;
}

}  // namespace fairlead::engine
