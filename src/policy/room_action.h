#pragma once

#include <cstdint>
#include <string_view>

namespace fairlead::policy {

// Why work of others has to go: room is reclaimed from other queues, or taken from lower priorities
// of the same queue (semantics.md §4), or made on the one node of a DaemonSet's pod (§7). Or it has
// to go for nobody: it ran as long as it may (time.md §1), its nodes are not for it from now on
// (§4), or pods that its minimum lacks cannot be placed (§6), or not near the others (demands.md
// §7). Or it goes on elsewhere, where room is held for it (time.md §6).
enum class RoomAction : std::uint8_t {
  kReclaim,
  kPreempt,
  kDaemonSet,
  kRunTimeLimit,
  kWindow,
  kTopologyBroken,
  kStaleGang,
  kConsolidate
};
inline constexpr RoomAction kRoomActions[] = {RoomAction::kReclaim,   RoomAction::kPreempt,
                                              RoomAction::kDaemonSet, RoomAction::kRunTimeLimit,
                                              RoomAction::kWindow,    RoomAction::kTopologyBroken,
                                              RoomAction::kStaleGang, RoomAction::kConsolidate};

// All of a gang goes since pods that it lost cannot come back.
constexpr bool IsOfBrokenGang(RoomAction action) {
  return action == RoomAction::kTopologyBroken || action == RoomAction::kStaleGang;
}

// As decisions name it: "Reclaim", "Preempt", …
constexpr std::string_view ToString(RoomAction action) {
  switch (action) {
    case RoomAction::kReclaim:
      return "Reclaim";
    case RoomAction::kPreempt:
      return "Preempt";
    case RoomAction::kDaemonSet:
      return "DaemonSet";
    case RoomAction::kRunTimeLimit:
      return "RunTimeLimit";
    case RoomAction::kWindow:
      return "Window";
    case RoomAction::kTopologyBroken:
      return "TopologyBroken";
    case RoomAction::kStaleGang:
      return "StaleGang";
    case RoomAction::kConsolidate:
      return "Consolidate";
  }
  return "";
}

}  // namespace fairlead::policy
