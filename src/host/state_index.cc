#include "host/state_index.h"

#include <variant>

namespace fairlead::host {
namespace {

const StateIndex::PodSet kOnePod{.name = "main", .count = 1, .min_count = 1};

}  // namespace

void StateIndex::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      Upsert(*pod);
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      Upsert(*workload);
    } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
      Remove(*removal);
    }
  }
}

void StateIndex::Upsert(const state::PodChange& change) {
  Pod& pod = pods_[change.name];
  // It may have moved from one workload to another.
  if (pod.workload != change.workload) Detach(change.name, pod);
  pod.alone = change.solo.has_value();
  pod.workload = change.workload;
  pod.node = change.node;
  pod.needs = change.needs;
  pod.state = change.state;
  pod.foreign = change.foreign;
  pod.gated = change.gated;
  pod.terminating = change.terminating;
  pod.created = change.created;
  pod.scheduled_time = change.scheduled_time;
  if (change.solo) {
    pod.queue = *queues_.insert(change.solo->queue).first;
    pod.priority = change.solo->priority;
    pod.preemptible = change.solo->preemptible;
  } else if (!pod.workload.empty()) {
    gangs_[pod.workload].pods.insert(change.name);
  }
}

void StateIndex::Upsert(const state::WorkloadChange& change) {
  Gang& gang = gangs_[change.name];
  gang.known = true;
  gang.traits = change.traits;
  gang.recorded_start = change.recorded_start;
  gang.pod_sets.clear();
  for (const state::PodSetChange& pod_set : change.pod_sets) {
    gang.pod_sets.push_back({.name = pod_set.name,
                             .count = pod_set.count,
                             .min_count = pod_set.min_count,
                             .admitted = pod_set.admitted});
  }
}

void StateIndex::Remove(const state::Removal& removal) {
  if (removal.kind == state::RowKind::kPod) {
    const auto found = pods_.find(removal.name);
    if (found == pods_.end()) return;
    Detach(removal.name, found->second);
    pods_.erase(found);
  } else if (removal.kind == state::RowKind::kWorkload) {
    const auto found = gangs_.find(removal.name);
    if (found == gangs_.end()) return;
    found->second.known = false;
    if (found->second.pods.empty()) gangs_.erase(found);
  }
}

void StateIndex::Detach(const std::string& pod_name, const Pod& pod) {
  const auto found = gangs_.find(pod.workload);
  if (found == gangs_.end()) return;
  found->second.pods.erase(pod_name);
  if (found->second.pods.empty() && !found->second.known) gangs_.erase(found);
}

const StateIndex::Pod* StateIndex::FindPod(std::string_view name) const {
  const auto found = pods_.find(name);
  return found == pods_.end() ? nullptr : &found->second;
}

std::optional<StateIndex::Workload> StateIndex::FindWorkload(std::string_view name) const {
  if (const auto found = gangs_.find(name); found != gangs_.end() && found->second.known) {
    const Gang& gang = found->second;
    return Workload{.queue = gang.traits.queue,
                    .priority = gang.traits.priority,
                    .preemptible = gang.traits.preemptible,
                    .created = gang.traits.created,
                    .recorded_start = gang.recorded_start,
                    .pod_sets = gang.pod_sets};
  }
  const Pod* pod = FindPod(name);
  if (pod == nullptr || !pod->alone) return std::nullopt;
  return Workload{.queue = pod->queue,
                  .priority = pod->priority,
                  .preemptible = pod->preemptible,
                  .created = pod->created,
                  .is_pod = true,
                  .pod_sets = {&kOnePod, 1}};
}

std::vector<std::string_view> StateIndex::PodsOf(std::string_view workload) const {
  if (const auto found = gangs_.find(workload); found != gangs_.end()) {
    return {found->second.pods.begin(), found->second.pods.end()};
  }
  const auto alone = pods_.find(workload);
  if (alone == pods_.end() || !alone->second.alone) return {};
  return {alone->first};
}

std::vector<std::string> StateIndex::Names() const {
  std::set<std::string> names;
  for (const auto& [name, pod] : pods_) names.insert(name);
  for (const auto& [name, gang] : gangs_) {
    if (gang.known) names.insert(name);
  }
  return {names.begin(), names.end()};
}

}  // namespace fairlead::host
