#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "intake/job.h"
#include "intake/same.h"
#include "intake/store.h"
#include "objects/key.h"
#include "objects/keys.h"

// TakeChanges: one walk over what was marked, from what decides to what is decided.
//   1. a change of a namespace, a class, the queue tree or the configuration marks whom it concerns
//   2. gangs: their source, queue and priority; marks their families where those changed
//   3. families: to which workload they belong; marks their pods, and their gang for its counts
//   4. gangs again: their counts, and the pods beyond them
//   5. labels: which budgets select them, and which running pods refuse them; marks the pods of
//      those where that changed
//   6. what comes out, kind by kind, by name

namespace fairlead::intake {

using state::Change;
using state::Removal;
using state::RowKind;

bool Intake::Store::Touches(const Scope& scope, const Stand& stand) const {
  const std::string_view name_space = stand.name_space;
  if (scope.all || scope.name_spaces.contains(name_space)) return true;
  const std::string_view class_name = stand.class_name;
  if (class_name.empty() ? scope.default_class : scope.classes.contains(class_name)) return true;
  if (!scope.queues.empty() && scope.queues.contains(names_[stand.queue])) return true;
  if (!scope.local_queues.empty() && !stand.local_queue.empty() &&
      scope.local_queues.contains(fmt::format("{}/{}", name_space, stand.local_queue))) {
    return true;
  }
  if (stand.named.empty()) return false;
  const bool any_quota = !quotas_.empty() || !scope.quota_queues.empty();
  if (scope.queue_tree && (any_quota || bound_name_spaces_.contains(name_space))) return true;
  return !scope.quota_queues.empty() && !FirstUpwards(stand.named, [&](std::string_view at) {
                                           return scope.quota_queues.contains(at);
                                         }).empty();
}

void Intake::Store::SpreadScope() {
  if (!scope_.any()) return;
  const Scope scope = std::exchange(scope_, Scope());
  gangs_.ForEach([&](GangId id, const GangRow& gang) {
    Stand stand{.name_space = objects::SplitKey(gang.name).name_space, .queue = gang.queue};
    if (const GangFacts* facts = gang.facts(); facts != nullptr) {
      stand.class_name = facts->priority_class;
      stand.named = facts->queue;
      if (gang.NamesLocalQueue()) stand.local_queue = facts->queue;
      if (Touches(scope, stand)) Mark(id);
    }
    for (const auto& job : gang.jobs) {
      stand.class_name = job->priority_class;
      stand.named = job->queue.empty() ? job->template_queue : job->queue;
      stand.local_queue = job->local_queue ? std::string_view(job->queue) : std::string_view();
      if (Touches(scope, stand)) Mark(id);
    }
  });
  families_.ForEach([&](FamilyId id, const Family& family) {
    const PodClaims claims = UnpackClaims(family.name);
    const Stand stand{.name_space = claims.name_space,
                      .class_name = claims.priority_class,
                      .named = claims.queue,
                      .local_queue = claims.local_queue ? claims.queue : std::string_view(),
                      .queue = family.join.queue};
    if (Touches(scope, stand)) Mark(id);
  });
}

state::QueueChange ChangeOf(const QueueRow& row) {
  const objects::Queue& queue = row.queue;
  return {.name = queue.meta.name,
          .parent = queue.parent,
          .guaranteed = queue.guaranteed,
          .limit = queue.limit,
          .guaranteed_all = queue.guaranteed_all,
          .weight = queue.weight,
          .priority = queue.priority,
          .preempt_min_runtime = queue.preempt_min_runtime,
          .reclaim_min_runtime = queue.reclaim_min_runtime,
          .active = queue.active,
          .created = row.created};
}

void Intake::Store::TakeNodes(std::vector<Change>& out) {
  std::vector<NodeRow*> rows;
  for (NodeId id : dirty_nodes_) {
    if (!nodes_.InUse(id) || !nodes_[id].dirty) continue;
    nodes_[id].dirty = false;
    rows.push_back(&nodes_[id]);
  }
  dirty_nodes_.clear();
  std::ranges::sort(rows, {}, [](const NodeRow* row) -> const std::string& { return row->name; });
  for (NodeRow* row : rows) {
    if (row->in_pool) {
      state::NodeChange change = row->change;
      change.allocatable =
          WithFlavors(std::move(change.allocatable), change.labels, kueue_model_.counted);
      change.refusals = row->refusals;
      const auto misread = misread_pods_.find(names_.Find(row->name));
      if (misread != misread_pods_.end()) change.misread_pod = *misread->second.begin();
      out.emplace_back(std::move(change));
    } else if (row->given) {
      removals_.push_back({.kind = RowKind::kNode, .name = row->name});
    }
    row->given = row->in_pool;
  }
}

// What there is under the name, whatever it is made of.
std::optional<state::QueueChange> Intake::Store::QueueFor(const std::string& name) const {
  if (name == kElasticQuotas && !quotas_.empty()) return QuotasParent();
  if (auto found = queues_.find(name); found != queues_.end()) {
    return intake::ChangeOf(found->second);
  }
  if (auto found = quota_queues_.find(name); found != quota_queues_.end()) {
    return QuotaQueueOf(quotas_.find(found->second)->second, found->second);
  }
  if (auto made = kueue_model_.queues.find(name); made != kueue_model_.queues.end()) {
    return made->second;
  }
  if (name != configuration_->default_queue || !IsUsed(name)) return std::nullopt;
  state::QueueChange made;
  made.name = name;
  made.created = Time::Max();  // the youngest of all
  return made;
}

void Intake::Store::TakeQueues(std::vector<Change>& out) {
  const std::set<std::string, std::less<>> names = std::exchange(dirty_queues_, {});
  for (const std::string& name : names) {
    std::optional<state::QueueChange> fresh = QueueFor(name);
    auto given = given_queues_.find(name);
    if (!fresh) {
      if (given == given_queues_.end()) continue;
      removals_.push_back({.kind = RowKind::kQueue, .name = name});
      given_queues_.erase(given);
    } else if (given == given_queues_.end() || !Same(given->second, *fresh)) {
      given_queues_.insert_or_assign(name, *fresh);
      out.emplace_back(std::move(*fresh));
    }
  }
}

// A job of which nothing is left to run is no workload any more, though its pods may still be
// there.
bool Intake::Store::IsOver(const GangRow& gang) const {
  if (gang.source != GangSource::kJob) return gang.source == GangSource::kNone;
  return PodsLeft(*gang.job) == 0 &&
         std::ranges::all_of(CountPods(gang), [](const Tally& tally) { return tally.live() == 0; });
}

void Intake::Store::TakeGangs(std::vector<Change>& out) {
  std::vector<GangId> ids;
  for (GangId id : std::exchange(dirty_gangs_, {})) {
    if (!gangs_.InUse(id) || !gangs_[id].dirty) continue;
    gangs_[id].dirty = false;
    ids.push_back(id);
  }
  std::ranges::sort(ids, {}, [&](GangId id) -> const std::string& { return gangs_[id].name; });
  for (GangId id : ids) {
    GangRow& gang = gangs_[id];
    if (gang.source != GangSource::kNone) MarkSurplus(gang);
    if (IsOver(gang)) {
      if (gang.given != nullptr)
        removals_.push_back({.kind = RowKind::kWorkload, .name = gang.name});
      gang.given = nullptr;
      DropIfUnused(id);
      continue;
    }
    state::WorkloadChange fresh = ChangeOf(gang);
    if (gang.given != nullptr && Same(*gang.given, fresh)) continue;
    gang.given = std::make_unique<state::WorkloadChange>(fresh);
    out.emplace_back(std::move(fresh));
  }
}

void Intake::Store::TakePods(std::vector<Change>& out) {
  // A pod's flavor is its node's.
  if (std::exchange(flavors_moved_, false) && !kueue_model_.counted.empty()) {
    pods_.ForEach([&](PodId id, const PodRow& row) {
      if (row.facts.node != Names::kEmpty && families_[row.family].join.demands) Mark(id);
    });
  }
  if (std::exchange(pool_moved_, false)) {
    pods_.ForEach([&](PodId id, const PodRow& row) {
      if (row.facts.node != Names::kEmpty && Visible(row) != row.given) Mark(id);
    });
  }
  std::vector<PodRow*> rows;
  rows.reserve(dirty_pods_.size());
  for (PodId id : dirty_pods_) {
    if (!pods_.InUse(id) || !pods_[id].dirty) continue;
    pods_[id].dirty = false;
    rows.push_back(&pods_[id]);
  }
  dirty_pods_.clear();
  std::ranges::sort(rows, {}, [](const PodRow* row) -> const std::string& { return row->name; });
  out.reserve(out.size() + rows.size());
  for (PodRow* row : rows) {
    const bool visible = Visible(*row);
    if (visible) {
      out.emplace_back(ChangeOf(*row));
    } else if (row->given) {
      removals_.push_back({.kind = RowKind::kPod, .name = row->name});
    }
    row->given = visible;
  }
}

std::vector<Change> Intake::Store::TakeChanges() {
  RemakeKueue();
  SpreadScope();  // 1
  SpreadDevices();
  SpreadVolumes();
  for (std::size_t i = 0; i < dirty_gangs_.size(); ++i) {  // 2
    const GangId id = dirty_gangs_[i];
    if (gangs_.InUse(id) && gangs_[id].dirty) JoinGang(id);
  }
  for (std::size_t i = 0; i < dirty_families_.size(); ++i) {  // 3
    const FamilyId id = dirty_families_[i];
    if (!families_.InUse(id) || !families_[id].dirty) continue;
    families_[id].dirty = false;
    JoinFamily(id);
  }
  dirty_families_.clear();

  SpreadBudgets();  // 5
  JoinRefusals();

  std::vector<Change> upserts;  // 4, 6
  if (std::exchange(configuration_dirty_, false)) {
    upserts.emplace_back(state::ConfigurationChange{.configuration = configuration_});
  }
  TakeNodes(upserts);
  TakeQueues(upserts);
  TakeQuotas(upserts);
  TakeBudgets(upserts);
  TakeGangs(upserts);
  TakePods(upserts);
  if (removals_.empty()) return upserts;

  std::ranges::sort(removals_, {},
                    [](const Removal& removal) { return std::tie(removal.kind, removal.name); });
  std::vector<Change> out;
  out.reserve(removals_.size() + upserts.size());
  for (Removal& removal : removals_) out.emplace_back(std::move(removal));
  removals_.clear();
  out.insert(out.end(), std::make_move_iterator(upserts.begin()),
             std::make_move_iterator(upserts.end()));
  return out;
}

}  // namespace fairlead::intake
