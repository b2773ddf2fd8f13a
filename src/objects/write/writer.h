#pragma once

#include <boost/json/fwd.hpp>

#include "objects/objects.h"

namespace fairlead::objects {

// An object as a document of its kind: apiVersion, kind, metadata, spec, status, as far as they are
// held. Reading it gives an equal object, its source aside. A pod's request is written as that of
// one container, and a demand that is not honoured yet as the least that demands it.
//
// What came from a dialect is written in our words.
boost::json::value ToJson(const Object& object);

// "v1", "batch/v1", "fairlead.dev/v1alpha1".
std::string_view ApiVersionOf(const Object& object);

}  // namespace fairlead::objects
