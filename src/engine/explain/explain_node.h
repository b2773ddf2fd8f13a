#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/report.h"
#include "engine/room/daemon_set_room.h"
#include "engine/scheduler.h"
#include "state/reason.h"

namespace fairlead::engine {

// Why a DaemonSet's pod for which its node is reserved does not run yet: others are still leaving,
// the reservation is too young, or nobody is found who could leave.
// REQUIRES: policy::PinnedTo(p) is valid, and the pod claims its room.
state::Reason NodeReason(const Scheduler& scheduler, state::PodId p, Time now);

// A pod of the node, and what comes of it.
struct NeighbourReport {
  std::string pod;  // "namespace/name"
  std::string
      verdict;  // Chosen, NotNeeded, Protected, …: src/engine/explain/explain_node.cc has them all
  std::string giving_class;  // of those that may be asked: regular, owner, optedOut
  std::int32_t priority = 0;
  std::optional<Time> until;  // Protected
  std::string message;
};

struct NodeReport {
  std::string node;
  Quantities lacking;         // that must come free beyond what is leaving already
  std::optional<Time> since;  // when the node was reserved
  Time from;                  // when others may be asked to leave
  std::string strategy;       // by which somebody was chosen: single, multiple; empty: nobody was
  std::vector<NeighbourReport> pods;  // by name
};

// For each pod of the node why it has to leave for `p`, or has not. Judged as of the moment at
// which others may be asked, as if what the last plan decided were undone. REQUIRES: as NodeReason.
NodeReport ReportNode(const Scheduler& scheduler, state::PodId p, Time now);

}  // namespace fairlead::engine
