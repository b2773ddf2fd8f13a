#pragma once

#include <string_view>

#include "effects/writes.h"
#include "virtual/world.h"

// How a pod comes to its node:
//
//   decided ─► its volumes are asked for ─Delays::volumes─► bound
//                                      └─ released ─► waits again
//
// Of a workload whose pods wait for volumes none is bound before all of them can be; where one
// cannot, nobody is, and what was asked for is taken back.

namespace fairlead::virtual_cluster {

// At once where no volume is waited for, or volumes take no time.
void Bind(World& world, effects::BindPod& bind);
// All whose volumes are due by now.
void BindWaiting(World& world);
// The node goes: of a workload that waits for volumes there nobody is bound.
void FailBindingsOn(World& world, std::string_view node);
// The pod goes, or yields: whether its binding waited, which it does no more.
// Cost: O(bindings that wait).
bool ReleaseBinding(World& world, std::string_view pod);

}  // namespace fairlead::virtual_cluster
