#pragma once

#include <span>
#include <vector>

#include "objects/meta.h"

namespace fairlead::effects {

// A condition's time says since when it holds, or does not: other words leave it as it is. Each of
// `fresh` gets the time of the one of its type in `shown` that holds like it, else `now`.
std::vector<objects::Condition> WithTimes(std::vector<objects::Condition> fresh,
                                          std::span<const objects::Condition> shown, Time now);

// Puts one condition among those of its object, its time as by WithTimes. False: it stood there
// already, or is not to hold and never did, which is not written.
bool SetCondition(objects::Condition fresh, std::vector<objects::Condition>& conditions, Time now);

}  // namespace fairlead::effects
