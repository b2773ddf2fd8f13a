#pragma once

#include <optional>

#include "account/ledger.h"

namespace fairlead::account {

// How many of the GPUs that are there nobody can use, in percent of all of them: the mean over
// kMoments moments, the ends of as many equal parts of the run (Weng et al., "Beware of
// Fragmentation", ATC'23, §4). At each the free part of every node's devices is weighed for every
// kind of pod, by how many pods of the run are of it: all of it where the pod finds no room on the
// node, else what is free on devices with too little for it. A pod without GPUs can use none.
// CPU and GPUs count; labels, taints and memory do not. Empty: there are no GPUs.
// Cost: moments × nodes × kinds of pods.
inline constexpr int kMoments = 100;
std::optional<double> FragmentationOf(const Ledger& ledger);

}  // namespace fairlead::account
