#pragma once

#include <boost/json.hpp>

#include "objects/kueue.h"

// What follows the metadata of Kueue's objects, in the form of v1beta2. What is not supported is
// not kept, so it is not written either.

namespace fairlead::objects {

void WriteBody(const ClusterQueue& queue, boost::json::object& into);
void WriteBody(const Cohort& cohort, boost::json::object& into);
void WriteBody(const LocalQueue& queue, boost::json::object& into);
void WriteBody(const ResourceFlavor& flavor, boost::json::object& into);
void WriteBody(const WorkloadPriorityClass& priority_class, boost::json::object& into);

}  // namespace fairlead::objects
