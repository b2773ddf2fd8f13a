#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/kueue/flavor_demand.h"
#include "intake/kueue/objects.h"
#include "intake/kueue/problem.h"
#include "objects/objects.h"
#include "state/change.h"

namespace fairlead::intake {

// Kueue's objects about quota as queues of ours. The queues are a function of the objects alone, so
// that the order in which these come cannot matter; they are made anew when one of them changed.
// Cost: O(all of Kueue's quota objects), of which there are as many as teams, not as jobs.

// A queue that stands for a ClusterQueue, for those who join work with it.
struct KueueLeaf {
  std::string cluster_queue;
  std::optional<objects::LabelSelector> name_spaces;  // whose work may come; absent: nobody's
  std::shared_ptr<const FlavorDemands> demands;       // null: none
  std::vector<std::string> topologies;                // that its flavors name
  bool drains = false;                                // what it has admitted is stopped
  bool operator==(const KueueLeaf& other) const;      // of what the demands say
};

// Where a LocalQueue leads.
struct KueueLocal {
  std::string queue;
  std::optional<state::Reason> hold;  // nothing new starts by it
  bool drains = false;                // what came by it is stopped
  bool operator==(const KueueLocal&) const = default;
};

struct KueueModel {
  std::map<std::string, state::QueueChange, std::less<>> queues;
  std::map<std::string, KueueLeaf, std::less<>> leaves;   // by queue
  std::map<std::string, KueueLocal, std::less<>> locals;  // by "namespace/name"
  std::vector<CountedFlavor> counted;                     // by name
  std::vector<KueueProblem> problems;
};

// `is_taken`: names that queues of others have. A ClusterQueue's queue has its name, or is
// "cluster-queues/NAME" where that is taken; a Cohort's comes after those, as "cohorts/NAME".
KueueModel MakeKueueModel(const KueueObjects& objects,
                          const std::function<bool(std::string_view)>& is_taken,
                          std::string_view default_queue);

}  // namespace fairlead::intake
