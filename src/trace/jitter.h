#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::trace {

// Lets every object that arrives later (fairlead.dev/arrives-at) come up to `most` later still, by
// whole seconds drawn from `seed`: the same work, met by other coincidences. What is there from the
// start stays so.
void Jitter(std::vector<objects::Object>& objects, std::uint64_t seed, Duration most);

}  // namespace fairlead::trace
