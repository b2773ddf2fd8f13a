#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "intake/kueue/cohort_tree.h"
#include "intake/kueue/flavors.h"
#include "intake/kueue/problem.h"
#include "objects/objects.h"

namespace fairlead::intake {

// Why nothing starts in a ClusterQueue; empty: something may.
std::string WhyStopped(const objects::ClusterQueue& queue, const Flavors& flavors);

// Looks at one object at a time for what cannot be followed, is only followed in part, or says
// nothing where it stands. Problems come in the order in which they are found.
// Cost: O(what the object says).
class KueueProblems {
 public:
  KueueProblems(const Flavors& flavors, const CohortTree& tree) : flavors_(flavors), tree_(tree) {}

  void LookAt(const std::string& name, const CohortTree::Node& cohort);  // one that is an object
  // `queue_name`: of the queue that it became.
  void LookAt(const std::string& name, const objects::ClusterQueue& queue,
              std::string_view queue_name);
  // `leads_nowhere`: its ClusterQueue is not there, nor a queue of that name.
  void LookAt(const std::string& key, const objects::LocalQueue& queue, bool leads_nowhere);
  void LookAt(const std::string& name, const objects::ResourceFlavor& flavor);

  std::vector<KueueProblem> Take() { return std::move(found_); }

 private:
  class Teller;  // of one object

  void Groups(const std::vector<objects::ResourceGroup>& groups, Teller tell) const;
  void Kept(const CohortTree::Node& node, Teller tell) const;

  const Flavors& flavors_;
  const CohortTree& tree_;
  std::vector<KueueProblem> found_;
};

}  // namespace fairlead::intake
