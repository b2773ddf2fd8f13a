#include <algorithm>
#include <iterator>
#include <utility>

#include "intake/join/spread_scope.h"
#include "intake/kueue/flavor_demand.h"
#include "intake/store.h"
#include "intake/tables/change_equal.h"

// TakeChanges: one walk over what was marked, from what decides to what is decided.
//   1. a change of a namespace, a class, the queue tree or the configuration marks whom it concerns
//      (the same for what Volumes, Topologies and the devices of the pool know of their users)
//   2. gangs: their source, queue and priority; marks their families where those changed
//   3. families: to which workload they belong; marks their pods, and their gang for its counts
//   4. gangs again: their counts, and the pods beyond them
//   5. labels: which budgets select them, and which demands of other pods count them; marks the
//      pods of those where that changed
//   6. what comes out, kind by kind, by name

namespace fairlead::intake {

using state::Change;
using state::Removal;
using state::RowKind;

void Intake::Store::Spread() {
  kueue_.Remake([this](std::string_view name) { return queue_tree_.HasBesideKueue(name); });
  if (marks_.scope().any()) {
    SpreadScope(marks_.TakeScope(), tables_, quotas_, queue_tree_, marks_);
  }
  if (pool_.TakeDevicesMoved()) SpreadDevices(tables_, marks_);
  volumes_.Spread();
  hyper_nodes_.Spread();
  if (hyper_nodes_.TakeTiersMoved()) topologies_.SetTiers(hyper_nodes_.tiers());
  topologies_.Spread();
}

void Intake::Store::TakeNodes(std::vector<Change>& out) {
  if (!marks_.any_node()) return;
  for (NodeRow* row : marks_.TakeNodes()) {
    if (row->in_pool) {
      state::NodeChange change = row->change;
      const auto& counted = kueue_.model().counted;
      if (!counted.empty()) {
        change.allocatable = WithFlavors(*change.allocatable, change.labels, counted);
      }
      hyper_nodes_.AddLabels(row->name, change.labels);
      volumes_.AddSlots(change);
      change.misread_pod = pod_rows_.MisreadOn(tables_.names.Find(row->name));
      out.emplace_back(std::move(change));
      row->given = true;
      continue;
    }
    if (row->given) marks_.Removed(RowKind::kNode, row->name);
    row->given = demands_.any() || volumes_.any_contended();
    if (!row->given) continue;
    out.emplace_back(
        state::NodeChange{.name = row->name, .labels = row->change.labels, .outside = true});
  }
}

void Intake::Store::TakeQueues(std::vector<Change>& out) {
  if (!marks_.any_queue()) return;
  for (const std::string& name : marks_.TakeQueues()) {
    std::optional<state::QueueChange> fresh = queue_tree_.Find(name);
    auto given = given_queues_.find(name);
    if (!fresh) {
      if (given == given_queues_.end()) continue;
      marks_.Removed(RowKind::kQueue, name);
      given_queues_.erase(given);
    } else if (given == given_queues_.end() || !Same(given->second, *fresh)) {
      given_queues_.insert_or_assign(name, *fresh);
      out.emplace_back(std::move(*fresh));
    }
  }
}

void Intake::Store::TakeGangs(std::vector<Change>& out) {
  for (const GangId id : marks_.TakeGangs()) {
    GangRow& gang = tables_.gangs[id];
    if (gang.source != GangSource::kNone) surplus_.Find(gang);
    if (gang_join_.IsOver(gang)) {
      if (gang.given != nullptr) marks_.Removed(RowKind::kWorkload, gang.name);
      gang.given = nullptr;
      gang_rows_.DropIfUnused(id);
      continue;
    }
    state::WorkloadChange fresh = gang_join_.ChangeOf(gang);
    if (gang.given != nullptr && Same(*gang.given, fresh)) continue;
    const bool asked = gang.given != nullptr && !gang.given->topology.empty();
    if (asked != !fresh.topology.empty()) gang_join_.MarkPods(gang);
    gang.given = std::make_unique<state::WorkloadChange>(fresh);
    out.emplace_back(std::move(fresh));
  }
}

void Intake::Store::TakePods(std::size_t most, std::vector<Change>& out) {
  // A pod's flavor is its node's.
  if (marks_.TakeFlavors() && !kueue_.model().counted.empty()) {
    tables_.pods.ForEach([&](PodId id, const PodRow& row) {
      if (row.facts.node != Names::kEmpty && tables_.families[row.family].join.demands) {
        marks_.Mark(id);
      }
    });
  }
  if (pool_.TakeMoved()) {
    tables_.pods.ForEach([&](PodId id, const PodRow& row) {
      if (row.facts.node == Names::kEmpty) return;
      const bool visible = pod_join_.IsVisible(row);
      const bool moved = visible && pool_.IsOutside(row.facts.node) != row.outside;
      if (visible != row.given || moved) marks_.Mark(id);
    });
  }
  marks_.TakePods(untold_);
  const std::size_t count = std::min(most, untold_.size());
  out.reserve(out.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const PodId id = untold_.back();
    untold_.pop_back();
    if (!tables_.pods.InUse(id)) continue;  // it went since it was marked
    PodRow* const row = &tables_.pods[id];
    const bool visible = pod_join_.IsVisible(*row);
    if (visible) {
      auto& change = out.emplace_back(std::in_place_type<state::PodChange>);
      pod_join_.Tell(*row, std::get<state::PodChange>(change));
    } else if (row->given) {
      marks_.Removed(RowKind::kPod, row->name);
    }
    row->given = visible;
    row->outside = pool_.IsOutside(row->facts.node);
  }
  if (untold_.empty()) untold_.shrink_to_fit();
}

std::vector<Change> Intake::Store::TakeChanges(std::size_t most_pods) {
  Spread();                                                                  // 1
  marks_.ForEachGang([this](GangId id) { gang_join_.Join(id); });            // 2
  marks_.TakeEachFamily([this](FamilyId id) { pod_join_.JoinFamily(id); });  // 3
  budgets_.Spread();                                                         // 5
  demands_.Join();

  std::vector<Change> upserts;  // 4, 6
  if (std::exchange(configuration_dirty_, false)) {
    upserts.emplace_back(state::ConfigurationChange{.configuration = tables_.configuration});
  }
  TakeNodes(upserts);
  TakeQueues(upserts);
  quotas_.Take(upserts);
  kueue_.TakeProblems(upserts);
  budgets_.Take(upserts);
  windows_.Take(upserts);
  volumes_.Take(upserts);
  TakeGangs(upserts);
  TakePods(most_pods, upserts);

  std::vector<Removal> removals = marks_.TakeRemovals();
  if (removals.empty()) return upserts;
  std::vector<Change> out;
  out.reserve(removals.size() + upserts.size());
  for (Removal& removal : removals) out.emplace_back(std::move(removal));
  out.insert(out.end(), std::make_move_iterator(upserts.begin()),
             std::make_move_iterator(upserts.end()));
  return out;
}

}  // namespace fairlead::intake
