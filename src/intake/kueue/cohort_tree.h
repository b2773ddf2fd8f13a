#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "intake/kueue/flavors.h"
#include "intake/kueue/objects.h"

namespace fairlead::intake {

// ClusterQueues and Cohorts as a tree, and how much each may use (cohort_tree.cc says how).
//
// - A cohort that is only named is there, too, with the oldest of its ClusterQueues' times.
// - Cohorts on a cycle, or below one, are not `reached` and have sums of nothing.
//
// A value: it depends on the objects and their flavors alone. Holds pointers into `objects`.
// Cost: O(quotas of all members × depth).
class CohortTree {
 public:
  struct Node {  // a cohort, there as an object or named only; or a ClusterQueue
    const KueueRow<objects::Cohort>* row = nullptr;
    std::string parent;
    std::set<std::string> members, children;  // ClusterQueues, cohorts
    KueueQuotas own;
    Sums nominal;                           // of its subtree
    Sums reach;                             // beyond which it cannot go, whatever it may borrow
    Sums cap;                               // the same, where somebody keeps something from it
    std::map<std::string, Sums> by_flavor;  // nominal of the subtree, resource → flavor
    std::map<std::string, Sums> users;      // ClusterQueues of the subtree, resource → flavor
    Time created = Time::Max();             // the oldest member's, where it is no object
    bool reached = false;                   // from a root: on no cycle
  };
  using Nodes = std::map<std::string, Node, std::less<>>;

  CohortTree(const KueueObjects& objects, const Flavors& flavors);

  const Nodes& cohorts() const { return cohorts_; }
  // REQUIRES: a ClusterQueue of the name is there.
  const Node& ClusterQueue(const std::string& name) const { return members_.at(name); }
  // The cohort at its top; null: it is in none, or there is no top.
  const Node* RootOf(const Node& member) const;

  // A cohort's limit in a resource; none: it borrows as much as there is.
  std::optional<std::int64_t> LimitOfCohort(const Node& cohort, const std::string& resource) const;
  // A ClusterQueue's in one of its `own` quotas.
  std::optional<std::int64_t> LimitOfMember(const Node& member, const std::string& resource) const;

  // What it keeps of a resource for itself, whoever asks.
  static std::int64_t KeptOf(const Node& node, const std::string& resource);
  // How many others are in its cohort.
  std::size_t Siblings(const Node& node) const;

 private:
  void AddMember(const std::string& name, const KueueRow<objects::ClusterQueue>& row,
                 const Flavors& flavors);
  void AddCohort(const std::string& name, const KueueRow<objects::Cohort>& row,
                 const Flavors& flavors);
  std::vector<std::string> Order();
  void AddUp(Node& cohort);
  void Divide(Node& cohort);
  template <typename Visit>
  void ForEachBelow(const Node& cohort, Visit visit);

  Nodes members_, cohorts_;
};

}  // namespace fairlead::intake
