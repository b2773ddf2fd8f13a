#include "intake/kueue/kueue_queues.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "intake/tables/change_equal.h"
#include "intake/tables/hold_reasons.h"

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

void KueueQueues::Upsert(const objects::ClusterQueue& queue, Time now) {
  changed_ |= Keep(objects_.cluster_queues, queue.meta.name, queue, now);
}

void KueueQueues::Upsert(const objects::Cohort& cohort, Time now) {
  changed_ |= Keep(objects_.cohorts, cohort.meta.name, cohort, now);
}

void KueueQueues::Upsert(const objects::LocalQueue& queue, Time now) {
  changed_ |= Keep(objects_.local_queues, queue.meta.Key(), queue, now);
}

void KueueQueues::Upsert(const objects::ResourceFlavor& flavor, Time now) {
  changed_ |= Keep(objects_.flavors, flavor.meta.name, flavor, now);
}

bool KueueQueues::Remove(std::string_view kind, std::string_view name_space,
                         std::string_view name) {
  bool known = false;
  if (kind == "ClusterQueue") known = Erase(objects_.cluster_queues, name);
  if (kind == "Cohort") known = Erase(objects_.cohorts, name);
  if (kind == "ResourceFlavor") known = Erase(objects_.flavors, name);
  if (kind == "LocalQueue") {
    known = Erase(objects_.local_queues, fmt::format("{}/{}", name_space, name));
  }
  changed_ |= known;
  return known;
}

void KueueQueues::Remake(const std::function<bool(std::string_view)>& is_taken) {
  const bool names = marks_.TakeQueueNames();
  if (!std::exchange(changed_, false) && !names) return;
  const KueueModel before = std::exchange(
      model_, MakeKueueModel(objects_, is_taken, tables_.configuration->default_queue));
  // Who demands the same goes on with the same value, so that comparing pointers tells.
  for (auto& [name, leaf] : model_.leaves) {
    auto held = before.leaves.find(name);
    if (held == before.leaves.end() || !held->second.demands || !leaf.demands) continue;
    if (*held->second.demands == *leaf.demands) leaf.demands = held->second.demands;
  }
  if (before.problems != model_.problems) NoteProblems();
  demanded_.clear();
  if (before.counted != model_.counted) MarkNodes();
  Compare(
      before.queues, model_.queues,
      [&](const state::QueueChange& a, const state::QueueChange& b) {
        marks_.scope().queue_tree |= a.parent != b.parent;
        return Same(a, b);
      },
      [&](const std::string& name) {
        marks_.MarkQueue(name);
        marks_.scope().queue_tree |= before.queues.contains(name) != model_.queues.contains(name);
      });
  Compare(before.leaves, model_.leaves, std::equal_to<>(),
          [&](const std::string& name) { marks_.scope().queues.insert(name); });
  Compare(before.locals, model_.locals, std::equal_to<>(),
          [&](const std::string& key) { marks_.scope().local_queues.insert(key); });
}

void KueueQueues::NoteProblems() {
  std::map<KindAndName, state::KueueChange> fresh;
  for (const KueueProblem& problem : model_.problems) {
    if (problem.on_purpose) continue;
    state::KueueChange& change = fresh[{problem.kind, problem.key}];
    change.kind = problem.kind;
    change.name = problem.key;
    change.problems.push_back({.code = problem.code, .message = problem.message});
  }
  Compare(given_, fresh, std::equal_to<>(), [&](const KindAndName& of) {
    const auto found = fresh.find(of);
    untold_.push_back(
        found != fresh.end()
            ? found->second
            : state::KueueChange{.kind = of.first, .name = of.second, .problems = {}});
  });
  given_ = std::move(fresh);
}

void KueueQueues::TakeProblems(std::vector<state::Change>& out) {
  if (untold_.empty()) return;
  std::vector<state::KueueChange> untold = std::exchange(untold_, {});
  const auto by_name = [](const state::KueueChange& change) {
    return std::tie(change.kind, change.name);
  };
  std::ranges::stable_sort(untold, {}, by_name);
  std::ranges::move(untold, std::back_inserter(out));
}

// What they have of each flavor is told anew, and what runs on them is counted anew.
void KueueQueues::MarkNodes() {
  marks_.MarkFlavors();
  tables_.nodes.ForEach([this](NodeId id, const NodeRow&) { marks_.Mark(id); });
}

const KueueLocal* KueueQueues::FindLocal(std::string_view name_space, std::string_view name) const {
  if (model_.locals.empty() || name.empty()) return nullptr;
  auto found = model_.locals.find(fmt::format("{}/{}", name_space, name));
  return found == model_.locals.end() ? nullptr : &found->second;
}

const KueueLeaf* KueueQueues::FindLeaf(std::string_view queue) const {
  auto found = model_.leaves.find(queue);
  return found == model_.leaves.end() ? nullptr : &found->second;
}

std::shared_ptr<const FlavorDemands> KueueQueues::DemandsOf(std::string_view queue) const {
  const KueueLeaf* leaf = FindLeaf(queue);
  return leaf == nullptr ? nullptr : leaf->demands;
}

std::optional<state::Reason> KueueQueues::Hold(std::string_view queue,
                                               std::string_view name_space) const {
  const KueueLeaf* leaf = FindLeaf(queue);
  if (leaf == nullptr) return std::nullopt;
  if (!leaf->name_spaces) return NamespaceNotSelected(leaf->cluster_queue, name_space, false);
  if (objects::Matches(*leaf->name_spaces, LabelsOfNameSpace(tables_, name_space)))
    return std::nullopt;
  return NamespaceNotSelected(leaf->cluster_queue, name_space, true);
}

state::NeedsPtr KueueQueues::Demanded(const state::NeedsPtr& needs,
                                      const std::shared_ptr<const FlavorDemands>& demands,
                                      NameId node) const {
  constexpr std::size_t kMostKept = 4096;
  if (demands == nullptr || needs == nullptr) return needs;
  const objects::Labels* node_labels = nullptr;
  if (node != Names::kEmpty && !model_.counted.empty()) {
    const NodeId id = tables_.nodes.Find(tables_.names[node]);
    if (id.valid()) node_labels = &*tables_.nodes[id].change.labels;
  }
  if (node_labels != nullptr)
    return tables_.needs.Intern(WithDemands(*needs, *demands, node_labels));
  if (demanded_.size() > kMostKept) demanded_.clear();
  state::NeedsPtr& with = demanded_[{needs, demands}];
  if (with == nullptr) with = tables_.needs.Intern(WithDemands(*needs, *demands, nullptr));
  return with;
}

}  // namespace fairlead::intake
