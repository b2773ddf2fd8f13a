#pragma once

#include <cstdint>
#include <string_view>

namespace fairlead::policy {

// Why work of others has to go (semantics.md §4): room is reclaimed from other queues, or taken
// from lower priorities of the same queue.
enum class RoomAction : std::uint8_t { kReclaim, kPreempt };

// As decisions name it: "Reclaim", "Preempt".
constexpr std::string_view ToString(RoomAction action) {
  return action == RoomAction::kReclaim ? "Reclaim" : "Preempt";
}

}  // namespace fairlead::policy
