#pragma once

#include <cstdint>

namespace fairlead::state {

// Whether a DaemonSet controls a pod, and is one whose pods have powers (semantics.md §7).
enum class OfDaemonSet : std::uint8_t {
  kNo,
  kTrusted,
  kUntrusted,  // its namespace is not trusted: the pod is one like any other
  kMissing,    // there is no such DaemonSet: likewise
};

}  // namespace fairlead::state
