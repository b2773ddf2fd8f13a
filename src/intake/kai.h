#pragma once

#include "objects/read/reader.h"

namespace fairlead::intake {

// KAI Scheduler's objects, read as they are (interface.md §1): scheduling.run.ai/v2 Queue becomes a
// Queue, scheduling.run.ai/v2alpha2 PodGroup a Workload. That pods name their PodGroup by an
// annotation is in pod_traits.h, what a PodGroup leaves to its priority in gang_traits.cc.
const objects::DecoderTable& KaiDecoders();

}  // namespace fairlead::intake
