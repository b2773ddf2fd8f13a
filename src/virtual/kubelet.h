#pragma once

#include <cstdint>
#include <string_view>

#include "virtual/agenda.h"
#include "virtual/world.h"

// The fake kubelets: what happens to a pod once it is there.
//
//   appears ─► bound ─Delays::start─► Running ─run-duration─► Succeeded
//      └──────────┴─── evicted, deleted ─────grace──► gone

namespace fairlead::virtual_cluster {

// A stored pod (new, or from the input in any state) begins its life. REQUIRES: owner attached.
void StartPod(World& world, SlotId pod);

// Carries a binding out. False: the pod is bound, finished or on its way out, or the node is not
// there; nothing was done.
bool BindPodTo(World& world, SlotId pod, std::string_view node, std::int32_t gpu_device);

// It goes after `grace`, or after `at_most` where that is less, at once where it is not bound.
// Nothing, where it is going already.
void TerminatePod(World& world, SlotId pod, Duration at_most = Duration::Max());

// It is gone now: its object is removed.
void RemovePod(World& world, SlotId pod);

// A node's object is gone, and with it the pods on it, by name. Finished ones stay, as a record.
void RemovePodsOn(World& world, std::string_view node);

// kRun, kFinish and kGone, which StartPod and the others planned. REQUIRES: the task's object is
// still there.
void HandlePodTask(World& world, const Task& task);

}  // namespace fairlead::virtual_cluster
