#pragma once

#include "cli/remote.h"
#include "cli/targets.h"
#include "show/output.h"

namespace fairlead::cli {

// All that a running cluster has to say of one object. Of work, what `explain` says; of a node or a
// queue its document, and what is there. REQUIRES: `target` has a name.
Remote<void> Describe(const Target& target, const Scope& scope, show::Output& output);

}  // namespace fairlead::cli
