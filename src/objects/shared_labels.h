#pragma once

#include "base/rare.h"
#include "objects/meta.h"

namespace fairlead::objects {

// What a node says, which several keep.
using SharedLabels = SharedList<Labels>;
using SharedResources = SharedList<ResourceList>;

}  // namespace fairlead::objects
