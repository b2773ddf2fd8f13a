#include "account/bookkeeper.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/scheduler.h"
#include "objects/keys.h"
#include "state/cluster.h"

namespace fairlead::account {
namespace {

// What a queue may be guaranteed at most is what there is.
std::int64_t Bounded(std::int64_t amount, std::int64_t capacity) {
  return amount >= state::kUnlimited ? capacity : amount;
}

// The value of `index`, where there is none yet `none`.
template <typename T>
T& At(std::vector<T>& values, std::uint32_t index, const T& none) {
  if (values.size() <= index) values.resize(index + std::size_t{1}, none);
  return values[index];
}

}  // namespace

Bookkeeper::Bookkeeper(Fold& fold, std::optional<Time> start, Shares shares)
    : fold_(fold), shares_(shares), begun_(start) {
  if (start) ledger_.start = ledger_.end = *start;
  Intern("");
  fold.AddReader(this);
}

void Bookkeeper::OnMoment(Time now, std::span<const state::Change> changes) {
  LearnResources(changes);
  topology_notes_.Note(changes);
  if (!std::exchange(begun_, true)) ledger_.start = now;
}

NameId Bookkeeper::Intern(std::string_view name) {
  if (const auto known = ids_.find(name); known != ids_.end()) return *known;
  const NameId id = ledger_.names.Add(name);
  ids_.insert(id);
  return id;
}

NameId Bookkeeper::QueueName(FoldIndex queue) {
  NameId& name = At(queue_names_, queue, kNoName);
  if (name == kNoName) name = Intern(fold_.queue(queue));
  return name;
}

void Bookkeeper::LearnResources(std::span<const state::Change> changes) {
  if (std::exchange(learned_, true)) return;
  std::set<std::string, std::less<>> names;
  const auto add = [&](const objects::ResourceList& list) {
    for (const auto& [name, amount] : list) {
      if (name != objects::kPodsResource) names.insert(name);
    }
  };
  for (const state::Change& change : changes) {
    if (const auto* node = std::get_if<state::NodeChange>(&change)) add(node->allocatable);
    if (const auto* pod = std::get_if<state::PodChange>(&change)) add(AskedBy(pod->needs));
  }
  ledger_.resources.assign(names.begin(), names.end());
  ledger_.Add(Amounts(ledger_.resources.size()));
}

std::optional<std::size_t> Bookkeeper::ColumnOf(const std::string& resource) const {
  const std::vector<std::string>& names = ledger_.resources;
  const auto at = std::ranges::lower_bound(names, resource);
  if (at == names.end() || *at != resource) return std::nullopt;
  return static_cast<std::size_t>(at - names.begin());
}

Amounts Bookkeeper::AmountsOf(const objects::ResourceList& list) const {
  Amounts amounts(ledger_.resources.size());
  for (const auto& [name, amount] : list) {
    if (const auto column = ColumnOf(name)) amounts[*column] += amount;
  }
  return amounts;
}

void Bookkeeper::OnShape(FoldIndex /*shape*/, const objects::ResourceList& asked) {
  amounts_of_.push_back(asked.empty() ? kNoAmounts : ledger_.Add(AmountsOf(asked)));
}

// Nodes ------------------------------------------------------------------------------------------

Bookkeeper::Node& Bookkeeper::NodeAt(FoldIndex index) {
  Node& node = At(nodes_, index, Node{});
  node.taken_by_others.resize(ledger_.resources.size());
  return node;
}

void Bookkeeper::OnOffer(Time now, FoldIndex index, const objects::ResourceList& /*before*/,
                         const objects::ResourceList& offered) {
  Node& node = NodeAt(index);
  Amounts amounts = AmountsOf(offered);
  if (node.offered == amounts) return;
  node.offered = std::move(amounts);
  NoteCapacity(now, index);
}

void Bookkeeper::NoteCapacity(Time now, FoldIndex index) {
  const Node& node = nodes_[index];
  Amounts left = node.offered;
  for (std::size_t r = 0; r < left.size(); ++r) {
    left[r] = std::max<std::int64_t>(0, left[r] - node.taken_by_others[r]);
  }
  ledger_.capacity.push_back(
      {.time = now, .node = Intern(fold_.node(index)), .offered = ledger_.Add(left)});
}

// What a pod of another scheduler takes, or gives back.
void Bookkeeper::TakeForeign(Time now, FoldIndex index, FoldIndex shape, std::int64_t sign) {
  Node& node = NodeAt(index);
  node.offered.resize(ledger_.resources.size());
  for (std::size_t r = 0; r < ledger_.resources.size(); ++r) {
    node.taken_by_others[r] += sign * ledger_.Amount(amounts_of_[shape], r);
  }
  NoteCapacity(now, index);
}

void Bookkeeper::OnResized(Time now, FoldIndex index, FoldIndex shape_before) {
  const Fold::Pod& pod = fold_.pod(index);
  if (!pod.foreign || amounts_of_[shape_before] == amounts_of_[pod.shape]) return;
  TakeForeign(now, pod.node, shape_before, -1);
  TakeForeign(now, pod.node, pod.shape, +1);
}

// Workloads --------------------------------------------------------------------------------------

std::uint32_t Bookkeeper::WorkloadOf(NameId name, Time submitted) {
  const auto next = static_cast<std::uint32_t>(ledger_.workloads.size());
  const auto [at, is_new] = workload_by_name_.try_emplace(name, next);
  if (is_new) ledger_.workloads.push_back({.name = name, .submitted = submitted});
  return at->second;
}

std::uint32_t Bookkeeper::RowOfGang(FoldIndex index) {
  std::uint32_t& row = At(gangs_, index, kNone);
  if (row == kNone) row = WorkloadOf(Intern(fold_.gang(index).name), {});
  return row;
}

// The row of the work that a pod does: its own, or that of an evicted one in whose place it is.
std::uint32_t Bookkeeper::RowOfAlone(FoldIndex pod) {
  const auto owner = owner_of_.find(pods_[pod].name);
  if (owner != owner_of_.end()) {
    std::vector<std::uint32_t>& rows = to_go_on_[owner->second];
    if (!rows.empty()) {
      const std::uint32_t row = rows.front();
      rows.erase(rows.begin());
      return row;
    }
  }
  return WorkloadOf(pods_[pod].name, fold_.pod(pod).created);
}

void Bookkeeper::OnGang(FoldIndex index) {
  const Fold::Gang& gang = fold_.gang(index);
  WorkloadRow& row = ledger_.workloads[RowOfGang(index)];
  row.submitted = gang.created;
  row.queue = QueueName(gang.queue);
}

void Bookkeeper::Start(Time now, std::uint32_t workload, bool began_before) {
  WorkloadRow& row = ledger_.workloads[workload];
  if (row.started != Time::Max()) return;  // pods in the place of others go on with it
  row.started = now;
  const auto held = held_.find(workload);
  row.size = held == held_.end() ? kNoAmounts : ledger_.Add(held->second);
  row.began_before = began_before;
}

void Bookkeeper::OnGangStarted(Time now, FoldIndex gang, bool began_before) {
  Start(now, RowOfGang(gang), began_before);
}

void Bookkeeper::OnPodStarted(Time now, FoldIndex pod, bool began_before) {
  Start(now, pods_[pod].workload, began_before);
}

void Bookkeeper::OnGangComplete(Time now, FoldIndex gang) {
  Time& finished = ledger_.workloads[RowOfGang(gang)].finished;
  finished = std::min(finished, now);
}

// Pods -------------------------------------------------------------------------------------------

void Bookkeeper::OnSeen(Time /*now*/, FoldIndex index, const state::PodChange& change) {
  At(pods_, index, Pod{}) = {.name = Intern(change.name)};
}

void Bookkeeper::OnBelongs(FoldIndex index) {
  const Fold::Pod& of = fold_.pod(index);
  Pod& pod = pods_[index];
  if (of.gang != kNoIndex) {
    pod.workload = RowOfGang(of.gang);
    return;
  }
  if (!of.alone) return;
  // It was over before anybody watched: no work of this run.
  if (pod.workload == kNone && of.state == state::PodState::kFinished) return;
  if (pod.workload == kNone) pod.workload = RowOfAlone(index);
  ledger_.workloads[pod.workload].queue = QueueName(of.queue);
}

void Bookkeeper::OnPlaced(Time now, FoldIndex index, const state::PodChange& change,
                          bool /*first*/) {
  const Fold::Pod& pod = fold_.pod(index);
  if (pod.foreign) {
    TakeForeign(now, pod.node, pod.shape, +1);
  } else {
    BeginStay(now, index, change);
  }
}

void Bookkeeper::OnPassed(Time now, FoldIndex index, const state::PodChange& change) {
  BeginStay(now, index, change);
  EndStay(now, index);
}

void Bookkeeper::BeginStay(Time now, FoldIndex index, const state::PodChange& change) {
  const Fold::Pod& of = fold_.pod(index);
  Pod& pod = pods_[index];
  Stay stay{.pod = pod.name,
            .node = Intern(change.node),
            .gpu_device = change.gpu_device,
            .amounts = amounts_of_[of.shape],
            // A server's clock may be ahead of a scheduler's.
            .begin = std::max(std::min(of.since, now), ledger_.start)};
  if (pod.workload != kNone) {
    stay.workload = ledger_.workloads[pod.workload].name;
    stay.queue = ledger_.workloads[pod.workload].queue;
  }
  pod.stay = static_cast<std::uint32_t>(ledger_.stays.size());
  ledger_.stays.push_back(stay);
  const auto early = early_evictions_.find(index);
  if (early == early_evictions_.end()) return;
  NoteEviction(index, early->second);
  early_evictions_.erase(early);
}

// What its workload holds.
void Bookkeeper::OnCounted(FoldIndex index, std::int32_t sign) {
  const Pod& pod = pods_[index];
  if (pod.workload == kNone) return;
  const AmountsId amounts = ledger_.stays[pod.stay].amounts;
  Amounts& held = held_[pod.workload];
  held.resize(ledger_.resources.size());
  bool any = false;
  for (std::size_t r = 0; r < held.size(); ++r) {
    held[r] += sign * ledger_.Amount(amounts, r);
    any |= held[r] != 0;
  }
  if (!any) held_.erase(pod.workload);
}

void Bookkeeper::EndStay(Time now, FoldIndex index) {
  const Fold::Pod& pod = fold_.pod(index);
  // A kubelet that ends a pod at somebody's wish calls that an end as well.
  const bool finished = pod.state == state::PodState::kFinished && !pod.terminating;
  Stay& stay = ledger_.stays[std::exchange(pods_[index].stay, kNone)];
  stay.end = now;
  stay.how = stay.evicted != Time::Max() ? StayEnd::kEvicted
             : finished                  ? StayEnd::kFinished
                                         : StayEnd::kDeleted;
}

void Bookkeeper::OnLeft(Time now, FoldIndex index) {
  const Fold::Pod& pod = fold_.pod(index);
  if (pod.foreign) {
    TakeForeign(now, pod.node, pod.shape, -1);
  } else {
    EndStay(now, index);
  }
}

void Bookkeeper::OnEnded(Time now, FoldIndex index) {
  const Fold::Pod& pod = fold_.pod(index);
  if (!pod.alone || pod.terminating) return;
  if (pods_[index].workload != kNone) ledger_.workloads[pods_[index].workload].finished = now;
}

void Bookkeeper::OnGone(FoldIndex index) {
  early_evictions_.erase(index);
  // Nobody comes in its place.
  const bool finished = fold_.pod(index).state == state::PodState::kFinished;
  if (finished) owner_of_.erase(pods_[index].name);
}

// Evictions --------------------------------------------------------------------------------------

void Bookkeeper::OnCreated(const drive::Event& event) {
  owner_of_[Intern(event.pod)] = Intern(event.owner);
}

void Bookkeeper::OnEvicted(const drive::Event& event, FoldIndex index) {
  const Eviction eviction{event.time, Intern(event.action), Intern(event.beneficiary)};
  if (pods_[index].stay == kNone) {
    early_evictions_.emplace(index, eviction);
  } else {
    NoteEviction(index, eviction);
  }
}

void Bookkeeper::NoteEviction(FoldIndex index, const Eviction& eviction) {
  const Pod& pod = pods_[index];
  Stay& stay = ledger_.stays[pod.stay];
  stay.evicted = std::max(eviction.at, stay.begin);
  stay.saved = stay.evicted - stay.begin - fold_.LostBy(index, stay.evicted);
  stay.action = eviction.action;
  stay.beneficiary = eviction.beneficiary;
  const auto owner = owner_of_.find(pod.name);
  if (owner == owner_of_.end() || !fold_.pod(index).alone) return;
  to_go_on_[owner->second].push_back(pod.workload);
}

void Bookkeeper::OnEvictionFailed(FoldIndex index) {
  const Pod& pod = pods_[index];
  early_evictions_.erase(index);
  if (pod.stay == kNone) return;
  Stay& stay = ledger_.stays[pod.stay];
  stay.evicted = Time::Max();
  stay.saved = {};
  stay.action = stay.beneficiary = kNoName;
  const auto owner = owner_of_.find(pod.name);
  if (owner != owner_of_.end()) std::erase(to_go_on_[owner->second], pod.workload);
}

// Queues -----------------------------------------------------------------------------------------

void Bookkeeper::OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) {
  if (shares_ == Shares::kLeftOut) return;
  const state::Cluster& cluster = scheduler.cluster();
  const state::QueueTree& queues = cluster.queues();
  std::vector<state::ResourceId> ids(ledger_.resources.size());
  for (std::uint32_t r = 0; r < cluster.resources().size(); ++r) {
    const state::ResourceId id(r);
    if (const auto column = ColumnOf(cluster.resources().name(id))) ids[*column] = id;
  }
  last_share_.resize(std::max<std::size_t>(last_share_.size(), queues.size()), kNone);
  for (const state::QueueId q : queues.order()) {
    if (q == state::QueueTree::Root() || !IsLeaf(queues, q)) continue;
    ShareRow row{.time = plan.now, .queue = Intern(queues[q].name)};
    std::uint32_t& last = last_share_[q.value()];
    const ShareRow before = last == kNone ? ShareRow{} : ledger_.shares[last];
    const auto keep = [&](state::Figure figure, AmountsId had) {
      Amounts amounts;
      for (const state::ResourceId r : ids) {
        const std::int64_t amount = queues.Get(q, figure, r);
        const bool bounded = figure == state::Figure::kGuaranteed;
        amounts.push_back(bounded ? Bounded(amount, queues.capacity(r)) : amount);
      }
      return Keep(amounts, had);
    };
    row.guaranteed = keep(state::Figure::kGuaranteed, before.guaranteed);
    row.fair = keep(state::Figure::kFairShare, before.fair);
    row.requested = keep(state::Figure::kRequested, before.requested);
    row.allocated = keep(state::Figure::kAllocated, before.allocated);
    if (last != kNone) {
      if (before.guaranteed == row.guaranteed && before.fair == row.fair &&
          before.requested == row.requested && before.allocated == row.allocated) {
        continue;
      }
      if (before.time == row.time) {
        ledger_.shares[last] = row;
        continue;
      }
    }
    last = static_cast<std::uint32_t>(ledger_.shares.size());
    ledger_.shares.push_back(row);
  }
}

// Those of before, where they are the same.
AmountsId Bookkeeper::Keep(const Amounts& amounts, AmountsId before) {
  for (std::size_t r = 0; r < amounts.size(); ++r) {
    if (amounts[r] != ledger_.Amount(before, r)) return ledger_.Add(amounts);
  }
  return before;
}

Ledger Bookkeeper::Take(Time end, const std::vector<objects::KnownTopology>& there) {
  ledger_.end = end;
  for (const TopologyNotes::Level& level : topology_notes_.LevelsOf(there)) {
    LevelRow row{.topology = Intern(level.topology), .key = Intern(level.key), .nodes = {}};
    for (const auto& [node, domain] : level.nodes) {
      row.nodes.emplace_back(Intern(node), Intern(domain));
    }
    ledger_.levels.push_back(std::move(row));
  }
  return std::move(ledger_);
}

}  // namespace fairlead::account
