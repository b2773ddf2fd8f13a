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
//
// Several flavors in a group. Where the nodes of any two are told apart by a label, what a pod uses
// is counted twice, as the resource and as that of the flavor of its node:
//
//   x {cpu: spot 8, dear 4}    queue x: guaranteed = limit = cpu 12, cpu[spot] 8, cpu[dear] 4
//
// Such a flavor is counted so wherever it is named: then cohorts add up, borrow and lend by flavor,
// and the sum only says what all of them are.

#include "intake/kueue_model.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "intake/kueue.h"

namespace fairlead::intake {
namespace {

using objects::FlavorQuotas;
using objects::FlavorResource;
using objects::PreemptionPolicy;
using objects::ResourceGroup;
using objects::StopPolicy;

// Amounts stay below what the engine takes for "no limit".
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;

std::int64_t Plus(std::int64_t a, std::int64_t b) {
  return std::min(kMost, std::min(a, kMost) + std::min(b, kMost));
}

struct Quota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing, lending;
  std::string flavor;
};
using Quotas = std::map<std::string, Quota, std::less<>>;  // by resource
using Sums = std::map<std::string, std::int64_t, std::less<>>;

std::int64_t Of(const Sums& sums, std::string_view resource) {
  auto found = sums.find(resource);
  return found == sums.end() ? 0 : found->second;
}

state::Givers GiversOf(PreemptionPolicy policy) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return state::Givers::kNobody;
    case PreemptionPolicy::kAny:
      return state::Givers::kAnybody;
    default:
      return state::Givers::kLowerPriority;
  }
}

state::Asks AsksOf(const objects::ClusterQueue& queue) {
  state::Asks asks;
  asks.by_guarantee = GiversOf(queue.reclaim_within_cohort);
  asks.by_share = asks.by_guarantee == state::Givers::kNobody
                      ? state::Givers::kNobody
                      : GiversOf(queue.borrow_within_cohort);
  if (queue.borrow_max_priority) asks.by_share_up_to = *queue.borrow_max_priority;
  asks.preempts = queue.within_cluster_queue != PreemptionPolicy::kNever;
  return asks;
}

class Maker {
 public:
  Maker(const KueueObjects& objects, const std::function<bool(std::string_view)>& is_taken,
        std::string_view default_queue)
      : objects_(objects), is_taken_(is_taken), default_queue_(default_queue) {}

  KueueModel Make() {
    FindCounted();
    for (const auto& [name, row] : objects_.cluster_queues) AddMember(name, row);
    for (const auto& [name, row] : objects_.cohorts) AddCohort(name, row);
    Order();
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) AddUp(cohorts_.at(*at));
    for (const std::string& name : order_) Divide(cohorts_.at(name));
    for (const auto& [name, cohort] : cohorts_) GiveCohort(name, cohort);
    for (const auto& [name, row] : objects_.cluster_queues) GiveClusterQueue(name, row);
    for (const auto& [key, row] : objects_.local_queues) GiveLocal(key, row.object);
    for (const auto& [name, row] : objects_.flavors) {
      for (const std::string& field : row.object.not_supported) {
        Problem("ResourceFlavor", name, row.object.meta, "NotSupported",
                fmt::format("{} is not supported, and passed over", field));
      }
    }
    return std::move(model_);
  }

 private:
  struct Node {  // a cohort, there as an object or named only; or a ClusterQueue
    const KueueRow<objects::Cohort>* row = nullptr;
    std::string parent;
    std::set<std::string> members, children;  // ClusterQueues, cohorts
    Quotas own;
    Sums nominal;                           // of its subtree
    Sums reach;                             // beyond which it cannot go, whatever it may borrow
    Sums cap;                               // the same, where somebody keeps something from it
    std::map<std::string, Sums> by_flavor;  // nominal of the subtree, resource → flavor
    std::map<std::string, Sums> users;      // ClusterQueues of the subtree, resource → flavor
    Time created = Time::Max();             // the oldest member's, where it is no object
    bool reached = false;                   // from a root: on no cycle
  };

  void Problem(std::string_view kind, const std::string& key, const objects::Meta& meta,
               std::string_view code, std::string message, bool stops = false) {
    model_.problems.push_back({.kind = std::string(kind),
                               .key = key,
                               .source = meta.source,
                               .code = std::string(code),
                               .message = std::move(message),
                               .stops = stops});
  }

  // Flavors ------------------------------------------------------------------------------------

  static bool AreApart(const objects::Labels& a, const objects::Labels& b) {
    return std::ranges::any_of(a, [&](const auto& label) {
      const std::string* other = objects::FindLabel(b, label.first);
      return other != nullptr && *other != label.second;
    });
  }

  const objects::ResourceFlavor* FlavorNamed(const std::string& name) const {
    auto found = objects_.flavors.find(name);
    return found == objects_.flavors.end() ? nullptr : &found->second.object;
  }

  // Whether no node can be of two of its flavors.
  bool AreApart(const ResourceGroup& group) const {
    for (std::size_t i = 0; i < group.flavors.size(); ++i) {
      const objects::ResourceFlavor* flavor = FlavorNamed(group.flavors[i].flavor);
      if (flavor == nullptr) return false;
      for (std::size_t j = 0; j < i; ++j) {
        const objects::ResourceFlavor* before = FlavorNamed(group.flavors[j].flavor);
        if (!AreApart(flavor->node_labels, before->node_labels)) return false;
      }
    }
    return true;
  }

  void FindCounted() {
    const auto find = [this](const std::vector<ResourceGroup>& groups) {
      for (const ResourceGroup& group : groups) {
        if (group.flavors.size() < 2 || !AreApart(group)) continue;
        for (const FlavorQuotas& quotas : group.flavors) counted_[quotas.flavor];
      }
    };
    for (const auto& [name, row] : objects_.cluster_queues) find(row.object.groups);
    for (const auto& [name, row] : objects_.cohorts) find(row.object.groups);
    const auto note = [this](const std::vector<ResourceGroup>& groups) {
      for (const ResourceGroup& group : groups) {
        for (const FlavorQuotas& quotas : UsedOf(group)) {
          auto counted = counted_.find(quotas.flavor);
          if (counted == counted_.end()) continue;
          for (const FlavorResource& each : quotas.resources) counted->second.insert(each.resource);
        }
      }
    };
    for (const auto& [name, row] : objects_.cluster_queues) note(row.object.groups);
    for (const auto& [name, row] : objects_.cohorts) note(row.object.groups);
    for (const auto& [flavor, resources] : counted_) {
      model_.counted.push_back({.flavor = flavor,
                                .labels = FlavorNamed(flavor)->node_labels,
                                .resources = {resources.begin(), resources.end()}});
    }
  }

  // All of a group's flavors, or the first of them where some could share nodes.
  std::span<const FlavorQuotas> UsedOf(const ResourceGroup& group) const {
    const bool all = std::ranges::all_of(group.flavors, [this](const FlavorQuotas& quotas) {
      return counted_.contains(quotas.flavor);
    });
    return std::span(group.flavors).first(all && AreApart(group) ? group.flavors.size() : 1);
  }

  Quotas QuotasOf(const std::vector<ResourceGroup>& groups) const {
    Quotas quotas;
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& used : UsedOf(group)) {
        const bool counted = counted_.contains(used.flavor);
        for (const FlavorResource& resource : used.resources) {
          const std::string name =
              counted ? CountedName(resource.resource, used.flavor) : resource.resource;
          quotas[name] = {.nominal = std::min(resource.nominal, kMost),
                          .borrowing = resource.borrowing_limit,
                          .lending = resource.lending_limit,
                          .flavor = used.flavor};
          if (!counted) continue;
          Quota& sum = quotas[resource.resource];
          sum.nominal = Plus(sum.nominal, resource.nominal);
        }
      }
    }
    return quotas;
  }

  // Quotas -------------------------------------------------------------------------------------

  void AddMember(const std::string& name, const KueueRow<objects::ClusterQueue>& row) {
    Node& member = members_[name];
    member.own = QuotasOf(row.object.groups);
    member.created = row.created;
    member.parent = row.object.cohort;
    for (const auto& [resource, quota] : member.own) member.nominal[resource] = quota.nominal;
    if (member.parent.empty()) return;
    Node& cohort = cohorts_[member.parent];
    cohort.members.insert(name);
    cohort.created = std::min(cohort.created, row.created);
  }

  void AddCohort(const std::string& name, const KueueRow<objects::Cohort>& row) {
    Node& cohort = cohorts_[name];
    cohort.row = &row;
    cohort.parent = row.object.parent;
    cohort.own = QuotasOf(row.object.groups);
    if (!cohort.parent.empty()) cohorts_[cohort.parent].children.insert(name);
  }

  // Parents before children. Those on a cycle are left out.
  void Order() {
    for (const auto& [name, cohort] : cohorts_) {
      if (cohort.parent.empty()) order_.push_back(name);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      Node& cohort = cohorts_.at(order_[i]);
      cohort.reached = true;
      order_.insert(order_.end(), cohort.children.begin(), cohort.children.end());
    }
  }

  template <typename Visit>  // visit(Node&)
  void ForEachBelow(const Node& cohort, Visit visit) {
    for (const std::string& name : cohort.members) visit(members_.at(name));
    for (const std::string& name : cohort.children) visit(cohorts_.at(name));
  }

  void AddUp(Node& cohort) {
    for (const auto& [resource, quota] : cohort.own) {
      cohort.nominal[resource] = Plus(cohort.nominal[resource], quota.nominal);
      std::int64_t& flavor = cohort.by_flavor[resource][quota.flavor];
      flavor = Plus(flavor, quota.nominal);
    }
    ForEachBelow(cohort, [&](const Node& below) {
      for (const auto& [resource, amount] : below.nominal) {
        cohort.nominal[resource] = Plus(cohort.nominal[resource], amount);
      }
    });
    for (const std::string& name : cohort.members) {
      for (const auto& [resource, quota] : members_.at(name).own) {
        std::int64_t& flavor = cohort.by_flavor[resource][quota.flavor];
        flavor = Plus(flavor, quota.nominal);
        ++cohort.users[resource][quota.flavor];
      }
    }
    for (const std::string& name : cohort.children) {
      const Node& child = cohorts_.at(name);
      for (const auto& [resource, flavors] : child.by_flavor) {
        for (const auto& [flavor, amount] : flavors) {
          std::int64_t& sum = cohort.by_flavor[resource][flavor];
          sum = Plus(sum, amount);
        }
      }
      for (const auto& [resource, flavors] : child.users) {
        for (const auto& [flavor, number] : flavors) cohort.users[resource][flavor] += number;
      }
    }
  }

  static std::int64_t KeptOf(const Node& node, const std::string& resource) {
    auto own = node.own.find(resource);
    if (own == node.own.end() || !own->second.lending) return 0;
    return std::max<std::int64_t>(0, Of(node.nominal, resource) - *own->second.lending);
  }

  // What each below can reach at most, where somebody beside it keeps something.
  void Divide(Node& cohort) {
    std::map<std::string, std::int64_t> kept;
    ForEachBelow(cohort, [&](const Node& below) {
      for (const auto& [resource, quota] : below.own) {
        const std::int64_t keeps = KeptOf(below, resource);
        if (keeps > 0) kept[resource] = Plus(kept[resource], keeps);
      }
    });
    for (const auto& [resource, nominal] : cohort.nominal) {
      std::int64_t most = cohort.parent.empty() ? nominal : cohort.reach[resource];
      if (const auto limit = MostOf(cohort, resource)) most = std::min(most, *limit);
      ForEachBelow(cohort, [&](Node& below) {
        const std::int64_t of_others = kept[resource] - KeptOf(below, resource);
        below.reach[resource] = std::max<std::int64_t>(0, most - of_others);
        if (of_others > 0 || cohort.cap.contains(resource)) {
          below.cap[resource] = below.reach[resource];
        }
      });
    }
  }

  // A cohort's limit in a resource; none: it borrows as much as there is.
  std::optional<std::int64_t> MostOf(const Node& cohort, const std::string& resource) const {
    const std::int64_t nominal = Of(cohort.nominal, resource);
    if (cohort.parent.empty()) return nominal;
    std::optional<std::int64_t> most;
    auto own = cohort.own.find(resource);
    if (own != cohort.own.end() && own->second.borrowing) {
      most = Plus(nominal, *own->second.borrowing);
    }
    if (auto cap = cohort.cap.find(resource); cap != cohort.cap.end()) {
      most = std::min(most.value_or(cap->second), cap->second);
    }
    return most;
  }

  const Node* RootOf(const Node& member) const {
    auto at = cohorts_.find(member.parent);
    if (at == cohorts_.end() || !at->second.reached) return nullptr;
    while (!at->second.parent.empty()) at = cohorts_.find(at->second.parent);
    return &at->second;
  }

  std::string ClusterQueueName(const std::string& name) const {
    return is_taken_(name) ? "cluster-queues/" + name : name;
  }
  std::string CohortName(const std::string& name) const {
    const bool taken =
        is_taken_(name) || name == default_queue_ || objects_.cluster_queues.contains(name);
    return taken ? "cohorts/" + name : name;
  }

  void GiveCohort(const std::string& name, const Node& cohort) {
    state::QueueChange change;
    change.name = CohortName(name);
    if (!cohort.parent.empty()) change.parent = CohortName(cohort.parent);
    change.created = cohort.row != nullptr ? cohort.row->created : cohort.created;
    if (change.created == Time::Max()) change.created = Time{};
    change.derived_from = "Cohort " + name;
    if (cohort.row != nullptr) change.weight.milli = cohort.row->object.weight_milli;
    for (const auto& [resource, amount] : cohort.nominal) {
      change.guaranteed.emplace_back(resource, amount);
      const auto most = MostOf(cohort, resource);
      if (most) change.limit.emplace_back(resource, *most);
    }
    if (cohort.row != nullptr) TellCohort(name, cohort, cohort.row->object);
    model_.queues.emplace(change.name, std::move(change));
  }

  void TellCohort(const std::string& name, const Node& cohort, const objects::Cohort& object) {
    const auto tell = [&](std::string_view code, std::string message, bool stops = false) {
      Problem("Cohort", name, object.meta, code, std::move(message), stops);
    };
    if (!cohort.reached) {
      tell("ParentCycle", "its parents are a cycle, or end in one: nothing starts below it", true);
    }
    TellGroups(object.groups, tell);
    if (cohort.parent.empty()) TellLimitsInVain(cohort.own, "it has no parent", tell);
    TellKept(cohort, tell);
  }

  template <typename Tell>
  void TellGroups(const std::vector<ResourceGroup>& groups, Tell tell) const {
    for (const ResourceGroup& group : groups) {
      if (group.flavors.size() < 2) continue;
      if (UsedOf(group).size() > 1) {
        tell("NotSupported",
             fmt::format("of the flavors {} work gets the first that suits its pods; while that "
                         "one's quota is used up it waits, and does not go on to the next",
                         fmt::join(NamesOf(group.flavors), ", ")));
        continue;
      }
      std::vector<std::string> others;
      for (std::size_t i = 1; i < group.flavors.size(); ++i) {
        others.push_back(group.flavors[i].flavor);
      }
      tell("NotSupported",
           fmt::format("several flavors in a group are supported where a label of their "
                       "nodeLabels tells the nodes of each two apart: {} is used, the quota of {} "
                       "is not",
                       group.flavors.front().flavor, fmt::join(others, ", ")));
    }
  }

  template <typename Tell>
  static void TellLimitsInVain(const Quotas& quotas, std::string_view why, Tell tell) {
    std::vector<std::string> in_vain;
    for (const auto& [resource, quota] : quotas) {
      if (quota.borrowing || quota.lending) in_vain.push_back(resource);
    }
    if (in_vain.empty()) return;
    tell("LimitInVain", fmt::format("its borrowingLimit or lendingLimit of {} says nothing: {}",
                                    fmt::join(in_vain, ", "), why));
  }

  template <typename Tell>
  void TellKept(const Node& node, Tell tell) const {
    auto cohort = cohorts_.find(node.parent);
    if (cohort == cohorts_.end()) return;
    const std::size_t beside =
        cohort->second.members.size() + cohort->second.children.size() - std::size_t{1};
    if (beside < 2) return;
    std::vector<std::string> partly;
    for (const auto& [resource, quota] : node.own) {
      if (KeptOf(node, resource) > 0) partly.push_back(resource);
    }
    if (partly.empty()) return;
    tell("LendingLimitPartly",
         fmt::format("its lendingLimit of {} is kept towards each other member of cohort {}, not "
                     "towards several together",
                     fmt::join(partly, ", "), node.parent));
  }

  static std::vector<std::string> NamesOf(const std::vector<FlavorQuotas>& flavors) {
    std::vector<std::string> names;
    for (const FlavorQuotas& each : flavors) names.push_back(each.flavor);
    return names;
  }

  // As in Kueue each of them counts, whether it would be used or not.
  std::vector<std::string> MissingFlavors(const objects::ClusterQueue& queue) const {
    std::vector<std::string> missing;
    for (const ResourceGroup& group : queue.groups) {
      for (const FlavorQuotas& quotas : group.flavors) {
        const bool told = std::ranges::find(missing, quotas.flavor) != missing.end();
        if (!told && FlavorNamed(quotas.flavor) == nullptr) missing.push_back(quotas.flavor);
      }
    }
    return missing;
  }

  // Why nothing starts in it; empty: something may.
  std::string WhyStopped(const objects::ClusterQueue& queue) const {
    if (queue.stop_policy == StopPolicy::kHold) return "its stopPolicy is Hold";
    if (queue.stop_policy == StopPolicy::kHoldAndDrain) return "its stopPolicy is HoldAndDrain";
    const std::vector<std::string> missing = MissingFlavors(queue);
    if (!missing.empty()) {
      return fmt::format("its ResourceFlavor {} is not there", missing.front());
    }
    if (HasChecks(queue)) return "it demands admission checks, which are not supported";
    return "";
  }

  static bool IsCheck(const std::string& field) {
    return field.starts_with("spec.admissionChecks");
  }
  static bool HasChecks(const objects::ClusterQueue& queue) {
    return std::ranges::any_of(queue.not_supported, IsCheck);
  }

  void GiveClusterQueue(const std::string& name, const KueueRow<objects::ClusterQueue>& row) {
    const objects::ClusterQueue& queue = row.object;
    const Node& member = members_.at(name);
    const Node* root = RootOf(member);
    state::QueueChange change;
    change.name = ClusterQueueName(name);
    if (!queue.cohort.empty()) change.parent = CohortName(queue.cohort);
    change.created = row.created;
    change.derived_from = "ClusterQueue " + name;
    change.weight.milli = queue.weight_milli;
    change.limits_all = true;
    change.asks = AsksOf(queue);
    change.why_inactive = WhyStopped(queue);
    change.active = change.why_inactive.empty();
    for (const auto& [resource, quota] : member.own) {
      change.guaranteed.emplace_back(resource, quota.nominal);
      const std::optional<std::int64_t> limit = LimitOf(member, root, resource, quota);
      if (limit) change.limit.emplace_back(resource, *limit);
    }
    TellClusterQueue(name, queue, member, root);
    model_.leaves.emplace(change.name,
                          KueueLeaf{.cluster_queue = name,
                                    .name_spaces = queue.name_spaces,
                                    .demands = DemandsOf(queue),
                                    .drains = queue.stop_policy == StopPolicy::kHoldAndDrain});
    model_.queues.emplace(change.name, std::move(change));
  }

  std::optional<std::int64_t> LimitOf(const Node& member, const Node* root,
                                      const std::string& resource, const Quota& quota) const {
    if (member.parent.empty()) return quota.nominal;
    std::optional<std::int64_t> limit;
    const auto at_most = [&](std::int64_t amount) {
      limit = std::min(limit.value_or(amount), amount);
    };
    if (quota.borrowing) at_most(Plus(quota.nominal, *quota.borrowing));
    if (auto cap = member.cap.find(resource); cap != member.cap.end()) at_most(cap->second);
    if (root != nullptr && root->by_flavor.at(resource).size() > 1) {
      at_most(Of(root->by_flavor.at(resource), quota.flavor));
    }
    return limit;
  }

  std::shared_ptr<const FlavorDemands> DemandsOf(const objects::ClusterQueue& queue) const {
    FlavorDemands demands;
    for (const ResourceGroup& group : queue.groups) {
      GroupDemand demand;
      bool demands_any = false;
      for (const FlavorQuotas& quotas : UsedOf(group)) {
        const objects::ResourceFlavor* flavor = FlavorNamed(quotas.flavor);
        if (flavor == nullptr) break;
        const bool counted = counted_.contains(quotas.flavor);
        demands_any |= counted || !flavor->node_labels.empty() || !flavor->tolerations.empty();
        demand.flavors.push_back({.flavor = quotas.flavor,
                                  .labels = flavor->node_labels,
                                  .tolerations = flavor->tolerations,
                                  .taints = flavor->node_taints,
                                  .counted = counted});
      }
      if (!demands_any) continue;
      for (const FlavorResource& resource : group.flavors.front().resources) {
        demand.resources.push_back(resource.resource);
      }
      demands.push_back(std::move(demand));
    }
    if (demands.empty()) return nullptr;
    return std::make_shared<const FlavorDemands>(std::move(demands));
  }

  void TellClusterQueue(const std::string& name, const objects::ClusterQueue& queue,
                        const Node& member, const Node* root) {
    const auto tell = [&](std::string_view code, std::string message, bool stops = false) {
      Problem("ClusterQueue", name, queue.meta, code, std::move(message), stops);
    };
    if (queue.stop_policy != StopPolicy::kNone) {
      const bool drains = queue.stop_policy == StopPolicy::kHoldAndDrain;
      tell("Stopped",
           WhyStopped(queue) + ": nothing starts in it" +
               (drains ? ", and what it has admitted is stopped" : ""),
           true);
      model_.problems.back().on_purpose = true;
    }
    for (const std::string& flavor : MissingFlavors(queue)) {
      tell("FlavorNotFound", fmt::format("its ResourceFlavor {} is not there", flavor), true);
    }
    for (const std::string& field : queue.not_supported) {
      const bool check = IsCheck(field);
      tell("NotSupported",
           fmt::format("{} is not supported, and {}", field,
                       check ? "nothing starts without it" : "passed over"),
           check);
    }
    TellGroups(queue.groups, tell);
    if (!queue.name_spaces) {
      tell("NoNamespaces",
           "it has no namespaceSelector, which lets nobody in; `namespaceSelector: {}` is all");
    }
    TellPreemption(queue, tell);
    if (queue.cohort.empty()) TellLimitsInVain(member.own, "it is in no cohort", tell);
    TellKept(member, tell);
    if (root != nullptr) TellFlavors(member, *root, tell);
    if (is_taken_(name)) {
      tell("NameTaken", fmt::format("a queue {} is there too; the queue of this ClusterQueue is {}",
                                    name, ClusterQueueName(name)));
    }
  }

  template <typename Tell>
  static void TellPreemption(const objects::ClusterQueue& queue, Tell tell) {
    if (queue.within_cluster_queue == PreemptionPolicy::kLowerOrNewerEqualPriority) {
      tell("NotSupported",
           "preemption.withinClusterQueue: LowerOrNewerEqualPriority is taken as LowerPriority");
    }
    if (queue.reclaim_within_cohort == PreemptionPolicy::kNever &&
        queue.borrow_within_cohort != PreemptionPolicy::kNever) {
      tell("NotSupported",
           "preemption.borrowWithinCohort does nothing while reclaimWithinCohort is Never");
    }
  }

  template <typename Tell>
  static void TellFlavors(const Node& member, const Node& root, Tell tell) {
    std::vector<std::string> resources;
    for (const auto& [resource, quota] : member.own) {
      // Under no flavor's name stands what is counted by flavor beside.
      const bool several = !quota.flavor.empty() && root.by_flavor.at(resource).size() > 1;
      if (several && Of(root.users.at(resource), quota.flavor) > 1) resources.push_back(resource);
    }
    if (resources.empty()) return;
    tell("FlavorsDiffer",
         fmt::format("its cohort gives {} by several flavors: what the queues of one use together "
                     "is limited to what all flavors have",
                     fmt::join(resources, ", ")));
  }

  void GiveLocal(const std::string& key, const objects::LocalQueue& queue) {
    const auto tell = [&](std::string_view code, std::string message, bool stops = false) {
      Problem("LocalQueue", key, queue.meta, code, std::move(message), stops);
    };
    KueueLocal local{.queue = ClusterQueueName(queue.cluster_queue), .hold = {}};
    // Without a ClusterQueue of the name it names a Queue.
    if (!objects_.cluster_queues.contains(queue.cluster_queue)) {
      local.queue = queue.cluster_queue;
      if (!is_taken_(local.queue) && local.queue != default_queue_) {
        const std::string message = fmt::format(
            "LocalQueue {} names {}: neither a ClusterQueue nor a Queue of that name is there", key,
            queue.cluster_queue);
        local.hold = state::Reason{.code = state::ReasonCode::kQueueNotFound,
                                   .message = message,
                                   .queue = queue.cluster_queue};
        tell("ClusterQueueNotFound",
             fmt::format("it names {}: neither a ClusterQueue nor a Queue of that name is there",
                         queue.cluster_queue),
             true);
      }
    }
    if (queue.stop_policy != StopPolicy::kNone) {
      const bool drains = queue.stop_policy == StopPolicy::kHoldAndDrain;
      const std::string_view word = drains ? "HoldAndDrain" : "Hold";
      local.hold = state::Reason{
          .code = state::ReasonCode::kQueueNotReady,
          .message = fmt::format("LocalQueue {} takes no work: its stopPolicy is {}", key, word),
          .queue = local.queue};
      local.drains = drains;
      tell("Stopped",
           fmt::format("its stopPolicy is {}: nothing starts by it{}", word,
                       drains ? ", and what was admitted by it is stopped" : ""),
           true);
      model_.problems.back().on_purpose = true;
    }
    for (const std::string& field : queue.not_supported) {
      tell("NotSupported", fmt::format("{} is not supported, and passed over", field));
    }
    model_.locals.emplace(key, std::move(local));
  }

  const KueueObjects& objects_;
  const std::function<bool(std::string_view)>& is_taken_;
  std::string_view default_queue_;
  std::map<std::string, Node, std::less<>> members_, cohorts_;
  std::vector<std::string> order_;
  std::map<std::string, std::set<std::string>, std::less<>> counted_;  // flavor → resources
  KueueModel model_;
};

}  // namespace

bool KueueLeaf::operator==(const KueueLeaf& other) const {
  const bool same_demands =
      demands == other.demands || (demands && other.demands && *demands == *other.demands);
  return cluster_queue == other.cluster_queue && name_spaces == other.name_spaces &&
         drains == other.drains && same_demands;
}

KueueModel MakeKueueModel(const KueueObjects& objects,
                          const std::function<bool(std::string_view)>& is_taken,
                          std::string_view default_queue) {
  return Maker(objects, is_taken, default_queue).Make();
}

}  // namespace fairlead::intake
