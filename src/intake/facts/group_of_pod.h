#pragma once

#include <string>
#include <string_view>

#include "objects/objects.h"

namespace fairlead::intake {

// The group that a pod says it is of, whichever system's words it uses (objects/pod_groups.h).
// Views are of the pod.
struct GroupOfPod {
  objects::GroupApi api = objects::GroupApi::kNone;
  std::string_view name;
  std::string_view part;   // which of the group's pod sets; empty: it does not say
  std::string_view total;  // of Kueue's: how many pods the group has, as it says it
  std::string others;      // where it names other groups besides: by what, and which
};

// The first counts where it names several. Cost: ≈ 1 ns a key, where it names none.
GroupOfPod FindGroupOf(const objects::Pod& pod);

}  // namespace fairlead::intake
