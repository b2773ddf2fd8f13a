#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "bench/topology_day/day.h"
#include "bench/topology_day/hosts.h"

namespace fairlead::bench {

// What became of a job: when it began, and on which hosts, with how many of its pods on each.
struct Start {
  Duration at = Duration::Max();  // never
  Placement on;                   // by host
  bool operator==(const Start&) const = default;
};
// By job of the day.
using DayRun = std::vector<Start>;

// Where a job goes, of the hosts as they are. Nothing: it waits.
using Rule = std::function<std::optional<Placement>(const Hosts& hosts, std::size_t job)>;

// First come; whatever fits starts, and nobody is stopped: what the engine does in one queue
// without quotas. At each moment first what ends, then what arrives, then everybody who waits is
// asked once, by arrival.
DayRun Simulate(const Day& day, const Rule& rule);

// By our own order: the engine on the virtual clock. Jobs that never began, or whose pods were
// stopped, are faults that end the program.
DayRun RunEngine(const Day& day);

// Whether a run is one of the simulator's, in which only the choice of hosts is another: every job
// begins when, as the simulator judges, it first fits.
bool IsOfSimulator(const Day& day, const DayRun& run);

}  // namespace fairlead::bench
