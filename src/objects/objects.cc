#include "objects/objects.h"

#include <algorithm>
#include <type_traits>

namespace fairlead::objects {
namespace {

// By the variant's order.
constexpr std::string_view kKinds[] = {"Node",
                                       "Pod",
                                       "Namespace",
                                       "PriorityClass",
                                       "Job",
                                       "DaemonSet",
                                       "PodDisruptionBudget",
                                       "Queue",
                                       "Workload",
                                       "SchedulerConfiguration",
                                       "ElasticQuota",
                                       "ResourceQuota",
                                       {},  // as its row says
                                       "ClusterQueue",
                                       "Cohort",
                                       "LocalQueue",
                                       "ResourceFlavor",
                                       "PersistentVolumeClaim",
                                       "PersistentVolume",
                                       "StorageClass",
                                       "CSINode",
                                       "VolumeAttachment",
                                       "CSIDriver",
                                       "CSIStorageCapacity",
                                       kPodGroup,
                                       kTopology,
                                       kWindow,
                                       "WorkloadPriorityClass",
                                       kHyperNode};
static_assert(std::size(kKinds) == std::variant_size_v<Object>);

}  // namespace

std::string_view KindOf(const Object& object) {
  const auto* job = std::get_if<JobObject>(&object);
  return job == nullptr ? kKinds[object.index()] : std::string_view(job->row->kind);
}

std::string_view QualifiedKindOf(const Object& object) {
  if (const auto* group = std::get_if<PodGroup>(&object)) return RowOf(group->api).qualified_kind;
  const auto* topology = std::get_if<Topology>(&object);
  const bool is_ours = topology == nullptr || topology->dialect_kind.empty();
  return is_ours ? KindOf(object) : RowOf(*topology).dialect_kind;
}

std::string_view QualifiedKind(std::string_view kind, std::string_view group) {
  if (kind == kPodGroup) {
    const GroupRow* row = FindGroupRow(group);
    return row == nullptr ? kind : row->qualified_kind;
  }
  if (kind != kTopology) return kind;
  const auto rows = TopologyRows();
  const auto row = std::ranges::find(rows, group, &TopologyRow::group);
  return row == rows.end() || row->dialect_kind.empty() ? kind : row->dialect_kind;
}

bool JobObject::is_in_order() const {
  if (row->order.always) return true;
  if (const std::string& set = row->order.with_set; !set.empty()) {
    return std::ranges::find(pod_sets, set, &Replicas::name) != pod_sets.end();
  }
  return !order.empty() && std::ranges::find(row->order.values, order) != row->order.values.end();
}

std::span<const std::string_view> KindNames() { return kKinds; }

JobStatus StatusOf(const Object& job) {
  if (const auto* generic = std::get_if<JobObject>(&job)) return {.complete = generic->complete()};
  const auto& batch = std::get<Job>(job);
  return {.succeeded = batch.succeeded,
          .failed = batch.failed,
          .active = batch.active,
          .complete = batch.complete};
}

void SetStatus(Object& job, const JobStatus& status) {
  if (auto* generic = std::get_if<JobObject>(&job)) {
    const std::vector<std::string>& succeeded = generic->row->finished.succeeded;
    if (!status.complete) {
      generic->ended.clear();
    } else if (!generic->complete() && !succeeded.empty()) {
      generic->ended = succeeded.front();
    }
    return;
  }
  auto& batch = std::get<Job>(job);
  batch.succeeded = status.succeeded;
  batch.failed = status.failed;
  batch.active = status.active;
  batch.complete = status.complete;
}

const Meta& MetaOf(const Object& object) {
  return std::visit([](const auto& o) -> const Meta& { return o.meta; }, object);
}

Meta& MetaOf(Object& object) {
  return std::visit([](auto& o) -> Meta& { return o.meta; }, object);
}

namespace {

std::optional<Time> SinceWhen(std::string_view type, bool holds,
                              const std::vector<Condition>& conditions) {
  const auto found = std::ranges::find_if(
      conditions, [&](const Condition& c) { return c.type == type && c.holds == holds; });
  return found == conditions.end() ? std::nullopt : found->since;
}

}  // namespace

std::optional<Time> Workload::AdmittedSince() const {
  return SinceWhen("Admitted", true, conditions);
}
std::optional<Time> Workload::WaitsAnewSince() const {
  return std::max(SinceWhen("Admitted", false, conditions),
                  SinceWhen(kInactiveCondition, false, conditions));
}
bool Workload::ShowsInactive() const {
  return std::ranges::any_of(
      conditions, [](const Condition& c) { return c.type == kInactiveCondition && c.holds; });
}
std::optional<Time> Workload::BrokenSince() const {
  return SinceWhen(kBrokenCondition, true, conditions);
}

std::optional<Time> Workload::MovedAt() const {
  return SinceWhen(kMovedCondition, true, conditions);
}

std::optional<Loan> Workload::OnLoan() const {
  const auto found = std::ranges::find(conditions, kOnLoanCondition, &Condition::type);
  if (found == conditions.end() || !found->holds) return std::nullopt;
  return ParseLoan(found->message);
}

std::int64_t Weight::Of(std::string_view resource) const {
  const auto found = std::find_if(by_resource.begin(), by_resource.end(),
                                  [&](const auto& entry) { return entry.first == resource; });
  return found == by_resource.end() ? milli : found->second;
}

bool NeedsTypicalPods(NodeChoice choice) {
  return choice == NodeChoice::kFragmentation || choice == NodeChoice::kFgd;
}

std::string_view ToString(NodeChoice choice) {
  for (const auto& [word, value] : kNodeChoices) {
    if (value == choice) return word;
  }
  return {};
}

std::string_view ToString(PreferenceOrder order) {
  for (const auto& [word, value] : kPreferenceOrders) {
    if (value == order) return word;
  }
  return {};
}

std::string_view ToString(PodPhase phase) {
  switch (phase) {
    case PodPhase::kPending:
      return "Pending";
    case PodPhase::kRunning:
      return "Running";
    case PodPhase::kSucceeded:
      return "Succeeded";
    case PodPhase::kFailed:
      return "Failed";
    case PodPhase::kUnknown:
      return "Unknown";
  }
  return "Unknown";
}

}  // namespace fairlead::objects
