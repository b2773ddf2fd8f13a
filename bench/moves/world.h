#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "objects/objects.h"

namespace fairlead::bench {

// Work of a made-up day: a gang of whole nodes, or a pod that asks less than one.
struct MoveJob {
  Duration arrives, runs;
  std::int64_t pods = 1;
  objects::PodNeeds needs;  // of each pod
  bool large = false;       // whole nodes
  std::string name;
};

// Nodes, and work that comes to them over two days, of which the middle one is measured
// (bench/days/draws.h).
struct MoveWorld {
  std::vector<objects::Node> nodes;
  std::vector<MoveJob> jobs;  // by arrival
};

inline constexpr std::int64_t kGpusOfNode = 8;
inline constexpr std::string_view kLargeName = "large", kSmallName = "small";

// Jobs that ask for `load_percent` of all GPU hours until the last arrival; 30 % of that are gangs
// of 2, 4 or 8 whole nodes, log-normal as on the other days. Everything is drawn anew for each
// seed.
//
// 64 equal nodes; small work is pods of 1, 2 or 4 GPUs.
MoveWorld MadeWorld(std::int64_t load_percent, std::uint64_t seed);
// Every eighth of openb's nodes of 8 GPUs, and of those without; small work is drawn from its pods
// that ask less than a node, as long as they ran there, at most 12 hours: the trace itself never
// fills its cluster. Empty: the trace is not there.
std::optional<MoveWorld> OpenbWorld(std::int64_t load_percent, std::uint64_t seed);

// Who moves: nobody, as the engine says, or by the rule of everybody (bench/moves/everybody.h).
// kOursSoon: with a cooldown of five minutes instead of an hour; kOursBounded: likewise, and moves
// may lose no more than ten minutes of what is asked.
enum class MoveRule : std::uint8_t { kNobody, kOurs, kOursSoon, kOursBounded, kEverybody };

// For the engine, with the configuration of that rule; work appears as it arrives. All of it is of
// one queue and may be moved: Workloads, whose pods are made again.
std::vector<objects::Object> ObjectsOf(const MoveWorld& world, MoveRule rule, Time start);

}  // namespace fairlead::bench
