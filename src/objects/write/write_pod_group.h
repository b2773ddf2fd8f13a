#pragma once

#include <boost/json.hpp>

#include "objects/objects.h"

// What follows the metadata of a PodGroup, in the words of the system that it is of. Of what is not
// supported there is so much that it is found to be so when it is read again.

namespace fairlead::objects {

void WriteBody(const PodGroup& group, boost::json::object& into);

}  // namespace fairlead::objects
