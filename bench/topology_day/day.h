#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "bench/days/draws.h"
#include "objects/objects.h"

namespace fairlead::bench {

// The cluster: hosts of 8 GPUs in racks, racks in blocks. Host h is in rack h / 16; that is the
// order of their names, too.
inline constexpr std::int64_t kGpus = 8;
inline constexpr std::int64_t kHostsOfRack = 16, kRacksOfBlock = 8, kBlocks = 4;
inline constexpr std::int64_t kRacks = kBlocks * kRacksOfBlock;
inline constexpr std::int64_t kHosts = kRacks * kHostsOfRack;
inline constexpr std::int64_t kGpusOfRack = kHostsOfRack * kGpus;

enum class Asks : std::uint8_t { kNothing, kPrefersRack, kRequiresRack, kRequiresBlock };

struct DayJob {
  std::string name;
  Duration arrives, runs;
  std::int64_t pods = 1, gpus = 1;  // of each pod
  Asks asks = Asks::kNothing;

  bool is_gang() const { return pods > 1; }
  std::int64_t all_gpus() const { return pods * gpus; }
  // Into an empty one.
  bool FitsInRack() const { return pods <= kHostsOfRack * (kGpus / gpus); }
};

// A day of work: what is measured is between kDayBegin and kDayEnd.
struct Day {
  std::vector<DayJob> jobs;  // by arrival; no two arrive at once
};

// Jobs that ask for `load_percent` of all GPU hours until the last arrival. A fifth of the hours is
// single pods of one GPU; the rest is gangs. Everything is drawn anew for each seed.
Day MakeDay(std::int64_t load_percent, std::uint64_t seed);

// The same for the engine: nodes, a Topology, jobs that appear at their arrival.
std::vector<objects::Object> ObjectsOf(const Day& day, Time start);

// Of the objects: what the engine calls them.
inline constexpr const char* kNameSpace = "day";
std::string HostName(std::int64_t host);

}  // namespace fairlead::bench
