#include "intake/store.h"

#include <utility>

#include "intake/findings/findings_pass.h"
#include "intake/join/asked_spec.h"
#include "intake/tables/change_equal.h"
#include "objects/job_rows.h"
#include "objects/keys.h"

// Objects that concern several parts: what each changes, and whom that concerns.

namespace fairlead::intake {

namespace {

// An empty one is not kept. False: it was so already.
template <typename Said>
bool Keep(Tables::ByName<Said>& all, const std::string& name, const Said& said) {
  const auto held = all.find(name);
  if (held == all.end() ? said.empty() : held->second == said) return false;
  if (said.empty()) {
    all.erase(held);
  } else {
    all[name] = said;
  }
  return true;
}

}  // namespace

void Intake::Store::KnowAllOwners() {
  if (std::exchange(tables_.owners_are_told, true)) return;
  for (const objects::JobRow& row : objects::JobRows()) {
    if (row.always_served) tables_.job_kinds.insert(row.kind);
  }
  marks_.scope().all = true;
}

void Intake::Store::SetLabels(const std::string& name_space, const objects::Labels& labels) {
  const bool trusted = daemon_sets_.Trusts(name_space);
  if (!Keep(tables_.name_space_labels, name_space, labels)) return;
  demands_.NoteNameSpaces();
  if (kueue_.has_cluster_queues() || daemon_sets_.Trusts(name_space) != trusted) {
    marks_.scope().name_spaces.insert(name_space);
  }
}

void Intake::Store::SetOwner(const std::string& name_space, const std::string& owner) {
  if (Keep(tables_.name_space_owners, name_space, owner)) {
    marks_.scope().name_spaces.insert(name_space);
  }
}

void Intake::Store::Upsert(const objects::Namespace& name_space) {
  const std::string& name = name_space.meta.name;
  SetLabels(name, name_space.meta.labels);
  std::string asks = PackForeignOfNameSpace(name_space.meta.annotations);
  if (asks.empty()) {
    tables_.foreign_name_spaces.erase(name);
  } else {
    const Source source = InternSource(name_space.meta.source, tables_.names);
    tables_.foreign_name_spaces[name] = {.asks = std::move(asks), .source = source};
  }
  const std::string* owner =
      objects::FindLabel(name_space.meta.annotations, objects::kOwnerAnnotation);
  SetOwner(name, owner == nullptr ? std::string() : *owner);
  const std::string* label = objects::FindLabel(name_space.meta.labels, objects::kQueueLabel);
  const std::string queue = label == nullptr ? "" : *label;
  auto held = tables_.bound_name_spaces.find(name);
  if ((held == tables_.bound_name_spaces.end() ? "" : held->second.queue) == queue) return;
  if (queue.empty()) {
    tables_.bound_name_spaces.erase(held);
  } else {
    const Source source = InternSource(name_space.meta.source, tables_.names);
    tables_.bound_name_spaces[name] = {.queue = queue, .source = source};
  }
  marks_.scope().name_spaces.insert(name);
  quotas_.MarkSpace(name);
}

// One without labels is not known.
bool Intake::Store::RemoveNamespace(std::string_view name) {
  if (auto at = tables_.foreign_name_spaces.find(name); at != tables_.foreign_name_spaces.end()) {
    tables_.foreign_name_spaces.erase(at);
  }
  SetOwner(std::string(name), {});
  if (!tables_.name_space_labels.contains(name)) return false;
  SetLabels(std::string(name), {});
  auto found = tables_.bound_name_spaces.find(name);
  if (found == tables_.bound_name_spaces.end()) return true;
  marks_.scope().name_spaces.insert(found->first);
  quotas_.MarkSpace(found->first);
  tables_.bound_name_spaces.erase(found);
  return true;
}

void Intake::Store::Upsert(const objects::Queue& queue, Time now) {
  auto [at, added] = tables_.queues.try_emplace(queue.meta.name);
  QueueRow& row = at->second;
  if (added) marks_.MarkQueueNames();
  const bool moved = added || row.queue.parent != queue.parent;
  marks_.scope().queue_tree |= moved;
  row.created = queue.meta.creation_time.value_or(added ? now : row.created);
  const bool bounds_otherwise = row.queue.max_run_time != queue.max_run_time ||
                                row.queue.default_run_time != queue.default_run_time;
  const bool bounded = row.bounds_run_time();
  row.queue = queue;
  tables_.bounding_queues += row.bounds_run_time();
  tables_.bounding_queues -= bounded;
  if (bounds_otherwise || (moved && tables_.bounding_queues > 0)) {
    marks_.scope().bounding_queues.insert(queue.meta.name);
  }
  marks_.MarkQueue(queue.meta.name);
  if (added) quotas_.NameQueue(queue.meta.name);
}

bool Intake::Store::RemoveQueue(std::string_view name) {
  auto found = tables_.queues.find(name);
  if (found == tables_.queues.end()) return false;
  marks_.MarkQueue(found->first);
  if (tables_.bounding_queues > 0) marks_.scope().bounding_queues.insert(found->first);
  tables_.bounding_queues -= found->second.bounds_run_time();
  tables_.queues.erase(found);
  marks_.MarkQueueNames();
  marks_.scope().queue_tree = true;
  quotas_.NameQueue(name);
  return true;
}

void Intake::Store::UpsertJob(const objects::Object& job, const jobs::JobKind& kind, Time now) {
  gang_rows_.UpsertJob(job, kind, now);
}

void Intake::Store::Upsert(const objects::SchedulerConfiguration& configuration) {
  if (Same(*tables_.configuration, configuration)) return;
  const std::string default_before = tables_.configuration->default_queue;
  marks_.MarkQueue(default_before);
  marks_.MarkQueue(configuration.default_queue);
  marks_.MarkQueueNames();
  tables_.configuration = std::make_shared<const objects::SchedulerConfiguration>(configuration);
  configuration_dirty_ = true;
  quotas_.NameQueue(default_before);
  quotas_.NameQueue(configuration.default_queue);
  marks_.scope().all = true;
  pool_.SelectAnew();
}

bool Intake::Store::Remove(std::string_view kind, std::string_view name_space,
                           std::string_view name) {
  const std::string key = std::string(name_space).append(1, '/').append(name);
  if (kind == "Pod") return pod_rows_.Remove(key);
  if (kind == "Node") return pool_.Remove(name);
  const bool is_job = jobs::FindKind(kind) != nullptr;
  const bool is_group = kind == objects::kPodGroup || objects::FindGroupRowOfKind(kind) != nullptr;
  if (is_job || is_group || kind == "Workload") return gang_rows_.Remove(kind, key);
  if (kind == "Namespace") return RemoveNamespace(name);
  if (kind == "PriorityClass") return tables_.classes.Remove(name, marks_.scope());
  if (kind == "WorkloadPriorityClass") return tables_.classes.RemoveKueues(name, marks_.scope());
  if (kind == "Queue") return RemoveQueue(name);
  if (kind == "DaemonSet") return daemon_sets_.Remove(key);
  if (kind == objects::kHyperNode) return hyper_nodes_.Remove(name);
  if (kind.starts_with(objects::kTopology)) return topologies_.Remove(kind, name);
  if (kind == objects::kWindow) return windows_.Remove(name);
  if (kind == "PodDisruptionBudget") return budgets_.Remove(key);
  if (kind == "ElasticQuota") return quotas_.Remove(name_space, name);
  if (kind == "ResourceQuota") return quotas_.RemoveHard(key);
  if (kind == "PersistentVolumeClaim") return volumes_.RemoveClaim(key);
  if (kind == "PersistentVolume") return volumes_.RemoveVolume(name);
  if (kind == "StorageClass") return volumes_.RemoveClass(name);
  if (kind == "CSINode") return volumes_.RemoveCSINode(name);
  if (kind == "CSIDriver") return volumes_.RemoveDriver(name);
  if (kind == "CSIStorageCapacity") return volumes_.RemoveStorage(key);
  if (kind == "VolumeAttachment") return volumes_.RemoveAttachment(name);
  if (kind == "ClusterQueue" || kind == "Cohort" || kind == "LocalQueue" ||
      kind == "ResourceFlavor") {
    return kueue_.Remove(kind, name_space, name);
  }
  if (kind == "SchedulerConfiguration") {
    Upsert(objects::SchedulerConfiguration());
    return true;
  }
  return false;
}

std::string Intake::Store::AskedSpecOf(std::string_view workload) const {
  const GangId id = tables_.gangs.Find(workload);
  if (!id.valid() || tables_.gangs[id].source == GangSource::kNone) return {};
  return intake::AskedSpecOf(tables_.gangs[id]);
}

std::string Intake::Store::AskedSpecOfJobOf(std::string_view pod) const {
  const PodId id = tables_.pods.Find(pod);
  if (!id.valid()) return {};
  const Family& family = tables_.families[tables_.pods[id].family];
  const JobFacts* job = JobOfPods(tables_, family, UnpackTraits(family.name));
  return job == nullptr ? std::string() : intake::AskedSpecOf(*job);
}

std::vector<Finding> Intake::Store::Findings() const {
  const Known known{.tables = tables_,
                    .quotas = quotas_,
                    .kueue = kueue_,
                    .daemon_sets = daemon_sets_,
                    .queues = queue_tree_,
                    .asks = asks_,
                    .topologies = topologies_,
                    .topology_join = topology_join_,
                    .windows = windows_,
                    .traits = traits_,
                    .gangs = gang_join_};
  return FindingsPass(known).Run();
}

}  // namespace fairlead::intake
