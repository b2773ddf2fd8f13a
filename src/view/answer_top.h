#pragma once

#include <map>
#include <string>

#include "view/answer.h"

namespace fairlead::view {

// Who holds most. Parameters, all optional:
//   by=workload|pod|queue|namespace|user|node   whose amounts are summed (absent: workload)
//   namespace=NS                                of work in it only
//   sort=name|RESOURCE                          most of it first; absent: the largest part of
//                                               anything, of the node's or the whole cluster's
//   limit=N                                     so many rows at most (absent: 100)
// Cost: O(pods), by node O(nodes).
tl::expected<std::string, Refused> AnswerTop(const View& view,
                                             const std::map<std::string, std::string>& parameters);

}  // namespace fairlead::view
