#pragma once

#include <string>
#include <vector>

#include "engine/scheduler.h"

namespace fairlead::bench {

// KAI's consolidation, written again after its sources (consolidation.go at 34bd0f9c and
// by_pod_solver.go at a7ea17c6; newer ones go by doubling), to be measured against. Who waits, the
// oldest first, has others move where what is free in sum would do. Pod by pod of it, work that
// runs is asked, the latest comer first and whoever came after it with it; those on the node of the
// last that was asked leave, and it is enough where the pods have room and all who left find a
// place. Everybody may be asked: no budget, no minimum runtime, no cooldown, no bound on what is
// lost; nothing is held for who moves, nor for whom he moved.
//
// No option of the product. What its default is beside that (about 16 are asked at most) is left
// out, and was not measured. What it leaves to chance, the name decides. Nobody stays who has
// shares of a device.
//
// The pods ("namespace/name") that are to go now, for all who wait.
std::vector<std::string> MoversOfEverybody(const engine::Scheduler& scheduler);

}  // namespace fairlead::bench
