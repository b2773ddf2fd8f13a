#pragma once

#include <map>
#include <string>

#include "view/answer.h"

namespace fairlead::view {

// Nodes by name, in columns. Parameters, all optional:
//   by=KIND     also who holds how much of `resource` (absent: the main one) on each node
//               (view/holders.h)
//   label=KEY   also the value of that label
// Cost: O(nodes), with `by` O(nodes + pods).
tl::expected<std::string, Refused> AnswerNodes(
    const View& view, const std::map<std::string, std::string>& parameters);

// One node and its pods.
tl::expected<std::string, Refused> AnswerNode(const View& view, const std::string& name);

// Labels that part the nodes into some groups, those that people know first: what nodes may be
// grouped by. Cost: O(nodes × labels).
std::string AnswerLabels(const View& view);

}  // namespace fairlead::view
