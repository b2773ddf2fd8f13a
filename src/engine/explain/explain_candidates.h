#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scheduler.h"
#include "policy/preference.h"

namespace fairlead::engine {

// A node that fits, and what its pod's preferences make of it (policy/preference.h).
struct CandidateReport {
  std::string node;
  std::int64_t preferred = 0;  // weighed points of all kinds: 0 to 900
  policy::RawPreference raw;
  std::array<std::int64_t, policy::kPreferences> points{};  // by kind: 0 to 100
};

struct CandidatesReport {
  std::string pod;                     // empty: one that is yet to be made
  std::vector<CandidateReport> nodes;  // that hold it now, the best first
};

// Of a pod that waits, or of the first of a workload that does. Nothing: none waits. All points are
// 0 where the pod has no preferences, or the configuration weighs none. Cost: O(nodes).
std::optional<CandidatesReport> ReportCandidates(const Scheduler& scheduler, std::string_view name);

}  // namespace fairlead::engine
