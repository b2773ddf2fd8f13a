#pragma once

#include <string>

#include "objects/pod.h"

namespace fairlead::objects {

// A text that is equal for two needs exactly when the needs are equal, whatever the order in which
// they were built. Not for people.
std::string CanonicalKey(const PodNeeds& needs);
std::string CanonicalKey(const VolumeAsk& ask);

}  // namespace fairlead::objects
