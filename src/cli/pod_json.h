#pragma once

#include <boost/json/fwd.hpp>

#include "objects/pod.h"

namespace fairlead::cli {

// The spec of a pod that no document was read for, so that reading it gives the same demands: all
// containers as one. What the engine does not honour yet is left out.
boost::json::object PodSpecToJson(const objects::PodSpec& spec);

boost::json::object PodStatusToJson(const objects::Pod& pod);

}  // namespace fairlead::cli
