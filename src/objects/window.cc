#include "objects/window.h"

#include <algorithm>

#include "objects/selector.h"

namespace fairlead::objects {

bool Matches(const Window& window, const Labels& labels, const std::string& node_name) {
  if (!window.node_selector.empty()) return HasAll(labels, window.node_selector);
  return std::ranges::find(window.nodes, node_name) != window.nodes.end();
}

}  // namespace fairlead::objects
