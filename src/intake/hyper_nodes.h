#pragma once

#include "objects/read/reader.h"

namespace fairlead::intake {

// Volcano's kind HyperNode.
const objects::DecoderTable& HyperNodeDecoders();

}  // namespace fairlead::intake
