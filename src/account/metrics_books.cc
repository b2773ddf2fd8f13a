#include "account/metrics_books.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace fairlead::account {

using state::PodState;

void Metrics::Books::Advance(Time now) {
  const Duration passed = now - last_;
  if (passed <= Duration{}) return;
  for (Resource& resource : resources_) {
    resource.allocated_us += static_cast<__int128>(resource.allocated) * passed.us;
    resource.capacity_us += static_cast<__int128>(resource.capacity) * passed.us;
  }
  last_ = now;
}

Metrics::Books::Index Metrics::Books::ResourceOf(std::string_view name) {
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    if (resources_[i].name == name) return static_cast<Index>(i);
  }
  resources_.emplace_back().name = name;
  return static_cast<Index>(resources_.size() - 1);
}

Metrics::Books::Amounts Metrics::Books::AmountsOf(const objects::ResourceList& list) {
  Amounts amounts;
  amounts.reserve(list.size() + 2);
  for (const auto& [name, amount] : list) amounts.emplace_back(ResourceOf(name), amount);
  return amounts;
}

Metrics::Books::Index Metrics::Books::ShapeOf(const state::NeedsPtr& needs) {
  const auto [at, is_new] =
      shape_by_needs_.try_emplace(needs.get(), static_cast<Index>(shapes_.size()));
  if (is_new) {
    Shape& shape = shapes_.emplace_back();
    shape.needs = needs;
    if (needs != nullptr) {
      shape.amounts = AmountsOf(needs->request);
      // A share of a device and whole devices are one resource, in thousandths.
      if (needs->gpu_milli > 0) {
        shape.amounts.emplace_back(ResourceOf("nvidia.com/gpu"), needs->gpu_milli);
      }
    }
    shape.amounts.emplace_back(ResourceOf("pods"), 1);
  }
  return at->second;
}

Metrics::Books::Index Metrics::Books::QueueOf(const std::string& name) {
  const auto [at, is_new] = queue_by_name_.try_emplace(name, static_cast<Index>(queues_.size()));
  if (is_new) queues_.emplace_back().name = name;
  return at->second;
}

Metrics::Books::Index Metrics::Books::GangOf(const std::string& name) {
  const auto [at, is_new] = gang_by_name_.try_emplace(name, static_cast<Index>(gangs_.size()));
  if (is_new) gangs_.emplace_back().name = name;
  return at->second;
}

void Metrics::Books::Apply(Time now, const state::Change& change) {
  if (const auto* pod = std::get_if<state::PodChange>(&change)) {
    ApplyPod(now, *pod);
  } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
    ApplyWorkload(*workload);
  } else if (const auto* node = std::get_if<state::NodeChange>(&change)) {
    ApplyNode(*node);
  } else if (const auto* removal = std::get_if<state::Removal>(&change)) {
    if (removal->kind == state::RowKind::kPod) RemovePod(removal->name);
    if (removal->kind == state::RowKind::kNode) RemoveNode(removal->name);
  }
}

void Metrics::Books::ApplyNode(const state::NodeChange& change) {
  RemoveNode(change.name);
  if (!change.ready || !change.schedulable) return;
  Amounts amounts = AmountsOf(change.allocatable);
  for (const auto& [resource, amount] : amounts) resources_[resource].capacity += amount;
  nodes_.emplace(change.name, std::move(amounts));
}

void Metrics::Books::RemoveNode(const std::string& name) {
  const auto at = nodes_.find(name);
  if (at == nodes_.end()) return;
  for (const auto& [resource, amount] : at->second) resources_[resource].capacity -= amount;
  nodes_.erase(at);
}

void Metrics::Books::ApplyWorkload(const state::WorkloadChange& change) {
  const Index index = GangOf(change.name);
  Gang& gang = gangs_[index];
  gang.created = change.traits.created;
  gang.queue = QueueOf(change.traits.queue);
  starts_.Ask(index, change);
  if (change.recorded_start) starts_.SetStarted(index);
  first_submission_ = std::min(first_submission_.value_or(gang.created), gang.created);
}

void Metrics::Books::Take(const Pod& pod, std::int64_t sign) {
  if (!pod.placed()) return;
  for (const auto& [index, amount] : shapes_[pod.shape].amounts) {
    Resource& resource = resources_[index];
    // What other schedulers' pods use is not there for ours.
    if (pod.foreign) {
      resource.capacity -= sign * amount;
      continue;
    }
    resource.allocated += sign * amount;
    resource.peak = std::max(resource.peak, resource.allocated);
  }
  if (pod.gang != kNone && !pod.terminating) {
    starts_.Count(pod.gang, pod.set, static_cast<std::int32_t>(sign));
  }
}

void Metrics::Books::ApplyPod(Time now, const state::PodChange& change) {
  const auto [at, is_first] = pods_.try_emplace(change.name);
  Pod& pod = at->second;
  const std::size_t uid_hash = std::hash<std::string>()(change.uid);
  const bool is_new = is_first || pod.uid_hash != uid_hash;
  if (!is_first) Take(pod, -1);
  if (is_new) {
    pod = Pod{};
    pod.uid_hash = uid_hash;
    pod.started = change.state != PodState::kPending;  // where it began was not seen
  }
  const PodState before = pod.state;
  pod.created = change.created;
  pod.foreign = change.foreign;
  pod.terminating = change.terminating;
  pod.state = change.state;
  pod.shape = ShapeOf(change.needs);
  pod.gang = change.workload.empty() ? kNone : GangOf(change.workload);
  pod.set = change.pod_set;
  if (change.solo && (pod.queue == kNone || queues_[pod.queue].name != change.solo->queue)) {
    pod.queue = QueueOf(change.solo->queue);
  }
  if (pod.placed()) pod.since = change.scheduled_time.value_or(now);
  Take(pod, +1);
  if (pod.foreign) return;
  // A pod that ran for no time at all is never seen placed.
  const bool was_placed = pod.placed() || change.scheduled_time.has_value();
  if (is_new) {
    ++pods_seen_;
    first_submission_ = std::min(first_submission_.value_or(pod.created), pod.created);
  }
  if (was_placed && (is_new || before == PodState::kPending)) ++ever_bound_;
  if (was_placed && !std::exchange(pod.started, true) && change.solo) {
    Wait(pod.queue, change.scheduled_time.value_or(now) - pod.created);
  }
  if (pod.state == PodState::kFinished && (is_new || before != PodState::kFinished)) {
    ++finished_;
    if (is_new) return;
    last_end_ = std::max(last_end_, now);
    if (change.solo) completion_us_.push_back((now - pod.created).us);
  }
}

void Metrics::Books::RemovePod(const std::string& name) {
  const auto at = pods_.find(name);
  if (at == pods_.end()) return;
  Take(at->second, -1);
  pods_.erase(at);
}

void Metrics::Books::JudgeGangs(Time now) {
  starts_.Judge([&](Index index, bool began_before) {
    if (!began_before) Wait(gangs_[index].queue, now - gangs_[index].created);
  });
}

void Metrics::Books::Wait(Index queue, Duration waited) {
  queues_[queue].waiting_us.push_back(waited.us);
}

Metrics::Books::Index Metrics::Books::DominantOf(const Amounts& amounts) const {
  Index dominant = kNone;
  std::int64_t most = 0, of = 1;
  for (const auto& [index, amount] : amounts) {
    const Resource& resource = resources_[index];
    if (resource.name == "pods" || amount == 0) continue;
    const std::int64_t capacity = std::max<std::int64_t>(resource.capacity, 1);
    const __int128 here = static_cast<__int128>(amount) * of;
    const __int128 there = static_cast<__int128>(most) * capacity;
    if (dominant == kNone || here > there ||
        (here == there && resource.name < resources_[dominant].name)) {
      dominant = index;
      most = amount;
      of = capacity;
    }
  }
  return dominant;
}

void Metrics::Books::CountEviction(Time now, std::string_view name) {
  const auto at = pods_.find(std::string(name));
  if (at == pods_.end() || std::exchange(at->second.evicted, true)) return;
  ++evictions_;
  const Pod& pod = at->second;
  if (!pod.placed()) return;
  const Duration ran = now - pod.since;
  const Amounts& amounts = shapes_[pod.shape].amounts;
  for (const auto& [index, amount] : amounts) {
    resources_[index].lost_us += static_cast<__int128>(amount) * ran.us;
  }
  const Index dominant = DominantOf(amounts);
  if (dominant == kNone) return;
  Duration& lost = resources_[dominant].lost_as_dominant;
  lost = lost + ran;
}

void Metrics::Books::CountCompletion(Time now, std::string_view workload) {
  const auto at = gang_by_name_.find(std::string(workload));
  if (at == gang_by_name_.end()) return;
  Gang& gang = gangs_[at->second];
  if (!std::exchange(gang.complete, true)) completion_us_.push_back((now - gang.created).us);
}

}  // namespace fairlead::account
