#pragma once

#include <string>

#include "base/time.h"

namespace fairlead::kube {

// Kubernetes' MicroTime: "2026-01-02T03:04:05.000600Z", always six digits behind the point. Leases
// and events have it; other times have whole seconds.
std::string MicroTimeText(Time time);

}  // namespace fairlead::kube
