#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::account {

// Lets all work that arrives later (fairlead.dev/arrives-at) come up to `most` later still, by
// whole seconds drawn from `seed`: the same work, met by other coincidences. A Workload and the
// pods that name it stay together. What is there from the start stays so, and nodes come when they
// came.
void Jitter(std::vector<objects::Object>& objects, std::uint64_t seed, Duration most);

}  // namespace fairlead::account
