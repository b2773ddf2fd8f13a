// What Kueue's objects change of the joins. The queues themselves are made in kueue_model.cc; here
// they are compared with those of before, and whom a difference concerns is joined anew: the work
// of a LocalQueue that leads elsewhere, or of a queue whose flavor or namespaces are others. A
// quota that changes joins nothing.

#include <algorithm>

#include <fmt/format.h>

#include "intake/holds.h"
#include "intake/kueue/decoders.h"
#include "intake/same.h"
#include "intake/store.h"
#include "intake/workload.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

template <typename T>
bool Keep(KueueObjects::Rows<T>& rows, const std::string& key, const T& object, Time now) {
  auto [at, added] = rows.try_emplace(key);
  const Time created = object.meta.creation_time.value_or(added ? now : at->second.created);
  if (!added && at->second.object == object && at->second.created == created) return false;
  at->second = {.object = object, .created = created};
  return true;
}

template <typename Rows>
bool Erase(Rows& rows, std::string_view key) {
  auto found = rows.find(key);
  if (found == rows.end()) return false;
  rows.erase(found);
  return true;
}

// Calls `differs(name)` for each that is in one of them only, or is not the same in both.
template <typename Rows, typename SameRow, typename Differs>
void Compare(const Rows& before, const Rows& after, SameRow same, Differs differs) {
  for (const auto& [name, row] : before) {
    auto found = after.find(name);
    if (found == after.end() || !same(row, found->second)) differs(name);
  }
  for (const auto& [name, row] : after) {
    if (!before.contains(name)) differs(name);
  }
}

}  // namespace

void Intake::Store::Upsert(const objects::ClusterQueue& queue, Time now) {
  kueue_dirty_ |= Keep(kueue_.cluster_queues, queue.meta.name, queue, now);
}

void Intake::Store::Upsert(const objects::Cohort& cohort, Time now) {
  kueue_dirty_ |= Keep(kueue_.cohorts, cohort.meta.name, cohort, now);
}

void Intake::Store::Upsert(const objects::LocalQueue& queue, Time now) {
  kueue_dirty_ |= Keep(kueue_.local_queues, queue.meta.Key(), queue, now);
}

void Intake::Store::Upsert(const objects::ResourceFlavor& flavor, Time now) {
  kueue_dirty_ |= Keep(kueue_.flavors, flavor.meta.name, flavor, now);
}

bool Intake::Store::RemoveKueue(std::string_view kind, std::string_view name_space,
                                std::string_view name) {
  bool known = false;
  if (kind == "ClusterQueue") known = Erase(kueue_.cluster_queues, name);
  if (kind == "Cohort") known = Erase(kueue_.cohorts, name);
  if (kind == "ResourceFlavor") known = Erase(kueue_.flavors, name);
  if (kind == "LocalQueue") {
    known = Erase(kueue_.local_queues, fmt::format("{}/{}", name_space, name));
  }
  kueue_dirty_ |= known;
  return known;
}

void Intake::Store::RemakeKueue() {
  if (!std::exchange(kueue_dirty_, false)) return;
  // What has its name by itself: a Queue, or the queue of a namespace's ElasticQuotas.
  const auto is_taken = [this](std::string_view name) {
    return queues_.contains(name) || quota_queues_.contains(name) ||
           (name == kElasticQuotas && !quotas_.empty());
  };
  const KueueModel before =
      std::exchange(kueue_model_, MakeKueueModel(kueue_, is_taken, configuration_->default_queue));
  // Who demands the same goes on with the same value, so that comparing pointers tells.
  for (auto& [name, leaf] : kueue_model_.leaves) {
    auto held = before.leaves.find(name);
    if (held == before.leaves.end() || !held->second.demands || !leaf.demands) continue;
    if (*held->second.demands == *leaf.demands) leaf.demands = held->second.demands;
  }
  demanded_.clear();
  if (before.counted != kueue_model_.counted) MarkNodes();
  Compare(
      before.queues, kueue_model_.queues,
      [&](const state::QueueChange& a, const state::QueueChange& b) {
        scope_.queue_tree |= a.parent != b.parent;
        return Same(a, b);
      },
      [&](const std::string& name) {
        dirty_queues_.insert(name);
        scope_.queue_tree |= before.queues.contains(name) != kueue_model_.queues.contains(name);
      });
  Compare(before.leaves, kueue_model_.leaves, std::equal_to<>(),
          [&](const std::string& name) { scope_.queues.insert(name); });
  Compare(before.locals, kueue_model_.locals, std::equal_to<>(),
          [&](const std::string& key) { scope_.local_queues.insert(key); });
}

// What they have of each flavor is told anew, and what runs on them is counted anew.
void Intake::Store::MarkNodes() {
  flavors_moved_ = true;
  nodes_.ForEach([this](NodeId id, NodeRow& row) {
    if (std::exchange(row.dirty, true)) return;
    dirty_nodes_.push_back(id);
  });
}

const KueueLocal* Intake::Store::FindLocal(std::string_view name_space,
                                           std::string_view name) const {
  if (kueue_model_.locals.empty() || name.empty()) return nullptr;
  auto found = kueue_model_.locals.find(fmt::format("{}/{}", name_space, name));
  return found == kueue_model_.locals.end() ? nullptr : &found->second;
}

const KueueLeaf* Intake::Store::FindLeaf(std::string_view queue) const {
  auto found = kueue_model_.leaves.find(queue);
  return found == kueue_model_.leaves.end() ? nullptr : &found->second;
}

std::shared_ptr<const FlavorDemands> Intake::Store::DemandsOf(std::string_view queue) const {
  const KueueLeaf* leaf = FindLeaf(queue);
  return leaf == nullptr ? nullptr : leaf->demands;
}

// What a namespace may not do with a queue that stands for a ClusterQueue.
std::optional<state::Reason> Intake::Store::KueueHold(std::string_view queue,
                                                      std::string_view name_space) const {
  const KueueLeaf* leaf = FindLeaf(queue);
  if (leaf == nullptr) return std::nullopt;
  if (!leaf->name_spaces) return NamespaceNotSelected(leaf->cluster_queue, name_space, false);
  if (objects::Matches(*leaf->name_spaces, LabelsOfNameSpace(name_space))) return std::nullopt;
  return NamespaceNotSelected(leaf->cluster_queue, name_space, true);
}

state::NeedsPtr Intake::Store::Demanded(const state::NeedsPtr& needs,
                                        const std::shared_ptr<const FlavorDemands>& demands,
                                        NameId node) const {
  constexpr std::size_t kMostKept = 4096;
  if (demands == nullptr || needs == nullptr) return needs;
  const objects::Labels* node_labels = nullptr;
  if (node != Names::kEmpty && !kueue_model_.counted.empty()) {
    const intake::NodeId id = nodes_.Find(names_[node]);
    if (id.valid()) node_labels = &nodes_[id].change.labels;
  }
  if (node_labels != nullptr) return needs_.Intern(WithDemands(*needs, *demands, node_labels));
  if (demanded_.size() > kMostKept) demanded_.clear();
  state::NeedsPtr& with = demanded_[{needs, demands}];
  if (with == nullptr) with = needs_.Intern(WithDemands(*needs, *demands, nullptr));
  return with;
}

// The workload that it is: the Job's that controls it, else its own.
std::string Intake::Store::KueueGangOf(const objects::Workload& workload) {
  const objects::OwnerReference* owner = workload.meta.Controller();
  const bool of_job = owner != nullptr && jobs::FindKind(owner->kind) != nullptr;
  return fmt::format("{}/{}", workload.meta.name_space, of_job ? owner->name : workload.meta.name);
}

void Intake::Store::UpsertKueueWorkload(const objects::Workload& workload, Time now) {
  const std::string key = workload.meta.Key();
  auto [at, added] = kueue_workloads_.try_emplace(key);
  KueueWorkloadRow& row = at->second;
  const std::string gang = KueueGangOf(workload);
  if (!added && row.gang != gang) {
    kueue_of_gang_[row.gang].erase(key);
    ChooseKueueWorkload(row.gang);
  }
  const Time created = workload.meta.creation_time.value_or(added ? now : row.facts->created);
  row.gang = gang;
  row.facts = std::make_shared<GangFacts>(intake::FactsOf(workload, created, needs_, names_));
  row.facts->local_queue = true;
  row.facts->dialect_name = key;
  kueue_of_gang_[gang].insert(key);
  ChooseKueueWorkload(gang);
}

bool Intake::Store::RemoveKueueWorkload(std::string_view key) {
  auto found = kueue_workloads_.find(key);
  if (found == kueue_workloads_.end()) return false;
  const std::string gang = found->second.gang;
  kueue_of_gang_[gang].erase(found->first);
  kueue_workloads_.erase(found);
  ChooseKueueWorkload(gang);
  return true;
}

// Of several that stand for one Job the one that is not over counts, the oldest of those.
void Intake::Store::ChooseKueueWorkload(const std::string& gang_name) {
  const GangId id = gangs_.Add(gang_name);
  GangRow& gang = gangs_[id];
  gang.kueue = nullptr;
  for (const std::string& key : kueue_of_gang_[gang_name]) {
    const std::shared_ptr<const GangFacts>& facts = kueue_workloads_.at(key).facts;
    const auto rank = [](const GangFacts& of) { return std::pair(!of.active, of.created); };
    if (gang.kueue == nullptr || rank(*facts) < rank(*gang.kueue)) gang.kueue = facts;
  }
  if (kueue_of_gang_[gang_name].empty()) kueue_of_gang_.erase(gang_name);
  for (FamilyId family : gang.families) Mark(family);
  Mark(id);
}

}  // namespace fairlead::intake
