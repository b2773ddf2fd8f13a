#pragma once

#include "objects/read/reader.h"

namespace fairlead::intake {

// KAI Scheduler's queues, read as they are (interface.md §1): scheduling.run.ai/v2 Queue becomes a
// Queue. Its PodGroup is in pod_groups.h, with those of others.
const objects::DecoderTable& KaiDecoders();

}  // namespace fairlead::intake
