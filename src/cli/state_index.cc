#include "cli/state_index.h"

#include <variant>

namespace fairlead::cli {
namespace {

void SetTraits(const state::WorkloadTraits& traits, StateIndex::Workload& workload) {
  workload.known = true;
  workload.queue = traits.queue;
  workload.priority = traits.priority;
  workload.preemptible = traits.preemptible;
  workload.created = traits.created;
}

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
  Pod pod;
  pod.workload = change.solo ? change.name : change.workload;
  pod.state = change.state;
  pod.node = change.node;
  pod.foreign = change.foreign;
  pod.gated = change.gated;
  pod.terminating = change.terminating;
  pod.created = change.created;
  pod.scheduled_time = change.scheduled_time;
  if (change.needs != nullptr) pod.passed_over = change.needs->passed_over;

  if (const auto found = pods_.find(change.name); found != pods_.end()) {
    // It may have moved from one workload to another.
    if (found->second.workload != pod.workload) Detach(change.name, found->second);
  }
  if (!pod.workload.empty()) {
    Workload& workload = workloads_[pod.workload];
    workload.pods.insert(change.name);
    if (change.solo) {
      SetTraits(*change.solo, workload);
      workload.is_pod = true;
      workload.pod_sets = {{.name = "main", .count = 1, .min_count = 1}};
    } else if (static_cast<std::size_t>(change.pod_set) < workload.pod_sets.size()) {
      pod.pod_set = workload.pod_sets[static_cast<std::size_t>(change.pod_set)].name;
    }
  }
  pods_.insert_or_assign(change.name, std::move(pod));
}

void StateIndex::Upsert(const state::WorkloadChange& change) {
  Workload& workload = workloads_[change.name];
  SetTraits(change.traits, workload);
  workload.is_pod = false;
  workload.recorded_start = change.recorded_start;
  workload.pod_sets.clear();
  for (const state::PodSetChange& pod_set : change.pod_sets) {
    workload.pod_sets.push_back({.name = pod_set.name,
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
    const auto found = workloads_.find(removal.name);
    if (found == workloads_.end()) return;
    found->second.known = false;
    if (found->second.pods.empty()) workloads_.erase(found);
  }
}

void StateIndex::Detach(const std::string& pod_name, const Pod& pod) {
  const auto found = workloads_.find(pod.workload);
  if (found == workloads_.end()) return;
  found->second.pods.erase(pod_name);
  if (found->second.is_pod) found->second.known = false;
  if (found->second.pods.empty() && !found->second.known) workloads_.erase(found);
}

const StateIndex::Pod* StateIndex::FindPod(std::string_view name) const {
  const auto found = pods_.find(name);
  return found == pods_.end() ? nullptr : &found->second;
}

const StateIndex::Workload* StateIndex::FindWorkload(std::string_view name) const {
  const auto found = workloads_.find(name);
  return found == workloads_.end() || !found->second.known ? nullptr : &found->second;
}

std::vector<std::string> StateIndex::Names() const {
  std::set<std::string> names;
  for (const auto& [name, pod] : pods_) names.insert(name);
  for (const auto& [name, workload] : workloads_) {
    if (workload.known) names.insert(name);
  }
  return {names.begin(), names.end()};
}

}  // namespace fairlead::cli
