#pragma once

#include "base/id.h"

namespace fairlead::virtual_cluster {

// Where the store keeps one object (virtual/store.h).
using SlotId = Id<struct SlotTag>;

}  // namespace fairlead::virtual_cluster
