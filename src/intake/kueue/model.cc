// Each ClusterQueue and each Cohort as a queue, each LocalQueue as the name of one.
//
//   flavors.h       which quotas count, and what work must ask of nodes for them
//   cohort_tree.h   what each may use: guarantees and limits
//   problems.h      what the owners of the objects should know
//
// Here they are given the names and the fields of queues.

#include "intake/kueue/model.h"

#include <fmt/format.h>

#include "intake/kueue/cohort_tree.h"
#include "intake/kueue/flavors.h"
#include "intake/kueue/problems.h"

namespace fairlead::intake {
namespace {

using objects::PreemptionPolicy;
using objects::StopPolicy;

state::Donors DonorsOf(PreemptionPolicy policy) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return state::Donors::kNobody;
    case PreemptionPolicy::kAny:
      return state::Donors::kAnybody;
    default:
      return state::Donors::kLowerPriority;
  }
}

state::Asks AsksOf(const objects::ClusterQueue& queue) {
  state::Asks asks;
  asks.by_guarantee = DonorsOf(queue.reclaim_within_cohort);
  asks.by_share = asks.by_guarantee == state::Donors::kNobody
                      ? state::Donors::kNobody
                      : DonorsOf(queue.borrow_within_cohort);
  if (queue.borrow_max_priority) asks.by_share_up_to = *queue.borrow_max_priority;
  asks.preempts = queue.within_cluster_queue != PreemptionPolicy::kNever;
  return asks;
}

class ModelMaker {
 public:
  ModelMaker(const KueueObjects& objects, const std::function<bool(std::string_view)>& is_taken,
             std::string_view default_queue)
      : objects_(objects), is_taken_(is_taken), default_queue_(default_queue) {}

  KueueModel Make() {
    model_.counted = flavors_.Counted();
    for (const auto& [name, cohort] : tree_.cohorts()) GiveCohort(name, cohort);
    for (const auto& [name, row] : objects_.cluster_queues) GiveClusterQueue(name, row);
    for (const auto& [key, row] : objects_.local_queues) GiveLocal(key, row.object);
    for (const auto& [name, row] : objects_.flavors) problems_.LookAt(name, row.object);
    model_.problems = problems_.Take();
    return std::move(model_);
  }

 private:
  std::string ClusterQueueName(const std::string& name) const {
    return is_taken_(name) ? "cluster-queues/" + name : name;
  }
  std::string CohortName(const std::string& name) const {
    const bool taken =
        is_taken_(name) || name == default_queue_ || objects_.cluster_queues.contains(name);
    return taken ? "cohorts/" + name : name;
  }

  void GiveCohort(const std::string& name, const CohortTree::Node& cohort) {
    state::QueueChange change;
    change.name = CohortName(name);
    if (!cohort.parent.empty()) change.parent = CohortName(cohort.parent);
    change.created = cohort.row != nullptr ? cohort.row->created : cohort.created;
    if (change.created == Time::Max()) change.created = Time{};
    change.derived_from = "Cohort " + name;
    if (cohort.row != nullptr) change.weight.milli = cohort.row->object.weight_milli;
    for (const auto& [resource, amount] : cohort.nominal) {
      change.guaranteed.emplace_back(resource, amount);
      const auto most = tree_.LimitOfCohort(cohort, resource);
      if (most) change.limit.emplace_back(resource, *most);
    }
    if (cohort.row != nullptr) problems_.LookAt(name, cohort);
    model_.queues.emplace(change.name, std::move(change));
  }

  void GiveClusterQueue(const std::string& name, const KueueRow<objects::ClusterQueue>& row) {
    const objects::ClusterQueue& queue = row.object;
    const CohortTree::Node& member = tree_.ClusterQueue(name);
    state::QueueChange change;
    change.name = ClusterQueueName(name);
    if (!queue.cohort.empty()) change.parent = CohortName(queue.cohort);
    change.created = row.created;
    change.derived_from = "ClusterQueue " + name;
    change.weight.milli = queue.weight_milli;
    change.limits_all = true;
    change.asks = AsksOf(queue);
    change.why_inactive = WhyStopped(queue, flavors_);
    change.active = change.why_inactive.empty();
    for (const auto& [resource, quota] : member.own) {
      change.guaranteed.emplace_back(resource, quota.nominal);
      const std::optional<std::int64_t> limit = tree_.LimitOfMember(member, resource);
      if (limit) change.limit.emplace_back(resource, *limit);
    }
    problems_.LookAt(name, queue, change.name);
    model_.leaves.emplace(change.name,
                          KueueLeaf{.cluster_queue = name,
                                    .name_spaces = queue.name_spaces,
                                    .demands = flavors_.DemandsOf(queue),
                                    .topologies = flavors_.TopologiesOf(queue),
                                    .drains = queue.stop_policy == StopPolicy::kHoldAndDrain});
    model_.queues.emplace(change.name, std::move(change));
  }

  void GiveLocal(const std::string& key, const objects::LocalQueue& queue) {
    KueueLocal local{.queue = ClusterQueueName(queue.cluster_queue), .hold = {}};
    bool leads_nowhere = false;
    // Without a ClusterQueue of the name it names a Queue.
    if (!objects_.cluster_queues.contains(queue.cluster_queue)) {
      local.queue = queue.cluster_queue;
      leads_nowhere = !is_taken_(local.queue) && local.queue != default_queue_;
    }
    if (leads_nowhere) {
      local.hold = state::Reason{
          .code = state::ReasonCode::kQueueNotFound,
          .message = fmt::format(
              "LocalQueue {} names {}: neither a ClusterQueue nor a Queue of that name is there",
              key, queue.cluster_queue),
          .queue = queue.cluster_queue};
    }
    if (queue.stop_policy != StopPolicy::kNone) {
      local.drains = queue.stop_policy == StopPolicy::kHoldAndDrain;
      const std::string_view word = local.drains ? "HoldAndDrain" : "Hold";
      local.hold = state::Reason{
          .code = state::ReasonCode::kQueueNotReady,
          .message = fmt::format("LocalQueue {} takes no work: its stopPolicy is {}", key, word),
          .queue = local.queue};
    }
    problems_.LookAt(key, queue, leads_nowhere);
    model_.locals.emplace(key, std::move(local));
  }

  const KueueObjects& objects_;
  const std::function<bool(std::string_view)>& is_taken_;
  std::string_view default_queue_;
  Flavors flavors_{objects_};
  CohortTree tree_{objects_, flavors_};
  KueueProblems problems_{flavors_, tree_};
  KueueModel model_;
};

}  // namespace

bool KueueLeaf::operator==(const KueueLeaf& other) const {
  const bool same_demands =
      demands == other.demands || (demands && other.demands && *demands == *other.demands);
  return cluster_queue == other.cluster_queue && name_spaces == other.name_spaces &&
         topologies == other.topologies && drains == other.drains && same_demands;
}

KueueModel MakeKueueModel(const KueueObjects& objects,
                          const std::function<bool(std::string_view)>& is_taken,
                          std::string_view default_queue) {
  return ModelMaker(objects, is_taken, default_queue).Make();
}

}  // namespace fairlead::intake
