#include "virtual/kubelet.h"

#include <algorithm>
#include <string>

#include "state/change.h"
#include "virtual/bindings.h"
#include "virtual/ownership.h"
#include "virtual/volumes.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::Pod;
using objects::PodPhase;

// When a pod that has begun began.
Time BeginOf(const World& world, const Pod& pod) {
  return pod.start_time.value_or(pod.scheduled_time.value_or(world.now));
}

// REQUIRES: it has a duration.
Duration LeftToRun(const Entry& entry) {
  return std::max(Duration{}, *entry.run_duration - entry.done);
}

// A pod that is stopped while it runs: who comes in its place goes on from its last checkpoint.
void SaveWork(World& world, SlotId slot) {
  const Entry& entry = world.store[slot];
  const Pod& pod = entry.pod();
  if (!entry.owner.valid() || pod.phase != PodPhase::kRunning || !pod.start_time) return;
  const std::string* text = objects::FindLabel(pod.meta.annotations, objects::kCheckpointEveryKey);
  if (text == nullptr) return;
  const Result<Duration> every = ParseDuration(*text);
  if (!every || *every <= Duration{}) return;
  const state::RunTime run_time{.checkpoint_every = *every};
  const Duration lost = run_time.LostSince(*pod.start_time, world.now);
  auto& set = world.store[entry.owner].owned->sets[static_cast<std::size_t>(entry.pod_set)];
  set.saved.push_back(entry.done + (world.now - *pod.start_time - lost));
}

void PlanFinish(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  if (!entry.run_duration && world.options.end_of) {
    const std::optional<Time> end = world.options.end_of(entry.key);
    if (end) entry.run_duration = std::max(Duration{}, *end - BeginOf(world, entry.pod()));
  }
  if (!entry.run_duration) return;
  const Time end = BeginOf(world, entry.pod()) + LeftToRun(entry);
  world.Plan(std::max(world.now, end), TaskType::kFinish, slot);
}

void Run(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  Pod& pod = entry.pod();
  if (pod.phase != PodPhase::kPending || pod.meta.deletion_time) return;
  pod.phase = PodPhase::kRunning;
  pod.ready = true;
  pod.start_time = world.now;
  world.store.StatusChanged(slot);
  PlanFinish(world, slot);
  // Others may come when this one runs.
  if (entry.owner.valid() && IsJobObject(world.store[entry.owner].kind())) {
    world.WantSync(entry.owner);
  }
  world.Emit(
      {.time = world.now, .type = EventType::kRun, .pod = entry.key, .node = pod.spec.node_name});
}

void Finish(World& world, SlotId slot) {
  Entry& entry = world.store[slot];
  Pod& pod = entry.pod();
  // What is told to go does not succeed any more: it is killed.
  if (pod.finished() || pod.meta.deletion_time) return;
  // Not due: it was given another duration since.
  if (!entry.run_duration || BeginOf(world, pod) + LeftToRun(entry) > world.now) return;
  pod.phase = PodPhase::kSucceeded;
  pod.ready = false;
  pod.finish_time = world.now;
  world.store.StatusChanged(slot);
  world.Emit({.time = world.now,
              .type = EventType::kFinish,
              .pod = entry.key,
              .node = pod.spec.node_name,
              .phase = pod.phase});
  PodFinished(world, slot);
}

}  // namespace

void StartPod(World& world, SlotId slot) {
  const Pod& pod = world.store[slot].pod();
  if (pod.meta.deletion_time) {
    world.Plan(std::max(world.now, *pod.meta.deletion_time), TaskType::kGone, slot);
    return;
  }
  if (pod.spec.node_name.empty() || pod.finished()) return;
  if (pod.phase == PodPhase::kPending) {
    world.Plan(world.now + world.options.delays.start, TaskType::kRun, slot);
  } else if (pod.phase == PodPhase::kRunning) {
    PlanFinish(world, slot);
  }
}

bool BindPodTo(World& world, SlotId slot, std::string_view node, std::int32_t gpu_device) {
  Pod& pod = world.store[slot].pod();
  if (!pod.spec.node_name.empty() || pod.finished() || pod.meta.deletion_time) return false;
  if (!world.store.Find(kNodeKind, node).valid()) return false;
  pod.spec.node_name = node;
  pod.nominated_node.clear();
  pod.node_reserved_time.reset();
  pod.ungated_time.reset();
  pod.scheduled_time = world.now;
  world.store.StatusChanged(slot);
  if (gpu_device >= 0) {
    pod.gpu_device = gpu_device;
    SetLabel(pod.meta.annotations, objects::kGpuDeviceAnnotation, std::to_string(gpu_device));
    world.store.Changed(slot);
  }
  world.Plan(world.now + world.options.delays.start, TaskType::kRun, slot);
  return true;
}

void TerminatePod(World& world, SlotId slot, Duration at_most) {
  Pod& pod = world.store[slot].pod();
  if (pod.meta.deletion_time) return;
  const bool running = !pod.spec.node_name.empty() && !pod.finished();
  pod.meta.deletion_time =
      running ? world.now + std::min(world.options.delays.grace, at_most) : world.now;
  world.store.Changed(slot);
  world.WantSync(world.store[slot].owner);
  world.Plan(*pod.meta.deletion_time, TaskType::kGone, slot);
}

void RemovePod(World& world, SlotId slot) {
  const Entry& entry = world.store[slot];
  ReleaseBinding(world, entry.key);
  world.Emit({.time = world.now,
              .type = EventType::kGone,
              .pod = entry.key,
              .node = entry.pod().spec.node_name});
  SaveWork(world, slot);
  PodLeft(world, slot);
  RemoveEphemeralClaims(world, slot);
  world.store.Erase(slot);
}

void RemovePodsOn(World& world, std::string_view node) {
  const auto is_there = [node](const Entry& entry) {
    return entry.pod().spec.node_name == node && !entry.pod().finished();
  };
  for (const SlotId pod : world.store.SortedIf(kPodKind, is_there)) RemovePod(world, pod);
}

void HandlePodTask(World& world, const Task& task) {
  switch (task.type) {
    case TaskType::kRun:
      return Run(world, task.slot);
    case TaskType::kFinish:
      return Finish(world, task.slot);
    case TaskType::kGone:
      return RemovePod(world, task.slot);
    case TaskType::kArrive:
    case TaskType::kVolumes:
      return;
  }
}

}  // namespace fairlead::virtual_cluster
