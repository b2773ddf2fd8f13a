#pragma once

#include <vector>

#include "account/topology_notes.h"
#include "intake/intake.h"

namespace fairlead::trace {

// The Topologies that are there, as a ledger wants them.
std::vector<account::NamedTopology> NamedTopologies(const intake::Intake& intake);

}  // namespace fairlead::trace
