#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "state/change.h"

namespace fairlead::intake {

// What the engine was told of a pod, for people who ask by name. Views are good until something
// changes.
struct ToldPod {
  bool alone = false;         // a workload of one pod, named after it
  std::string_view workload;  // "namespace/name", unless alone; foreign: ""
  std::string_view node;
  state::NeedsPtr needs;
  state::PodState state = state::PodState::kPending;
  bool foreign = false;
  bool gated = false;
  bool terminating = false;
  Time created;
  std::optional<Time> scheduled_time;
  // Of the workload that it is alone.
  std::string_view queue;
  std::int32_t priority = 0;
  bool preemptible = true;
};

// What the API server shows of a pod, whoever's it is, for those who write to it.
struct ShownPod {
  std::string uid;
  bool bound = false, terminating = false;
  Duration grace;  // its own, from an eviction to the end of its containers
};

}  // namespace fairlead::intake
