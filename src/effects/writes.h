#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "engine/explain/report.h"
#include "objects/objects.h"

// What a plan does to a cluster, as data. Whoever applies it (the virtual cluster, the Kubernetes
// writer) knows how; what is to be done, and in which order, is decided here, once.
// Pods and workloads are "namespace/name".

namespace fairlead::effects {

class WorkloadBook;

// spec.nodeName by the binding subresource. The cluster then shows PodScheduled.
struct BindPod {
  std::string pod, node, workload;
  // ≥ 0: annotation fairlead.dev/gpu-device; and before it the condition of DeviceConditionOf,
  // which the pod's owner cannot change.
  std::int32_t gpu_device = -1;
  // Claims in its namespace that are bound for the node first: by the claimRef of the volume that
  // is taken, or, for one that is made, by annotation selected-node.
  std::vector<engine::VolumeToBind> volumes;
  // Of its workload somebody waits for volumes: none is bound before all of these are.
  bool waits_for_volumes = false;
};

// Condition DisruptionTarget, then the Eviction API.
struct EvictPod {
  std::string pod, node, workload;
  std::string action;       // policy::RoomAction
  std::string beneficiary;  // for whom; empty: for nobody
  std::string reason;
  bool by_stop = false;       // a StopWorkload follows that takes the pod along where a Job owns it
  bool past_budgets = false;  // a budget that is short does not bind for it: deleted, not evicted
  Duration max_grace;         // it gets its own grace period, and at most this
  // Of a pod that is its own workload: annotation fairlead.dev/stops of the job that makes another
  // in its place, and which that is. 0: it is not counted.
  std::int32_t stops = 0;
  std::string job_kind, job;  // "namespace/name"; empty: it is not known
  // It ran as long as it may: where the Eviction API refuses it is deleted. Of a pod that is its
  // own workload annotation fairlead.dev/stopped of that job is written before, so that none of the
  // job's pods starts; empty: it waits again, or there is no job.
  bool at_limit = false;
  std::string stopped;
};

// status.nominatedNodeName.
struct NominatePod {
  std::string pod, node, workload;
  std::vector<std::string> waiting_for;
};

// Pod condition fairlead.dev/NodeReserved=True, with `since` as its transition time.
struct ReserveNode {
  std::string pod, node;
  Time since;
};

// Room is kept for a workload that waits. A Workload: status.reservation; a pod that is a workload
// of its own: annotation fairlead.dev/reservation. Absent: none is kept any more.
struct SetReservation {
  std::string workload;
  bool is_pod = false;
  std::optional<objects::Reservation> reservation;
};

// Room is held for those who move for a workload. A Workload: status.landings; a pod that is a
// workload of its own: annotation fairlead.dev/landings. None: none is any more.
struct SetLandings {
  std::string workload;
  bool is_pod = false;
  objects::Landings landings;
};

// A Workload's condition Moved: all its pods leave, and it goes on elsewhere.
struct SetMoved {
  std::string workload;
  std::string beneficiary;  // for whom
  std::string reason;
};

// It starts in room that is kept for another, and gives way from then on; absent: it does not any
// more. A Workload: condition OnLoan; a pod that is a workload of its own: fairlead.dev/OnLoan.
inline constexpr std::string_view kRoomReserved = "RoomReserved";  // their reason, while it is …
inline constexpr std::string_view kLoanIsOver = "LoanIsOver";      // … and afterwards
struct SetLoan {
  std::string workload;
  bool is_pod = false;
  std::optional<objects::Loan> loan;
};

// Workload: status.admission. A job: what jobs::JobKind::RunWith changes.
struct AdmitWorkload {
  std::string workload;
  std::vector<engine::PodSetCount> pod_sets;
  std::string reason;  // why fewer pods than were asked; empty: they are all
};

// The admission is taken back. Workload: status.admission cleared. A job: suspended, with its
// original counts (jobs::JobKind::Restore). Follows the last EvictPod of the workload, or comes
// alone: its pods did not come, its queue drains, it is not active.
struct StopWorkload {
  std::string workload;
  std::string reason;
  std::int32_t stops = 0;  // status.stops, as its room is taken; 0: nobody takes it
  // It ran as long as it may: how long, and whose limit that is. Empty: that is not why.
  std::string at_limit;
  // Then it waits again, or, with condition Stopped, is kept out as long as it asks this.
  bool waits_again = false;
  std::string spec;  // a digest (objects/stop_note.h)
};

// status.startTime of a Workload, or what its dialect has in its place; absent: cleared.
struct SetStartTime {
  std::string workload;
  std::optional<Time> start;
};

// status.protectedUntil of a Workload; absent: it is not protected.
struct SetProtection {
  std::string workload;
  std::optional<Time> preempt, reclaim;
  bool operator==(const SetProtection&) const = default;
};

// A Workload's condition Broken: since then pods that its minimum lacks cannot be placed, and by
// which action it will be stopped for that; absent: it is not so any more.
struct SetBroken {
  std::string workload;
  std::optional<Time> since;
  std::string action;
};

// A Workload's condition Inactive: it is not active, or is again since now.
struct SetInactive {
  std::string workload;
  bool inactive = false;
};

// A pod's PodScheduled=False: it has had no scheduling gates since now, and waits.
struct SetUngated {
  std::string pod;
};

// A condition of a native PodGroup (scheduling.k8s.io), by what it means: its type is one of
// kGroupScheduled and kDisruptionTarget, and its time the writer's (effects/group_status.h).
struct SetGroupCondition {
  std::string group;  // "namespace/name"
  objects::Condition condition;
};
inline constexpr std::string_view kGroupScheduled = "PodGroupInitiallyScheduled";
inline constexpr std::string_view kDisruptionTarget = "DisruptionTarget";

// A Workload's condition Finished=True.
struct FinishWorkload {
  std::string workload;
  bool job_says_so = false;  // succeeded or failed; else its pods have succeeded
};

// status.used and the conditions of an ElasticQuota, all of them; their times are the writer's
// (WithTimes in conditions.h).
struct SetQuotaStatus {
  std::string quota;  // "namespace/name"
  objects::ResourceList used;
  std::vector<objects::Condition> conditions;
};

// Only an event, for whoever looks after an object.
struct Warn {
  std::string kind;
  std::string object;
  std::string reason;  // a code
  std::string note;
};

// What people read of it. REQUIRES: it is broken.
std::string BrokenText(const SetBroken& set);

using Write =
    std::variant<BindPod, EvictPod, NominatePod, ReserveNode, SetReservation, SetLandings, SetMoved,
                 SetLoan, AdmitWorkload, StopWorkload, SetStartTime, SetProtection, SetBroken,
                 SetInactive, SetUngated, FinishWorkload, SetQuotaStatus, SetGroupCondition, Warn>;

// The plan's decisions as writes, in their order. `book` tells which workloads lose all their pods:
// those that announce their admission (Workload objects and suspended Jobs) are stopped.
// Cost: O(decisions); strings are moved.
std::vector<Write> WritesOf(engine::DecisionReports decisions, const WorkloadBook& book);
// The same one by one, for those who keep none: a round may decide ten thousand.
void ForEachWrite(engine::DecisionReports decisions, const WorkloadBook& book,
                  const std::function<void(Write&&)>& take);

// What an admission records of a pod set. Kueue's flavors stand apart: "cpu[spot]" is the flavor
// spot of cpu.
objects::PodSetAssignment AssignmentOf(const engine::PodSetCount& pod_set);

// What Kubernetes users see of a write: an event that regards `object`.
struct EventText {
  std::string kind;  // Pod, Workload, ElasticQuota
  std::string object;
  std::string_view type;  // Normal, Warning; it lives for ever, as does the action
  std::string reason;
  std::string_view action;
  std::string note;
};
// Absent for writes that need no event.
std::optional<EventText> EventOf(const Write& write);

// A condition of a pod's status that is written.
struct ConditionText {
  // PodScheduled, DisruptionTarget, fairlead.dev/NodeReserved, fairlead.dev/OnLoan,
  // fairlead.dev/GpuDevice, fairlead.dev/WaitingForVolumes
  std::string_view type;
  std::string reason;
  std::string message;
  bool holds = true;
};
// One that the write sets to True.
std::optional<ConditionText> PodConditionOf(const Write& write);
// Which device the pod shares; absent: it shares none.
std::optional<ConditionText> DeviceConditionOf(const BindPod& bind);
// It has its node, and waits for volumes of its own or of others of its workload; or does not any
// more, for they are bound, or, where `trouble` says why, cannot be.
ConditionText WaitsForVolumes(const BindPod& bind);
ConditionText WaitsNoMore(std::string_view node, std::string_view trouble);

}  // namespace fairlead::effects
