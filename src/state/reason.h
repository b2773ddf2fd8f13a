#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace fairlead::state {

// Why something stays pending. The names are part of the interface (interface.md §2, plan).
enum class ReasonCode : std::uint8_t {
  kQueueNotFound,
  kQueueNotReady,
  kQueueNotAllowed,
  kWorkloadNotFound,
  kNotInAdmittedCount,
  kOtherScheduler,
  kDisruptionBudget,
  kQueueLimit,
  kNonPreemptibleOverGuarantee,
  kNoNodeFits,
  kGangDoesNotFit,
  kWaitingForVictims,
  kNotEntitled,
  kVictimsProtected,
  kLossTooGreat,
  kRequiredNodeNotFound,
  kReservationTooYoung,
  kNoVictims,
  kUnsupportedConstraint,
  kVolumeNotReady,
  kWaitingForPods,
  kGroupInvalid,
  kTopologyNotFound,
  kTopologyBroken,
  kRoomReserved,
  kInWindow,
  kUserLimit,
  kStopped,
  kRoomByMoves,
  kNotLent,
};
std::string_view ToString(ReasonCode code);

// One reason as data: a message for people and fields for programs. Absent fields are empty.
struct Reason {
  ReasonCode code = ReasonCode::kNoNodeFits;
  std::string message;
  std::string queue;
  std::string resource;
  std::string requested;  // canonical quantity
  std::string available;  // canonical quantity
  std::string field;
  std::string node;
  std::string budget;  // "namespace/name" of the disruption budget that stands in the way
  std::string holder;  // "namespace/name" of the workload for which room is kept; printed as "for"
  std::string window;  // its name: its nodes are closed
  std::string user, group;             // of kUserLimit: one of them
  std::string limit;                   // "nvidia.com/gpu=8", "maxRunning=5", "maxWaiting=50"
  std::vector<std::string> filled_by;  // workloads that have what it allows, the oldest first
  std::optional<Time> until;
  std::optional<bool> proven;  // false: the answer is not a proof
  bool operator==(const Reason&) const = default;
};

// Of work that ran as long as it may: "it ran 8h, its limit; it is kept out until it is edited".
std::string KeptOutText(std::string_view why);

}  // namespace fairlead::state
