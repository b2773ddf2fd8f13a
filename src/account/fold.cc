// Pods, gangs and nodes of one moment, worked through: a gang "g" of two pods, of which a runs.
//
//   Pod g-b is on n1        it was seen before: OnPlaced(b), OnCounted(b, +1)
//   Workload g asks 2       OnGang(g)
//   Pod g-a has finished    OnCounted(a, −1), OnLeft(a), OnEnded(a)
//
// Only then it is judged whether g has its minimum: with one pod of two placed it has not, though
// it had in between. A moment is one: what its changes say holds together.

#include "account/fold.h"

#include <functional>
#include <utility>

#include "base/check.h"
#include "objects/keys.h"

namespace fairlead::account {

using state::PodState;

objects::ResourceList AskedBy(const state::NeedsPtr& needs) {
  if (needs == nullptr) return {};
  objects::ResourceList asked = needs->request;
  if (needs->gpu_milli > 0) {
    asked.emplace_back(std::string(objects::kGpuResource), needs->gpu_milli);
  }
  return asked;
}

void Fold::OnChanges(Time now, std::span<const state::Change> changes) {
  ++moment_;
  for (FoldReader* reader : readers_) reader->OnMoment(now, changes);
  for (const state::Change& change : changes) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      TakePod(now, *pod);
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      TakeGang(*workload);
    } else if (const auto* node = std::get_if<state::NodeChange>(&change)) {
      TakeNode(now, *node);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      if (removal->kind == state::RowKind::kPod) RemovePod(now, removal->name);
      if (removal->kind == state::RowKind::kNode) {
        TakeNode(now, state::NodeChange{.name = removal->name, .ready = false});
      }
    } else if (const auto* failed = std::get_if<state::EvictFailed>(&change)) {
      TakeBackEviction(failed->pod);
    }
  }
  JudgeStarts(now);
}

void Fold::OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) {
  for (FoldReader* reader : readers_) reader->OnRound(scheduler, plan);
}

void Fold::OnEvent(const drive::Event& event) {
  using drive::EventType;
  if (event.type == EventType::kCreate) {
    for (FoldReader* reader : readers_) reader->OnCreated(event);
  } else if (event.type == EventType::kComplete) {
    const auto at = gang_by_name_.find(event.object);
    if (at == gang_by_name_.end() || std::exchange(gangs_[at->second].complete, true)) return;
    for (FoldReader* reader : readers_) reader->OnGangComplete(event.time, at->second);
  } else if (event.type == EventType::kEvict) {
    const auto at = pod_by_name_.find(event.pod);
    if (at == pod_by_name_.end() || std::exchange(pods_[at->second].evicted, true)) return;
    for (FoldReader* reader : readers_) reader->OnEvicted(event, at->second);
  }
}

// A real cluster refused it in the end: the pod stays.
void Fold::TakeBackEviction(const std::string& pod) {
  const auto at = pod_by_name_.find(pod);
  if (at == pod_by_name_.end() || !std::exchange(pods_[at->second].evicted, false)) return;
  for (FoldReader* reader : readers_) reader->OnEvictionFailed(at->second);
}

// Numbers ----------------------------------------------------------------------------------------

FoldIndex Fold::ShapeOf(const state::NeedsPtr& needs) {
  const auto [at, is_new] =
      shape_by_needs_.try_emplace(needs.get(), static_cast<FoldIndex>(shapes_.size()));
  if (is_new) {
    shapes_.push_back(needs);
    const objects::ResourceList asked = AskedBy(needs);
    for (FoldReader* reader : readers_) reader->OnShape(at->second, asked);
  }
  return at->second;
}

FoldIndex Fold::QueueOf(const std::string& name) {
  const auto [at, is_new] =
      queue_by_name_.try_emplace(name, static_cast<FoldIndex>(queues_.size()));
  if (is_new) queues_.push_back(name);
  return at->second;
}

FoldIndex Fold::NodeOf(const std::string& name) {
  const auto [at, is_new] = node_by_name_.try_emplace(name, static_cast<FoldIndex>(nodes_.size()));
  if (is_new) nodes_.push_back({.name = name, .offered = {}});
  return at->second;
}

FoldIndex Fold::GangOf(const std::string& name) {
  const auto [at, is_new] = gang_by_name_.try_emplace(name, static_cast<FoldIndex>(gangs_.size()));
  if (is_new) gangs_.push_back({.name = name, .created = {}, .sets = {}});
  return at->second;
}

// Nodes and gangs --------------------------------------------------------------------------------

void Fold::TakeNode(Time now, const state::NodeChange& change) {
  const FoldIndex index = NodeOf(change.name);
  Node& node = nodes_[index];
  const bool serves = change.ready && change.schedulable;
  objects::ResourceList offered = serves ? *change.allocatable : objects::ResourceList{};
  if (std::exchange(node.known, true) && node.offered == offered) return;
  const objects::ResourceList before = std::exchange(node.offered, std::move(offered));
  for (FoldReader* reader : readers_) reader->OnOffer(now, index, before, node.offered);
}

void Fold::TakeGang(const state::WorkloadChange& change) {
  const FoldIndex index = GangOf(change.name);
  Gang& gang = gangs_[index];
  gang.known = true;
  gang.created = change.traits.created;
  gang.queue = QueueOf(change.traits.queue);
  gang.run_time = change.traits.run_time;
  gang.recorded = gang.recorded || change.recorded_start.has_value();
  state::Ask(gang.sets, change.pod_sets);
  touched_.push_back(index);
  for (FoldReader* reader : readers_) reader->OnGang(index);
}

void Fold::JudgeStarts(Time now) {
  for (const FoldIndex index : std::exchange(placed_alone_, {})) {
    const Pod& pod = pods_[index];
    if (!pod.counts || !pod.alone) continue;
    for (FoldReader* reader : readers_) reader->OnPodStarted(now, index, pod.seen_in == moment_);
  }
  for (const FoldIndex index : touched_) {
    Gang& gang = gangs_[index];
    if (!gang.known || gang.started || !state::HasMinimum(gang.sets)) continue;
    gang.started = true;
    for (FoldReader* reader : readers_) reader->OnGangStarted(now, index, gang.is_new);
  }
  for (const FoldIndex index : touched_) gangs_[index].is_new = false;
  touched_.clear();
}

// Pods -------------------------------------------------------------------------------------------

Duration Fold::LostBy(FoldIndex index, Time stop) const {
  const Pod& pod = pods_[index];
  const state::RunTime& run_time =
      pod.gang == kNoIndex ? *pod.run_time : *gangs_[pod.gang].run_time;
  return run_time.LostSince(std::min(pod.since, stop), stop);
}

// Whether it belongs to something else than before.
bool Fold::Belong(Pod& pod, const state::PodChange& change) {
  const bool alone = change.solo.has_value();
  FoldIndex gang = pod.gang, queue = pod.queue;
  if (change.workload.empty()) {
    gang = kNoIndex;
  } else if (gang == kNoIndex || gangs_[gang].name != change.workload) {
    gang = GangOf(change.workload);
  }
  if (alone && (queue == kNoIndex || queues_[queue] != change.solo->queue)) {
    queue = QueueOf(change.solo->queue);
  }
  const bool same = pod.alone == alone && pod.gang == gang && pod.queue == queue;
  pod.alone = alone;
  pod.gang = gang;
  pod.queue = queue;
  pod.set = change.pod_set;
  if (alone) pod.run_time = change.solo->run_time;
  return !same;
}

void Fold::TakePod(Time now, const state::PodChange& change) {
  const std::size_t uid_hash = change.uid.Hash();
  auto [at, is_new] = pod_by_name_.try_emplace(change.name, kNoIndex);
  if (!is_new && pods_[at->second].uid_hash != uid_hash) {
    Forget(now, at->second);
    is_new = true;
  }
  if (is_new) {
    if (free_pods_.empty()) {
      free_pods_.push_back(static_cast<FoldIndex>(pods_.size()));
      pods_.emplace_back();
    }
    at->second = free_pods_.back();
    free_pods_.pop_back();
    pods_[at->second] = {.uid_hash = uid_hash, .created = {}, .since = {}, .seen_in = moment_};
    // What it did before anybody saw it.
    pods_[at->second].was_placed =
        change.state == PodState::kFinished && change.scheduled_time.has_value();
  }
  const FoldIndex index = at->second;
  Pod& pod = pods_[index];
  const PodState before = pod.state;
  const bool counts = change.state == PodState::kBound && !change.terminating && !change.foreign;
  const bool stays_counted =
      counts && pod.set == change.pod_set &&
      (pod.gang == kNoIndex ? change.workload.empty() : gangs_[pod.gang].name == change.workload);
  pod.created = change.created;
  pod.terminating = change.terminating;
  if (pod.counts && !stays_counted) Count(index, -1);
  // Another scheduler's room is another's.
  const bool leaves =
      pod.placed() && (change.state != PodState::kBound || pod.foreign != change.foreign);
  pod.state = change.state;
  if (leaves) Leave(now, index);
  const bool was_placed = before == PodState::kBound && !leaves;
  pod.foreign = change.foreign;
  const bool belongs_anew = Belong(pod, change);
  const FoldIndex shape_before = std::exchange(pod.shape, ShapeOf(change.needs));
  if (is_new) {
    for (FoldReader* reader : readers_) reader->OnSeen(now, index, change);
  }
  if ((is_new || belongs_anew) && !pod.foreign) {
    for (FoldReader* reader : readers_) reader->OnBelongs(index);
  }
  if (pod.placed() && !was_placed) {
    const bool first = !is_new && !std::exchange(pod.was_placed, true);
    pod.was_placed = true;
    pod.since = change.scheduled_time.value_or(now);
    pod.node = NodeOf(change.node);
    if (pod.alone) placed_alone_.push_back(index);
    for (FoldReader* reader : readers_) reader->OnPlaced(now, index, change, first);
  } else if (pod.placed() && pod.shape != shape_before) {
    for (FoldReader* reader : readers_) reader->OnResized(now, index, shape_before);
  }
  if (counts && !pod.counts) Count(index, +1);
  if (pod.state != PodState::kFinished || before == PodState::kFinished || pod.foreign) return;
  if (!is_new) End(now, index, change);
}

// It is over, and was seen before it was.
void Fold::End(Time now, FoldIndex index, const state::PodChange& change) {
  Pod& pod = pods_[index];
  // One that ran for no time at all is seen only when it has ended.
  if (!pod.was_placed && change.scheduled_time.has_value()) {
    pod.was_placed = true;
    pod.since = *change.scheduled_time;
    pod.node = NodeOf(change.node);
    for (FoldReader* reader : readers_) reader->OnPassed(now, index, change);
  }
  for (FoldReader* reader : readers_) reader->OnEnded(now, index);
}

// One pod more, or fewer, that counts for its workload.
void Fold::Count(FoldIndex index, std::int32_t sign) {
  Pod& pod = pods_[index];
  pod.counts = sign > 0;
  if (pod.gang != kNoIndex) {
    state::CountPod(gangs_[pod.gang].sets, pod.set, sign);
    touched_.push_back(pod.gang);
  }
  for (FoldReader* reader : readers_) reader->OnCounted(index, sign);
}

void Fold::Leave(Time now, FoldIndex pod) {
  DCHECK(!pods_[pod].counts);
  for (FoldReader* reader : readers_) reader->OnLeft(now, pod);
}

void Fold::Forget(Time now, FoldIndex index) {
  Pod& pod = pods_[index];
  if (pod.counts) Count(index, -1);
  if (pod.placed()) Leave(now, index);
  for (FoldReader* reader : readers_) reader->OnGone(index);
  pod.seen_in = 0;
  free_pods_.push_back(index);
}

void Fold::RemovePod(Time now, const std::string& name) {
  const auto at = pod_by_name_.find(name);
  if (at == pod_by_name_.end()) return;
  Forget(now, at->second);
  pod_by_name_.erase(at);
}

}  // namespace fairlead::account
