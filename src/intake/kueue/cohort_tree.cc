// ClusterQueues and Cohorts as a tree of queues.
//
//   cohort all {nominal 2}             queue all: guaranteed = limit = 2 + 6 + 4 = 12
//     cohort team, borrowingLimit 1      queue team: guaranteed 6, limit 7
//       ClusterQueue x {nominal 6}         queue x: guaranteed 6, no limit
//     ClusterQueue y {nominal 4, borrowingLimit 3}   queue y: guaranteed 4, limit 7
//
// A ClusterQueue in no cohort: limit = guaranteed = nominal. Resources that it does not cover may
// not be used at all.
//
// lendingLimit. In Kueue a member keeps nominal − lendingLimit for itself:
//
//   Σ over members max(used, kept) ≤ what the cohort has
//   ⇔ for every set of members: their use ≤ what the cohort has − Σ kept of those outside the set
//
// For a set of one that is a limit of that member, and it is given as such:
//
//   limit(y) ≤ what the cohort has − Σ kept of the others      4 + 6 − kept(x)
//
// For all members together it is the cohort's limit. In a cohort of two there is no other set; in a
// larger one two members could together use what a third keeps. Then its owner is told so, and the
// third has its guarantee to reclaim by.
//
// Quota is by flavor: a member borrows from those of its own flavor only. Where a cohort gives a
// resource by several, nobody's limit is above what his own flavor has; what two of one flavor may
// use together is told where it is not limited.

#include "intake/kueue/cohort_tree.h"

#include <algorithm>

namespace fairlead::intake {

CohortTree::CohortTree(const KueueObjects& objects, const Flavors& flavors) {
  for (const auto& [name, row] : objects.cluster_queues) AddMember(name, row, flavors);
  for (const auto& [name, row] : objects.cohorts) AddCohort(name, row, flavors);
  const std::vector<std::string> order = Order();
  for (auto at = order.rbegin(); at != order.rend(); ++at) AddUp(cohorts_.at(*at));
  for (const std::string& name : order) Divide(cohorts_.at(name));
}

void CohortTree::AddMember(const std::string& name, const KueueRow<objects::ClusterQueue>& row,
                           const Flavors& flavors) {
  Node& member = members_[name];
  member.own = flavors.QuotasOf(row.object.groups);
  member.created = row.created;
  member.parent = row.object.cohort;
  for (const auto& [resource, quota] : member.own) member.nominal[resource] = quota.nominal;
  if (member.parent.empty()) return;
  Node& cohort = cohorts_[member.parent];
  cohort.members.insert(name);
  cohort.created = std::min(cohort.created, row.created);
}

void CohortTree::AddCohort(const std::string& name, const KueueRow<objects::Cohort>& row,
                           const Flavors& flavors) {
  Node& cohort = cohorts_[name];
  cohort.row = &row;
  cohort.parent = row.object.parent;
  cohort.own = flavors.QuotasOf(row.object.groups);
  if (!cohort.parent.empty()) cohorts_[cohort.parent].children.insert(name);
}

// Parents before children. Those on a cycle are left out.
std::vector<std::string> CohortTree::Order() {
  std::vector<std::string> order;
  for (const auto& [name, cohort] : cohorts_) {
    if (cohort.parent.empty()) order.push_back(name);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    Node& cohort = cohorts_.at(order[i]);
    cohort.reached = true;
    order.insert(order.end(), cohort.children.begin(), cohort.children.end());
  }
  return order;
}

template <typename Visit>  // visit(Node&)
void CohortTree::ForEachBelow(const Node& cohort, Visit visit) {
  for (const std::string& name : cohort.members) visit(members_.at(name));
  for (const std::string& name : cohort.children) visit(cohorts_.at(name));
}

void CohortTree::AddUp(Node& cohort) {
  for (const auto& [resource, quota] : cohort.own) {
    cohort.nominal[resource] = PlusQuota(cohort.nominal[resource], quota.nominal);
    std::int64_t& flavor = cohort.by_flavor[resource][quota.flavor];
    flavor = PlusQuota(flavor, quota.nominal);
  }
  ForEachBelow(cohort, [&](const Node& below) {
    for (const auto& [resource, amount] : below.nominal) {
      cohort.nominal[resource] = PlusQuota(cohort.nominal[resource], amount);
    }
  });
  for (const std::string& name : cohort.members) {
    for (const auto& [resource, quota] : members_.at(name).own) {
      std::int64_t& flavor = cohort.by_flavor[resource][quota.flavor];
      flavor = PlusQuota(flavor, quota.nominal);
      ++cohort.users[resource][quota.flavor];
    }
  }
  for (const std::string& name : cohort.children) {
    const Node& child = cohorts_.at(name);
    for (const auto& [resource, flavors] : child.by_flavor) {
      for (const auto& [flavor, amount] : flavors) {
        std::int64_t& sum = cohort.by_flavor[resource][flavor];
        sum = PlusQuota(sum, amount);
      }
    }
    for (const auto& [resource, flavors] : child.users) {
      for (const auto& [flavor, number] : flavors) cohort.users[resource][flavor] += number;
    }
  }
}

std::int64_t CohortTree::KeptOf(const Node& node, const std::string& resource) {
  auto own = node.own.find(resource);
  if (own == node.own.end() || !own->second.lending) return 0;
  return std::max<std::int64_t>(0, AmountIn(node.nominal, resource) - *own->second.lending);
}

// What each below can reach at most, where somebody beside it keeps something.
void CohortTree::Divide(Node& cohort) {
  std::map<std::string, std::int64_t> kept;
  ForEachBelow(cohort, [&](const Node& below) {
    for (const auto& [resource, quota] : below.own) {
      const std::int64_t keeps = KeptOf(below, resource);
      if (keeps > 0) kept[resource] = PlusQuota(kept[resource], keeps);
    }
  });
  for (const auto& [resource, nominal] : cohort.nominal) {
    std::int64_t most = cohort.parent.empty() ? nominal : cohort.reach[resource];
    if (const auto limit = LimitOfCohort(cohort, resource)) most = std::min(most, *limit);
    ForEachBelow(cohort, [&](Node& below) {
      const std::int64_t of_others = kept[resource] - KeptOf(below, resource);
      below.reach[resource] = std::max<std::int64_t>(0, most - of_others);
      if (of_others > 0 || cohort.cap.contains(resource)) {
        below.cap[resource] = below.reach[resource];
      }
    });
  }
}

std::optional<std::int64_t> CohortTree::LimitOfCohort(const Node& cohort,
                                                      const std::string& resource) const {
  const std::int64_t nominal = AmountIn(cohort.nominal, resource);
  if (cohort.parent.empty()) return nominal;
  std::optional<std::int64_t> most;
  auto own = cohort.own.find(resource);
  if (own != cohort.own.end() && own->second.borrowing) {
    most = PlusQuota(nominal, *own->second.borrowing);
  }
  if (auto cap = cohort.cap.find(resource); cap != cohort.cap.end()) {
    most = std::min(most.value_or(cap->second), cap->second);
  }
  return most;
}

std::optional<std::int64_t> CohortTree::LimitOfMember(const Node& member,
                                                      const std::string& resource) const {
  const KueueQuota& quota = member.own.at(resource);
  if (member.parent.empty()) return quota.nominal;
  const Node* root = RootOf(member);
  std::optional<std::int64_t> limit;
  const auto at_most = [&](std::int64_t amount) {
    limit = std::min(limit.value_or(amount), amount);
  };
  if (quota.borrowing) at_most(PlusQuota(quota.nominal, *quota.borrowing));
  if (auto cap = member.cap.find(resource); cap != member.cap.end()) at_most(cap->second);
  if (root != nullptr && root->by_flavor.at(resource).size() > 1) {
    at_most(AmountIn(root->by_flavor.at(resource), quota.flavor));
  }
  return limit;
}

const CohortTree::Node* CohortTree::RootOf(const Node& member) const {
  auto at = cohorts_.find(member.parent);
  if (at == cohorts_.end() || !at->second.reached) return nullptr;
  while (!at->second.parent.empty()) at = cohorts_.find(at->second.parent);
  return &at->second;
}

std::size_t CohortTree::Siblings(const Node& node) const {
  auto cohort = cohorts_.find(node.parent);
  if (cohort == cohorts_.end()) return 0;
  return cohort->second.members.size() + cohort->second.children.size() - std::size_t{1};
}

}  // namespace fairlead::intake
