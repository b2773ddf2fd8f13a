#pragma once

#include <vector>

#include "intake/intake.h"
#include "view/view.h"

namespace fairlead::host {

// The Topologies that are there, as the view has them; which are asked for it finds itself.
std::vector<view::Topology> TopologiesOf(const intake::Intake& intake);

}  // namespace fairlead::host
