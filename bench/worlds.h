#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "objects/objects.h"
#include "state/change.h"

// Worlds for benchmarks, made in the process and the same on every run.

namespace fairlead::bench {

// Where the traces are: FAIRLEAD_DATA, or shared/data beside the checkout; empty: nowhere.
std::string DataFolder();

// A pod shape of openb's mix and how many of its 8,152 pods have it. Empty where the
// trace is not there.
struct MixEntry {
  state::NeedsPtr needs;
  std::int64_t pods = 0;
};
std::vector<MixEntry> OpenbMix();

// `nodes` nodes of openb's kinds in its proportions (built in: no file is read).
std::vector<state::Change> OpenbNodes(std::int64_t nodes);

// `count` equal nodes node-000000 …
std::vector<state::Change> EqualNodes(std::int64_t count, std::int64_t gpus);

state::NeedsPtr Needs(std::int64_t cpu_milli, std::int64_t memory_bytes, std::int64_t gpus,
                      std::int32_t gpu_milli = 0);

// A waiting pod that is a workload of its own, named so that the i-th comes i-th.
state::PodChange WaitingPod(std::int64_t i, const state::NeedsPtr& needs, const std::string& queue);

// The moment of the rounds that are timed.
inline constexpr Time kNow{1'767'225'600'000'000};

// One that runs on a node of EqualNodes, for at most a day.
state::PodChange RunningPod(std::int64_t i, const state::NeedsPtr& needs, const std::string& queue,
                            std::int64_t node);

state::QueueChange Queue(const std::string& name, const std::string& parent);

// Nobody knows of the object how long it runs, but by how long such work did: not even a fake
// kubelet.
void ForgetRun(objects::Object& object);

// `count` pods drawn from the mix by a fixed generator.
std::vector<state::Change> PodsOfMix(const std::vector<MixEntry>& mix, std::int64_t count);

}  // namespace fairlead::bench
