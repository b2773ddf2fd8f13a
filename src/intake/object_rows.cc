#include <algorithm>

#include <fmt/format.h>

#include "intake/job.h"
#include "intake/kueue/decoders.h"
#include "intake/kueue/flavor_demand.h"
#include "intake/same.h"
#include "intake/store.h"
#include "intake/workload.h"
#include "objects/keys.h"

// Everything but pods as rows: what each object changes, and whom that concerns.

namespace fairlead::intake {
namespace {

template <typename Facts>
Time CreatedOf(const objects::Meta& meta, const Facts* held, Time now) {
  return meta.creation_time.value_or(held == nullptr ? now : held->created);
}

// The row's job of that kind; null where there was none.
std::unique_ptr<JobFacts>& JobOf(GangRow& gang, const jobs::JobKind& kind) {
  auto at = gang.jobs.begin();
  for (const jobs::JobKind* each : jobs::AllKinds()) {
    const bool here = at != gang.jobs.end() && (*at)->kind == each;
    if (each == &kind) return here ? *at : *gang.jobs.insert(at, nullptr);
    if (here) ++at;
  }
  return gang.jobs.emplace_back();
}

}  // namespace

void Intake::Store::Upsert(const objects::Node& node) {
  state::NodeChange fresh{.name = node.meta.name,
                          .labels = node.meta.labels,
                          .taints = node.taints,
                          .allocatable = node.allocatable,
                          .schedulable = !node.unschedulable,
                          .ready = node.ready};
  const NodeId id = nodes_.Add(node.meta.name);
  NodeRow& row = nodes_[id];
  if (!row.change.name.empty() && Same(row.change, fresh)) return;
  flavors_moved_ |= row.change.labels != fresh.labels;
  if (!row.change.name.empty() && row.in_pool) CountPool(row, -1);
  row.change = std::move(fresh);
  row.source = InternSource(node.meta.source, names_);
  SetPool(row, InPool(row));
  if (row.in_pool) CountPool(row, +1);
  Mark(id);
}

bool Intake::Store::InPool(const NodeRow& row) const {
  return HasAll(row.change.labels, configuration_->node_selector);
}

void Intake::Store::SetPool(NodeRow& row, bool in_pool) {
  row.in_pool = in_pool;
  const NameId name = names_.Intern(row.name);
  if (outside_pool_.size() <= name.value()) outside_pool_.resize(name.value() + 1);
  if (outside_pool_[name.value()] == !in_pool) return;
  outside_pool_[name.value()] = !in_pool;
  pool_moved_ = true;
}

objects::Labels Intake::Store::LabelsOfNameSpace(std::string_view name_space) const {
  constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
  objects::Labels labels;
  if (auto held = name_space_labels_.find(name_space); held != name_space_labels_.end()) {
    labels = held->second;
  }
  // Every namespace has this one, also where its document does not show it.
  if (objects::FindLabel(labels, kNameLabel) == nullptr) {
    labels.emplace_back(std::string(kNameLabel), std::string(name_space));
    std::ranges::sort(labels);
  }
  return labels;
}

void Intake::Store::Upsert(const objects::Namespace& name_space) {
  const std::string& name = name_space.meta.name;
  const bool trusted = TrustsDaemonSetsOf(name);
  auto labels = name_space_labels_.find(name);
  const bool none = name_space.meta.labels.empty();
  if (none ? labels != name_space_labels_.end()
           : labels == name_space_labels_.end() || labels->second != name_space.meta.labels) {
    if (none) {
      name_space_labels_.erase(labels);
    } else {
      name_space_labels_[name] = name_space.meta.labels;
    }
    if (!kueue_.cluster_queues.empty() || TrustsDaemonSetsOf(name) != trusted) {
      scope_.name_spaces.insert(name);
    }
  }
  const std::string* label = objects::FindLabel(name_space.meta.labels, objects::kQueueLabel);
  const std::string queue = label == nullptr ? "" : *label;
  auto held = bound_name_spaces_.find(name);
  if ((held == bound_name_spaces_.end() ? "" : held->second.queue) == queue) return;
  if (queue.empty()) {
    bound_name_spaces_.erase(held);
  } else {
    const Source source = InternSource(name_space.meta.source, names_);
    bound_name_spaces_[name] = {.queue = queue, .source = source};
  }
  scope_.name_spaces.insert(name);
  dirty_quotas_.insert(name);
}

void Intake::Store::Upsert(const objects::PriorityClass& priority_class) {
  bool default_moved = false;
  if (!classes_.Upsert(priority_class, default_moved)) return;
  scope_.classes.insert(priority_class.meta.name);
  scope_.default_class |= default_moved;
}

void Intake::Store::Upsert(const objects::Queue& queue, Time now) {
  auto [at, added] = queues_.try_emplace(queue.meta.name);
  QueueRow& row = at->second;
  kueue_dirty_ |= added;  // a name that one of Kueue's queues may have
  scope_.queue_tree |= added || row.queue.parent != queue.parent;
  row.created = queue.meta.creation_time.value_or(added ? now : row.created);
  row.queue = queue;
  dirty_queues_.insert(queue.meta.name);
  if (added) NameQuotaQueue(queue.meta.name);
}

void Intake::Store::Upsert(const objects::Workload& workload, Time now) {
  if (workload.dialect_kind == kKueueWorkloadKind) {
    UpsertKueueWorkload(workload, now);
    return;
  }
  const GangId id = gangs_.Add(workload.meta.Key());
  GangRow& gang = gangs_[id];
  auto& held = workload.dialect_kind.empty() ? gang.workload : gang.pod_group;
  const Time created = CreatedOf(workload.meta, held.get(), now);
  held = std::make_unique<GangFacts>(intake::FactsOf(workload, created, needs_, names_));
  for (FamilyId family : gang.families) Mark(family);  // its pod sets may be others
  Mark(id);
}

void Intake::Store::UpsertJob(const objects::Object& job, const jobs::JobKind& kind, Time now) {
  const objects::Meta& meta = objects::MetaOf(job);
  const GangId id = gangs_.Add(meta.Key());
  GangRow& gang = gangs_[id];
  std::unique_ptr<JobFacts>& held = JobOf(gang, kind);
  const Time created = CreatedOf(meta, held.get(), now);
  auto fresh = std::make_unique<JobFacts>(intake::FactsOf(job, kind, created, needs_, names_));
  if (held == nullptr || held->uid != fresh->uid || held->gang != fresh->gang ||
      held->foreign != fresh->foreign || held->queue != fresh->queue) {
    for (FamilyId family : gang.families) Mark(family);
  }
  if (gang.job == held.get()) gang.job = fresh.get();
  held = std::move(fresh);
  Mark(id);
}

void Intake::Store::Upsert(const objects::SchedulerConfiguration& configuration) {
  if (Same(*configuration_, configuration)) return;
  dirty_queues_.insert(configuration_->default_queue);
  dirty_queues_.insert(configuration.default_queue);
  const std::string default_before = configuration_->default_queue;
  kueue_dirty_ = true;
  configuration_ = std::make_shared<const objects::SchedulerConfiguration>(configuration);
  configuration_dirty_ = true;
  NameQuotaQueue(default_before);
  NameQuotaQueue(configuration.default_queue);
  scope_.all = true;
  nodes_.ForEach([&](NodeId id, NodeRow& row) {
    const bool in_pool = InPool(row);
    if (in_pool == row.in_pool) return;
    SetPool(row, in_pool);
    CountPool(row, in_pool ? +1 : -1);
    Mark(id);
  });
}

bool Intake::Store::Remove(std::string_view kind, std::string_view name_space,
                           std::string_view name) {
  const std::string key = fmt::format("{}/{}", name_space, name);
  if (kind == "Pod") return RemovePod(key);
  if (kind == "Node") return RemoveNode(name);
  const bool is_job = jobs::FindKind(kind) != nullptr;
  if (is_job || kind == "Workload" || kind == "PodGroup") return RemoveGang(kind, key);
  if (kind == "Namespace") {
    auto labels = name_space_labels_.find(name);
    if (labels == name_space_labels_.end()) return false;
    const bool trusted = TrustsDaemonSetsOf(name);
    name_space_labels_.erase(labels);
    if (!kueue_.cluster_queues.empty() || TrustsDaemonSetsOf(name) != trusted) {
      scope_.name_spaces.emplace(name);
    }
    auto found = bound_name_spaces_.find(name);
    if (found == bound_name_spaces_.end()) return true;
    scope_.name_spaces.insert(found->first);
    dirty_quotas_.insert(found->first);
    bound_name_spaces_.erase(found);
    return true;
  }
  if (kind == "PriorityClass") {
    bool default_moved = false;
    if (!classes_.Remove(name, default_moved)) return false;
    scope_.classes.emplace(name);
    scope_.default_class |= default_moved;
    return true;
  }
  if (kind == "Queue") {
    auto found = queues_.find(name);
    if (found == queues_.end()) return false;
    dirty_queues_.insert(found->first);
    queues_.erase(found);
    kueue_dirty_ = true;
    scope_.queue_tree = true;
    NameQuotaQueue(name);
    return true;
  }
  if (kind == "DaemonSet") return RemoveDaemonSet(key);
  if (kind == "PodDisruptionBudget") return RemoveBudget(key);
  if (kind == "ElasticQuota") return RemoveQuota(name_space, name);
  if (kind == "ResourceQuota") return RemoveHard(key);
  if (kind == "PersistentVolumeClaim") return RemoveVolumeClaim(key);
  if (kind == "PersistentVolume") return RemoveVolume(name);
  if (kind == "ClusterQueue" || kind == "Cohort" || kind == "LocalQueue" ||
      kind == "ResourceFlavor") {
    return RemoveKueue(kind, name_space, name);
  }
  if (kind == "SchedulerConfiguration") {
    Upsert(objects::SchedulerConfiguration());
    return true;
  }
  return false;
}

bool Intake::Store::RemoveNode(std::string_view name) {
  NodeId id = nodes_.Find(name);
  if (!id.valid()) return false;
  NodeRow& row = nodes_[id];
  if (row.given) removals_.push_back({.kind = state::RowKind::kNode, .name = row.name});
  if (row.in_pool) CountPool(row, -1);
  SetPool(row, true);  // nothing is known of it any more
  flavors_moved_ = true;
  nodes_.Erase(id);
  return true;
}

// `kind` is the object's: a Workload and a Job of one name are two sources of one row. A dialect's
// object is a Workload to those who do not tell them apart.
bool Intake::Store::RemoveGang(std::string_view kind, std::string_view key) {
  GangId id = gangs_.Find(key);
  const bool others_too = id.valid() && (gangs_[id].workload != nullptr || gangs_[id].pod_group);
  if (kind == "Workload" && !others_too) return RemoveKueueWorkload(key);
  if (!id.valid()) return false;
  GangRow& gang = gangs_[id];
  bool known = false;
  if (const jobs::JobKind* job_kind = jobs::FindKind(kind)) {
    known = std::erase_if(gang.jobs, [&](const auto& job) { return job->kind == job_kind; }) > 0;
    gang.job = nullptr;
  } else {
    auto& held = kind == "Workload" && gang.workload != nullptr ? gang.workload : gang.pod_group;
    known = held != nullptr;
    held = nullptr;
  }
  if (!known) return false;
  for (FamilyId family : gang.families) Mark(family);
  Mark(id);
  return true;
}

}  // namespace fairlead::intake
