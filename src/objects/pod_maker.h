#pragma once

#include "objects/meta.h"

namespace fairlead::objects {

// Who makes pods like this one, again and again: who manages it, but for what only stands behind
// it, its node (a static pod) or another pod. Null: nobody.
const OwnerReference* PodMakerOf(const Meta& pod);

}  // namespace fairlead::objects
