#include <fmt/format.h>

#include "intake/findings/findings_pass.h"

// What is wrong with windows: they mean no node, or are for queues that are not there.

namespace fairlead::intake {

void FindingsPass::OfWindows() {
  for (const auto& [name, window] : known_.windows.all()) {
    bool any_node = false;
    tables_.nodes.ForEach([&](NodeId, const NodeRow& row) {
      any_node |= row.in_pool && objects::Matches(window, row.change.labels, row.name);
    });
    if (pool_nodes_ > 0 && !any_node) {
      Add("Window " + name, window.meta.source, "WindowWithoutNodes",
          "it means none of the nodes: it closes nothing");
    }
    for (const std::string& queue : window.queues) {
      if (known_.queues.Find(queue)) continue;
      Add("Window " + name, window.meta.source, "WindowQueueNotFound",
          fmt::format("it is for queue {}, which is not there", queue));
    }
  }
}

}  // namespace fairlead::intake
