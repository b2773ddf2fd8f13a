#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "objects/meta.h"
#include "objects/topology.h"

namespace fairlead::intake {

// Whose words a constraint is said in: by that it is found which Topology is meant where it names
// none (join/topologies.h).
enum class AskedBy : std::uint8_t {
  kOurs,
  kKueue,
  kKai,
  kNative,   // Kubernetes' own, which knows a label key and no Topology
  kVolcano,  // a tier of HyperNodes: required, no higher than that; preferred, whichever it is
};

// What work asks of where its pods stand to each other, as one object says it.
struct TopologyAsk {
  AskedBy by = AskedBy::kOurs;
  objects::TopologyConstraint said;
  std::string fault;  // what cannot be read of it, and what was expected; such work waits
  bool operator==(const TopologyAsk&) const = default;
};

// An ask as one string, as it is kept: empty where nothing is asked, as by most.
std::string Pack(const TopologyAsk& ask);
// REQUIRES: `packed` comes from Pack, and is not empty.
TopologyAsk UnpackTopology(std::string_view packed);

// What a field of an object says; absent: nothing.
std::string PackTopology(const std::optional<objects::TopologyConstraint>& said, AskedBy by);

// What annotations ask, packed: ours, else Kueue's, which are read of pods and templates alone,
// else KAI Scheduler's. Cost: ≈ 1 ns a key where there are none.
enum class AnnotationsOf : std::uint8_t { kPods, kWhole };  // kWhole: a job, a group of pods
std::string PackTopology(const objects::Labels& annotations, AnnotationsOf of);

}  // namespace fairlead::intake
