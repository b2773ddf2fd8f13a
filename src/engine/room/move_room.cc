#include "engine/room/move_room.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/place/topology_gang.h"
#include "engine/room/free_in_sum.h"
#include "engine/room/topology_room.h"
#include "policy/limits.h"

namespace fairlead::engine {

using policy::Right;
using state::WorkloadId;

// It may lose others work as far as the better of its rights allows (time.md §5.1).
std::optional<Right> MoveRoom::RightOf(const RoomStep& step) const {
  for (const Right right : {Right::kGuarantee, Right::kShare}) {
    if (policy::IsEntitled(cluster_.queues(), right, step.queue, step.request)) return right;
  }
  return std::nullopt;
}

// Moving makes nothing free in sum: there must be as much as is asked; and it must fit where it
// goes once that is empty.
bool MoveRoom::MightServe(const RoomStep& step) {
  return FreeInSum(cluster_, step).MayDo() && FitWhenEmpty(cluster_, placer_, step.parts);
}

MoveAnswer MoveRoom::Find(const RoomStep& step, Time now, const VictimScope::Stays& stays,
                          state::Trial& trial) {
  DCHECK(trial.steps().empty());
  MoveAnswer answer;
  const std::optional<Right> right = RightOf(step);
  if (!right || cluster_.workloads()[step.workload].never_preempts) return answer;
  if (!MightServe(step) || policy::FirstBreach(cluster_, step.workload, step.request)) {
    return answer;
  }
  if (AsksTopology(cluster_, step.workload)) {
    answer.proven = false;  // a domain to be emptied is not looked for
    return answer;
  }
  const policy::Preemptor preemptor{
      .workload = step.workload,
      .queue = step.queue,
      .priority = step.priority,
      .request = step.request,
      .now = now,
      .ceiling = policy::LossCeiling::Of(cluster_, step.queue, *right, step.request,
                                         WaitsSince(cluster_, step), now)};
  enum class Asked : std::uint8_t { kNotYet, kMayMove, kStays };
  std::vector<Asked> asked(cluster_.workloads().size(), Asked::kNotYet);
  const auto keeps_its_place = [&](WorkloadId w) {
    Asked& known = asked[w.value()];
    if (known == Asked::kNotYet) {
      const bool may = !stays(w) && search_.landings().MayLand(w);
      known = may ? Asked::kMayMove : Asked::kStays;
    }
    return known == Asked::kStays;
  };
  for (std::int32_t i = 0; i < kMostTries; ++i) {
    search_.Start(now);
    const VictimScope scope =
        VictimScope::OfMovers(cluster_, preemptor, keeps_its_place, policy::Leniency());
    search_.landings().Forget();
    FieldAnswer of_field = search_.Search(scope, step, trial);
    if (const auto lapse = scope.earliest_lapse()) {
      answer.lapse = std::min(answer.lapse.value_or(*lapse), *lapse);
    }
    answer.proven = answer.proven && of_field.proven;
    if (of_field.found && search_.landings().Find(of_field.victims)) {
      answer.found = true;
      answer.movers = std::move(of_field.victims);
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
