#pragma once

#include <string>
#include <string_view>

#include "view/view.h"

// In whose name pods hold what they have.

namespace fairlead::view {

struct HolderKind {
  std::string_view name;
  // Empty: it is another scheduler's, or nobody is known. REQUIRES: HoldsRoom(pod).
  std::string_view (*of)(const Tables& tables, const PodRow& pod);
};

// queue, namespace, user, workload, pod. Null: there is no such kind.
const HolderKind* FindHolderKind(std::string_view name);
// "queue, namespace, user, workload, pod", for messages.
std::string HolderKindNames();

// On its node, and not only to be there.
inline bool HoldsRoom(const PodRow& pod) {
  return pod.node != kNone && pod.state != PodState::kClaiming && pod.request != nullptr;
}

}  // namespace fairlead::view
