#pragma once

#include "objects/read/reader.h"

namespace fairlead::intake {

// Kueue's objects, v1beta1 and v1beta2, read as they are (interface.md §1): ClusterQueue, Cohort,
// LocalQueue and ResourceFlavor as objects of their own, of which model.h makes queues;
// WorkloadPriorityClass;
// Workload (decode_workload.cc) as a Workload. What they ask that cannot be followed is kept as a
// field path, for a condition.
const objects::DecoderTable& KueueDecoders();

// The dialect_kind of a Workload that came from Kueue.
inline constexpr std::string_view kKueueWorkloadKind = "Kueue Workload";

void DecodeKueueWorkload(const objects::Value& document, std::string_view file,
                         objects::Manifest& into);

}  // namespace fairlead::intake
