#pragma once

#include "objects/read/reader.h"

namespace fairlead::intake {

// The kinds PodGroup of Kubernetes itself, KAI Scheduler, coscheduling and Volcano, in every
// version in which they are served.
const objects::DecoderTable& PodGroupDecoders();

}  // namespace fairlead::intake
