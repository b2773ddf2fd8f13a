#pragma once

#include <cstdint>
#include <vector>

#include "state/cluster.h"
#include "state/trial.h"

namespace fairlead::engine {

class Placer;

// One kind of pod of a gang, and how many of it must be placed.
struct GangPart {
  std::uint16_t pod_set = 0;
  state::ShapeId shape;
  std::vector<state::PodId> pods;  // that exist, in the order in which they are placed
  std::int64_t expected = 0;       // and this many that do not exist yet
  std::int64_t count() const { return static_cast<std::int64_t>(pods.size()) + expected; }
};

// Where the next pod of the set and shape is to be added: the last part, or a new one behind it.
GangPart& PartFor(std::vector<GangPart>& parts, std::uint16_t pod_set, state::ShapeId shape);

// Those of the sets that ask it.
std::vector<GangPart> PartsOf(const state::GangTopology& demand,
                              const std::vector<GangPart>& parts);

// What the searches for a gang's places share.

bool AreOfOneShape(const std::vector<GangPart>& parts);

// Whether some of the pods demand something of others, by ports or by domains; and whether of
// domains that may be several nodes, where no node answers for itself.
bool DependOnOthers(const state::Cluster& cluster, const std::vector<GangPart>& parts);
bool DependOnDomains(const state::Cluster& cluster, const std::vector<GangPart>& parts);

// Whether some of them would rather have others beside them, or not.
bool PreferPods(const state::Cluster& cluster, const std::vector<GangPart>& parts);

// How many volumes one of them takes at most. Each takes the smallest that suits it, so that who
// takes one first makes a difference to the others.
std::size_t MostVolumes(const state::Cluster& cluster, const std::vector<GangPart>& parts);

// Whether some of them would rather have one node than another.
bool HavePreferences(const state::Cluster& cluster, const std::vector<GangPart>& parts);

// Puts the part's i-th pod of gang `w` onto the node: those that exist come first. `index`: which
// of its set's a pod to come is to be; −1: any.
void PutPod(state::Trial& trial, state::WorkloadId w, const GangPart& part, std::int64_t i,
            state::NodeId n, state::When when, std::int32_t index = -1);

// Whether the two nodes have the same room and are of the same kind to every part, whatever is
// placed. False where a part asks for a share of a device: what is free of each is not compared.
bool LookTheSame(const state::Cluster& cluster, Placer& placer, const std::vector<GangPart>& parts,
                 state::NodeId a, state::NodeId b, state::When when);

}  // namespace fairlead::engine
