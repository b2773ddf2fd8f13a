#pragma once

#include "objects/read/reader.h"

namespace fairlead::intake {

// Kueue's and KAI Scheduler's kinds Topology, as ours.
const objects::DecoderTable& OtherTopologyDecoders();

}  // namespace fairlead::intake
