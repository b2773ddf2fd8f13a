#include "engine/room/move_room.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/place/topology_gang.h"
#include "engine/room/topology_room.h"
#include "policy/limits.h"

namespace fairlead::engine {

using policy::Right;
using state::WorkloadId;

// What is only assumed is no news once the cluster shows it: it is looked at again by the clock.
std::optional<Time> StaysUntil(const state::Cluster& cluster, WorkloadId w, Time now) {
  const state::Workload& workload = cluster.workloads()[w];
  bool may_move = !workload.is_moving && !workload.is_landing &&
                  cluster.workloads().landings(w) == nullptr &&
                  cluster.workloads().loan(w) == nullptr;
  bool settled = true;
  const bool enabled = cluster.configuration().consolidation.enabled;
  cluster.ForEachPodOf(w, [&](state::PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (!pod.counts()) return;
    may_move = may_move && pod.may_move;
    if (!enabled) return;  // it is only said
    may_move = may_move && !pod.claims() && !pod.expected;
    settled = settled && pod.placement == state::Placement::kBound && !pod.spared;
  });
  if (!may_move || (enabled && !workload.started())) return Time::Max();
  if (!enabled) return std::nullopt;
  const Duration least = Duration::Seconds(1);
  const Time since = std::max(workload.start, cluster.workloads().moved_at(w).value_or(Time{}));
  const Time until = since + std::max(cluster.configuration().consolidation.cooldown, least);
  if (until > now) return until;
  return settled ? std::nullopt : std::optional(now + least);
}

// It may lose others work as far as the better of its rights allows (time.md §5.1).
std::optional<Right> MoveRoom::RightOf(const RoomStep& step) const {
  for (const Right right : {Right::kGuarantee, Right::kShare}) {
    if (policy::IsEntitled(cluster_.queues(), right, step.queue, step.request)) return right;
  }
  return std::nullopt;
}

// Moving makes nothing free in sum: there must be as much as is asked; and it must fit where it
// goes once that is empty.
bool MoveRoom::Might(const RoomStep& step) {
  return !cluster_.workloads()[step.workload].never_preempts && free_.MayDo(step.request) &&
         RightOf(step);
}

MoveRoom::Movers MoveRoom::WhoMayMove(const Stays& stays) {
  std::vector<WorkloadId> movers;
  std::optional<Time> lapse;
  for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) {
    const WorkloadId w(i);
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.in_use || !policy::MayGive(cluster_, policy::Preemptor(), w)) continue;
    if (!search_.landings().MayLand(w)) continue;
    const std::optional<Time> until = stays(w);
    if (!until) {
      movers.push_back(w);
    } else if (*until != Time::Max()) {
      lapse = std::min(lapse.value_or(*until), *until);
    }
  }
  return {.any = !movers.empty(), .lapse = lapse, .slots = MoverSlots(cluster_, movers)};
}

// Even once those have left who leave already: no is not sure.
bool MoveRoom::LacksRoom(const RoomStep& step) {
  return std::ranges::any_of(step.parts, [&](const GangPart& part) {
    return placer_.RoomFor(part.shape, part.count(), state::When::kLater) < part.count();
  });
}

MoveAnswer MoveRoom::Find(const RoomStep& step, Time now, const Stays& stays, state::Trial& trial,
                          const Movers* movers) {
  DCHECK(trial.steps().empty());
  MoveAnswer answer;
  if (!Might(step) || !FitWhenEmpty(cluster_, placer_, step.parts) ||
      policy::FirstBreach(cluster_, step.workload, step.request)) {
    return answer;
  }
  const Right right = *RightOf(step);
  if (AsksTopology(cluster_, step.workload)) {
    answer.proven = false;  // a domain to be emptied is not looked for
    return answer;
  }
  // Of its own pods it would not be asked.
  const bool nobody_moves = movers != nullptr && !movers->any &&
                            cluster_.workloads()[step.workload].live == 0 && LacksRoom(step);
  if (nobody_moves || (movers != nullptr && !movers->slots.MayDo(step))) {
    answer.lapse = movers->lapse;
    return answer;
  }
  const policy::Preemptor preemptor{
      .workload = step.workload,
      .queue = step.queue,
      .priority = step.priority,
      .request = step.request,
      .now = now,
      .ceiling = policy::LossCeiling::Of(cluster_, step.queue, right, step.request,
                                         WaitsSince(cluster_, step), now,
                                         policy::RoomAction::kConsolidate)};
  enum class Asked : std::uint8_t { kNotYet, kMayMove, kStays };
  std::vector<Asked> asked(cluster_.workloads().size(), Asked::kNotYet);
  const auto keeps_its_place = [&](WorkloadId w) {
    Asked& known = asked[w.value()];
    if (known == Asked::kNotYet) {
      const bool may_land = search_.landings().MayLand(w);
      const std::optional<Time> until = may_land ? stays(w) : Time::Max();
      if (until && *until != Time::Max()) {
        answer.lapse = std::min(answer.lapse.value_or(*until), *until);
      }
      known = until ? Asked::kStays : Asked::kMayMove;
    }
    return known == Asked::kStays;
  };
  for (std::int32_t i = 0; i < kMostTries; ++i) {
    search_.Start(now);
    const VictimScope scope =
        VictimScope::OfMovers(cluster_, preemptor, keeps_its_place, policy::Leniency());
    search_.landings().Forget();
    FieldAnswer of_field = search_.Search(scope, step, trial);
    if (!of_field.found) search_.NoteLapses(scope);
    if (const auto lapse = scope.earliest_lapse()) {
      answer.lapse = std::min(answer.lapse.value_or(*lapse), *lapse);
    }
    answer.proven = answer.proven && of_field.proven;
    if (of_field.found && search_.landings().Find(of_field.victims)) {
      answer.found = true;
      answer.movers = std::move(of_field.victims);
      // Its room is coming: that somebody may move by then makes no difference to it.
      if (answer.movers.empty()) answer.lapse.reset();
      for (VictimUnit& unit : answer.movers) {
        unit.candidate.action = policy::RoomAction::kConsolidate;
      }
      answer.landings = search_.landings().found();
      answer.least_proven = answer.proven;
      return answer;
    }
    trial.UndoTo(0);
    // Others may do, where one who was chosen finds no place.
    const WorkloadId stuck = search_.landings().stuck();
    if (of_field.proven || !stuck.valid()) return answer;
    asked[stuck.value()] = Asked::kStays;
    answer.proven = false;
  }
  return answer;
}

}  // namespace fairlead::engine
