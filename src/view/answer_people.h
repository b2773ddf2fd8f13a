#pragma once

#include <string>

#include "view/view.h"

namespace fairlead::view {

// In whose name work waits and runs, by name; of work that nobody is known for the name is empty.
// `allocated`: what its pods have; `waiting`: what its work that waits asks.
// Cost: O(workloads + pods).
std::string AnswerUsers(const View& view);

// What workloads can be filtered by, each with how many there are of it: namespaces, queues, users,
// and of those that wait reasons. By name. Cost: O(workloads).
std::string AnswerFacets(const View& view);

}  // namespace fairlead::view
