#pragma once

#include <vector>

#include "engine/place/placer.h"
#include "state/cluster.h"
#include "state/trial.h"

namespace fairlead::engine {

// Releases the claims of these pods of one workload and puts each where it was, now or later, in an
// order in which each is let in; leaves them in that order. False where there is none, as far as it
// looks: those that are spread come first, as the others may stand in their way.
// REQUIRES: for later, the workload is favoured (state/favour.h).
bool PutInPlace(Placer& placer, const state::Cluster& cluster, std::vector<state::PodId>& pods,
                state::When when, state::Trial& trial);

}  // namespace fairlead::engine
