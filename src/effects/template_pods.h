#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "objects/meta.h"

// Pods that are made from the templates of a Workload: what every one carries beside what its
// template says, and which of too many leave. Whoever carries out decides when.

namespace fairlead::effects {

// Their names are this, a "-" and an index, the lowest that nobody has: "trainer-worker-0".
// `workload` without its namespace.
std::string TemplatePodStem(std::string_view workload, std::string_view pod_set);
// Their labels, beside those of the template. (spec.schedulerName is ours where it says none.)
objects::Labels TemplatePodLabels(std::string_view workload, std::string_view pod_set);

// One of too many.
struct SurplusPod {
  bool bound = false;
  Time scheduled = Time::Max(), created = Time::Max();  // Max(): not known
  std::int32_t index = -1;                              // in its name; -1: it has none
  std::string_view name;
};
// Unbound ones, then the youngest, then the highest index leave first. A strict order of different
// names.
bool LeavesBefore(const SurplusPod& a, const SurplusPod& b);

}  // namespace fairlead::effects
