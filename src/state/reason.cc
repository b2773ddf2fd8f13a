#include "state/reason.h"

#include <array>

#include <fmt/format.h>

namespace fairlead::state {

std::string_view ToString(ReasonCode code) {
  static constexpr std::array<std::string_view, 30> kNames = {"QueueNotFound",
                                                              "QueueNotReady",
                                                              "QueueNotAllowed",
                                                              "WorkloadNotFound",
                                                              "NotInAdmittedCount",
                                                              "OtherScheduler",
                                                              "DisruptionBudget",
                                                              "QueueLimit",
                                                              "NonPreemptibleOverGuarantee",
                                                              "NoNodeFits",
                                                              "GangDoesNotFit",
                                                              "WaitingForVictims",
                                                              "NotEntitled",
                                                              "VictimsProtected",
                                                              "LossTooGreat",
                                                              "RequiredNodeNotFound",
                                                              "ReservationTooYoung",
                                                              "NoVictims",
                                                              "UnsupportedConstraint",
                                                              "VolumeNotReady",
                                                              "WaitingForPods",
                                                              "GroupInvalid",
                                                              "TopologyNotFound",
                                                              "TopologyBroken",
                                                              "RoomReserved",
                                                              "InWindow",
                                                              "UserLimit",
                                                              "Stopped",
                                                              "RoomByMoves",
                                                              "NotLent"};
  return kNames[static_cast<std::size_t>(code)];
}

std::string KeptOutText(std::string_view why) {
  return fmt::format("it {}; it is kept out until it is edited", why);
}

}  // namespace fairlead::state
