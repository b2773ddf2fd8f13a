#include "virtual/bindings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "objects/key.h"
#include "virtual/kubelet.h"
#include "virtual/volumes.h"

namespace fairlead::virtual_cluster {
namespace {

VolumesForNode VolumesOf(const effects::BindPod& bind) {
  return {.name_space = objects::SplitKey(bind.pod).name_space,
          .volumes = bind.volumes,
          .node = bind.node};
}

// REQUIRES: its volumes can be bound.
void BindNow(World& world, SlotId pod, effects::BindPod& bind) {
  BindVolumes(world, VolumesOf(bind));
  if (!BindPodTo(world, pod, bind.node, bind.gpu_device)) {
    return world.driver.Fail(state::BindFailed{.pod = std::move(bind.pod)});
  }
  world.Emit({.time = world.now,
              .type = EventType::kBind,
              .pod = bind.pod,
              .node = bind.node,
              .workload = bind.workload,
              .gpu_device = bind.gpu_device});
}

void FailAll(World& world, const std::vector<effects::BindPod>& binds) {
  for (const effects::BindPod& bind : binds) {
    TakeBackVolumes(world, VolumesOf(bind));
    world.driver.Fail(state::BindFailed{.pod = bind.pod});
  }
}

}  // namespace

void Bind(World& world, effects::BindPod& bind) {
  const SlotId pod = world.store.Find(kPodKind, bind.pod);
  const bool can = pod.valid() && CanBindVolumes(world, VolumesOf(bind));
  if (!can) return world.driver.Fail(state::BindFailed{.pod = std::move(bind.pod)});
  if (!bind.waits_for_volumes || world.options.delays.volumes <= Duration{}) {
    return BindNow(world, pod, bind);
  }
  AskForVolumes(world, VolumesOf(bind));
  const Time due = world.now + world.options.delays.volumes;
  world.Plan(due, TaskType::kVolumes, pod);
  std::string workload = bind.workload;
  world.waiting_binds[{due, std::move(workload)}].push_back(std::move(bind));
}

void BindWaiting(World& world) {
  while (!world.waiting_binds.empty() && world.waiting_binds.begin()->first.first <= world.now) {
    auto binds = std::move(world.waiting_binds.begin()->second);
    world.waiting_binds.erase(world.waiting_binds.begin());
    const bool can = std::ranges::all_of(binds, [&world](const effects::BindPod& bind) {
      return CanBindVolumes(world, VolumesOf(bind));
    });
    if (!can) {
      FailAll(world, binds);
      continue;
    }
    for (effects::BindPod& bind : binds) {
      BindNow(world, world.store.Find(kPodKind, bind.pod), bind);
    }
  }
}

void FailBindingsOn(World& world, std::string_view node) {
  std::erase_if(world.waiting_binds, [&](const auto& waiting) {
    const auto& binds = waiting.second;
    const bool any = std::ranges::find(binds, node, &effects::BindPod::node) != binds.end();
    if (any) FailAll(world, binds);
    return any;
  });
}

bool ReleaseBinding(World& world, std::string_view pod) {
  for (auto waiting = world.waiting_binds.begin(); waiting != world.waiting_binds.end();
       ++waiting) {
    auto& binds = waiting->second;
    const auto at = std::ranges::find(binds, pod, &effects::BindPod::pod);
    if (at == binds.end()) continue;
    const effects::BindPod bind = std::move(*at);
    binds.erase(at);
    TakeBackVolumes(world, VolumesOf(bind));
    // What others of them use, too, is asked for still.
    for (const effects::BindPod& other : binds) AskForVolumes(world, VolumesOf(other));
    if (binds.empty()) world.waiting_binds.erase(waiting);
    return true;
  }
  return false;
}

}  // namespace fairlead::virtual_cluster
