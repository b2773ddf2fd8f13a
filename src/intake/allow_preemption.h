#pragma once

#include <string_view>

#include "objects/meta.h"

namespace fairlead::intake {

// What an object says about giving way to DaemonSets' pods (semantics.md §7): its labels and
// annotations `allow-preemption`, YuniKorn's or ours.
struct AllowPreemption {
  bool opted_out = false;    // one of them is "false"; nothing else counts, in this spelling only
  std::string_view invalid;  // the first that is neither "true" nor "false"
};

// The view points into `meta`. Cost: a look at the length of each key, no allocation.
AllowPreemption AllowPreemptionOf(const objects::Meta& meta);

}  // namespace fairlead::intake
