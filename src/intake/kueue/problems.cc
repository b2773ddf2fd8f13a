#include "intake/kueue/problems.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairlead::intake {

using objects::FlavorQuotas;
using objects::PreemptionPolicy;
using objects::ResourceGroup;
using objects::StopPolicy;

class KueueProblems::Teller {
 public:
  Teller(std::vector<KueueProblem>& found, std::string_view kind, const std::string& key,
         const objects::Meta& meta)
      : found_(found), kind_(kind), key_(key), source_(meta.source) {}

  void operator()(std::string_view code, std::string message, bool stops = false) const {
    found_.push_back({.kind = std::string(kind_),
                      .key = key_,
                      .source = source_,
                      .code = std::string(code),
                      .message = std::move(message),
                      .stops = stops});
  }

 private:
  std::vector<KueueProblem>& found_;
  std::string_view kind_;
  const std::string& key_;
  const std::string& source_;
};

namespace {

std::vector<std::string> NamesOf(const std::vector<FlavorQuotas>& flavors) {
  std::vector<std::string> names;
  for (const FlavorQuotas& each : flavors) names.push_back(each.flavor);
  return names;
}

bool IsCheck(const std::string& field) { return field.starts_with("spec.admissionChecks"); }
bool HasChecks(const objects::ClusterQueue& queue) {
  return std::ranges::any_of(queue.not_supported, IsCheck);
}

template <typename Tell>
void TellLimitsInVain(const KueueQuotas& quotas, std::string_view why, Tell tell) {
  std::vector<std::string> in_vain;
  for (const auto& [resource, quota] : quotas) {
    if (quota.borrowing || quota.lending) in_vain.push_back(resource);
  }
  if (in_vain.empty()) return;
  tell("LimitInVain", fmt::format("its borrowingLimit or lendingLimit of {} says nothing: {}",
                                  fmt::join(in_vain, ", "), why));
}

template <typename Tell>
void TellPreemption(const objects::ClusterQueue& queue, Tell tell) {
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
void TellFlavors(const CohortTree::Node& member, const CohortTree::Node& root, Tell tell) {
  std::vector<std::string> resources;
  for (const auto& [resource, quota] : member.own) {
    // Under no flavor's name stands what is counted by flavor beside.
    const bool several = !quota.flavor.empty() && root.by_flavor.at(resource).size() > 1;
    if (several && AmountIn(root.users.at(resource), quota.flavor) > 1)
      resources.push_back(resource);
  }
  if (resources.empty()) return;
  tell("FlavorsDiffer",
       fmt::format("its cohort gives {} by several flavors: what the queues of one use together "
                   "is limited to what all flavors have",
                   fmt::join(resources, ", ")));
}

}  // namespace

std::string WhyStopped(const objects::ClusterQueue& queue, const Flavors& flavors) {
  if (queue.stop_policy == StopPolicy::kHold) return "its stopPolicy is Hold";
  if (queue.stop_policy == StopPolicy::kHoldAndDrain) return "its stopPolicy is HoldAndDrain";
  const std::vector<std::string> missing = flavors.MissingIn(queue);
  if (!missing.empty()) {
    return fmt::format("its ResourceFlavor {} is not there", missing.front());
  }
  if (HasChecks(queue)) return "it demands admission checks, which are not supported";
  return "";
}

void KueueProblems::Groups(const std::vector<ResourceGroup>& groups, Teller tell) const {
  for (const ResourceGroup& group : groups) {
    if (group.flavors.size() < 2) continue;
    if (flavors_.UsedOf(group).size() > 1) {
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

void KueueProblems::Kept(const CohortTree::Node& node, Teller tell) const {
  if (tree_.Siblings(node) < 2) return;
  std::vector<std::string> partly;
  for (const auto& [resource, quota] : node.own) {
    if (CohortTree::KeptOf(node, resource) > 0) partly.push_back(resource);
  }
  if (partly.empty()) return;
  tell("LendingLimitPartly",
       fmt::format("its lendingLimit of {} is kept towards each other member of cohort {}, not "
                   "towards several together",
                   fmt::join(partly, ", "), node.parent));
}

void KueueProblems::LookAt(const std::string& name, const CohortTree::Node& cohort) {
  const objects::Cohort& object = cohort.row->object;
  Teller tell(found_, "Cohort", name, object.meta);
  if (!cohort.reached) {
    tell("ParentCycle", "its parents are a cycle, or end in one: nothing starts below it", true);
  }
  Groups(object.groups, tell);
  if (cohort.parent.empty()) TellLimitsInVain(cohort.own, "it has no parent", tell);
  Kept(cohort, tell);
}

void KueueProblems::LookAt(const std::string& name, const objects::ClusterQueue& queue,
                           std::string_view queue_name) {
  const CohortTree::Node& member = tree_.ClusterQueue(name);
  const CohortTree::Node* root = tree_.RootOf(member);
  Teller tell(found_, "ClusterQueue", name, queue.meta);
  if (queue.stop_policy != StopPolicy::kNone) {
    const bool drains = queue.stop_policy == StopPolicy::kHoldAndDrain;
    tell("Stopped",
         WhyStopped(queue, flavors_) + ": nothing starts in it" +
             (drains ? ", and what it has admitted is stopped" : ""),
         true);
    found_.back().on_purpose = true;
  }
  for (const std::string& flavor : flavors_.MissingIn(queue)) {
    tell("FlavorNotFound", fmt::format("its ResourceFlavor {} is not there", flavor), true);
  }
  for (const std::string& field : queue.not_supported) {
    const bool check = IsCheck(field);
    tell("NotSupported",
         fmt::format("{} is not supported, and {}", field,
                     check ? "nothing starts without it" : "passed over"),
         check);
  }
  Groups(queue.groups, tell);
  if (!queue.name_spaces) {
    tell("NoNamespaces",
         "it has no namespaceSelector, which lets nobody in; `namespaceSelector: {}` is all");
  }
  TellPreemption(queue, tell);
  if (queue.cohort.empty()) TellLimitsInVain(member.own, "it is in no cohort", tell);
  Kept(member, tell);
  if (root != nullptr) TellFlavors(member, *root, tell);
  if (queue_name != name) {
    tell("NameTaken", fmt::format("a queue {} is there too; the queue of this ClusterQueue is {}",
                                  name, queue_name));
  }
}

void KueueProblems::LookAt(const std::string& key, const objects::LocalQueue& queue,
                           bool leads_nowhere) {
  Teller tell(found_, "LocalQueue", key, queue.meta);
  if (leads_nowhere) {
    tell("ClusterQueueNotFound",
         fmt::format("it names {}: neither a ClusterQueue nor a Queue of that name is there",
                     queue.cluster_queue),
         true);
  }
  if (queue.stop_policy != StopPolicy::kNone) {
    const bool drains = queue.stop_policy == StopPolicy::kHoldAndDrain;
    tell("Stopped",
         fmt::format("its stopPolicy is {}: nothing starts by it{}",
                     drains ? "HoldAndDrain" : "Hold",
                     drains ? ", and what was admitted by it is stopped" : ""),
         true);
    found_.back().on_purpose = true;
  }
  for (const std::string& field : queue.not_supported) {
    tell("NotSupported", fmt::format("{} is not supported, and passed over", field));
  }
}

void KueueProblems::LookAt(const std::string& name, const objects::ResourceFlavor& flavor) {
  Teller tell(found_, "ResourceFlavor", name, flavor.meta);
  for (const std::string& field : flavor.not_supported) {
    tell("NotSupported", fmt::format("{} is not supported, and passed over", field));
  }
}

}  // namespace fairlead::intake
