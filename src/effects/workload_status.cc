#include "effects/workload_status.h"

#include <algorithm>
#include <utility>

#include "effects/conditions.h"
#include "objects/stop_note.h"

namespace fairlead::effects {
namespace {

using objects::Condition;

bool Set(objects::Workload& status, std::string_view type, bool holds, std::string_view reason,
         Time now, std::string message = {}) {
  return SetCondition({.type = std::string(type),
                       .holds = holds,
                       .reason = std::string(reason),
                       .message = std::move(message),
                       .since = {}},
                      status.conditions, now);
}

}  // namespace

bool Note(const AdmitWorkload& admit, std::string_view queue, Time now, objects::Workload& status) {
  std::vector<objects::PodSetAssignment> admission;
  for (const engine::PodSetCount& set : admit.pod_sets) admission.push_back(AssignmentOf(set));
  bool changed = status.admission != admission || status.admission_queue != queue;
  status.admission = std::move(admission);
  status.admission_queue = queue;
  status.reservation.reset();
  changed |= Set(status, "Admitted", true, "Admitted", now, EventOf(admit)->note);
  changed |= Set(status, "Evicted", false, "Admitted", now);
  changed |= Set(status, "Finished", false, "Admitted", now);
  changed |= Set(status, objects::kStoppedCondition, false, "Admitted", now);
  return changed;
}

bool NoteStopping(const StopWorkload& stop, Time now, objects::Workload& status) {
  if (stop.stops > 0) status.stops = stop.stops;
  if (stop.at_limit.empty()) return Set(status, "Evicted", true, "Stopped", now, stop.reason);
  bool changed = Set(status, "Evicted", true, objects::kRunTimeLimitReason, now, stop.reason);
  if (!stop.waits_again) {
    changed |= Set(status, objects::kStoppedCondition, true, objects::kRunTimeLimitReason, now,
                   ToText(objects::StopNote{.why = stop.at_limit, .spec = stop.spec}));
  }
  return changed;
}

// The start is cleared when its pods are gone. What ended on the way does not run for that reason:
// whoever is told of the end again writes the same.
bool NoteStopped(Time now, objects::Workload& status) {
  bool changed = !status.admission.empty() || !status.admission_queue.empty();
  status.admission.clear();
  status.admission_queue.clear();
  changed |= Set(status, "Admitted", false, "Stopped", now);
  const bool has_ended = std::ranges::any_of(status.conditions, [](const Condition& each) {
    return each.type == "Finished" && each.holds;
  });
  if (!has_ended) changed |= Set(status, "Running", false, "Stopped", now);
  return changed;
}

bool Note(const SetStartTime& set, Time now, objects::Workload& status) {
  if (status.start_time == set.start) return false;
  status.start_time = set.start;
  Set(status, "Running", set.start.has_value(), set.start ? "MinimumPlaced" : "NoPodPlaced", now);
  return true;
}

bool Note(const SetProtection& set, objects::Workload& status) {
  if (status.preempt_protected_until == set.preempt &&
      status.reclaim_protected_until == set.reclaim) {
    return false;
  }
  status.preempt_protected_until = set.preempt;
  status.reclaim_protected_until = set.reclaim;
  return true;
}

bool Note(const SetReservation& set, objects::Workload& status) {
  if (status.reservation == set.reservation) return false;
  status.reservation = set.reservation;
  return true;
}

bool Note(const SetLandings& set, objects::Workload& status) {
  if (status.landings == set.landings) return false;
  status.landings = set.landings;
  return true;
}

// Its time is that of the last move.
bool Note(const SetMoved& set, Time now, objects::Workload& status) {
  std::erase_if(status.conditions,
                [](const Condition& each) { return each.type == objects::kMovedCondition; });
  return Set(status, objects::kMovedCondition, true, "Consolidate", now, set.reason);
}

bool Note(const SetLoan& set, Time now, objects::Workload& status) {
  return set.loan ? Set(status, objects::kOnLoanCondition, true, kRoomReserved, now,
                        objects::TextOf(*set.loan))
                  : Set(status, objects::kOnLoanCondition, false, kLoanIsOver, now);
}

bool Note(const SetInactive& set, Time now, objects::Workload& status) {
  return Set(status, objects::kInactiveCondition, set.inactive,
             set.inactive ? "NotActive" : "Active", now);
}

bool Note(const SetBroken& set, Time now, objects::Workload& status) {
  return set.since
             ? Set(status, objects::kBrokenCondition, true, set.action, *set.since, BrokenText(set))
             : Set(status, objects::kBrokenCondition, false, "NotBroken", now);
}

bool Note(const FinishWorkload& finish, Time now, objects::Workload& status) {
  const std::string_view reason = finish.job_says_so ? "JobFinished" : "PodsSucceeded";
  bool changed = Set(status, "Finished", true, reason, now);
  changed |= Set(status, "Running", false, reason, now);
  return changed;
}

void MoveStatus(objects::Workload& from, objects::Workload& to) {
  to.admission = std::move(from.admission);
  to.admission_queue = std::move(from.admission_queue);
  to.start_time = from.start_time;
  to.preempt_protected_until = from.preempt_protected_until;
  to.reclaim_protected_until = from.reclaim_protected_until;
  to.stops = from.stops;
  to.reservation = std::move(from.reservation);
  to.landings = std::move(from.landings);
  to.conditions = std::move(from.conditions);
}

bool IsStopping(const objects::Workload& status) {
  return std::ranges::any_of(status.conditions, [](const Condition& each) {
    return each.type == "Evicted" && each.holds;
  });
}

}  // namespace fairlead::effects
