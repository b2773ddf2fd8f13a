#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "account/topology_notes.h"
#include "base/result.h"
#include "base/time.h"
#include "drive/observer.h"

namespace fairlead::trace {

// A record of a real cluster (`fairlead run --record`), decided again.
struct Replay {
  struct Difference {
    std::int64_t line = 0;  // of the record
    Time at;
    std::int64_t recorded = 0, decided = 0;  // decisions
  };
  std::int64_t lines = 0, objects = 0, rounds = 0, decisions = 0;
  Time start, end;                                 // of what was recorded
  bool cut_off = false;                            // the record's last line lacks its end
  std::int64_t differing = 0;                      // rounds that decide otherwise
  std::vector<Difference> differences;             // the first kMostDifferences of them
  std::string digest;                              // of all rounds, in order
  std::vector<objects::KnownTopology> topologies;  // that are there in the end
};
inline constexpr std::size_t kMostDifferences = 100;

// Takes the same objects in the same order, and decides at the same moments. Errors: the file
// cannot be read, or "FILE:LINE: …" for the first line that is none.
//
// `observer` (may be null) is told what happened as a virtual cluster would tell it: changes,
// rounds and writes, and of the events those that changes do not tell: who came in whose place
// (kCreate), what was done (kComplete) and who was evicted (kEvict). Of a round that decides
// otherwise now nobody knows what it had decided: what it writes is not told of.
Result<Replay> ReplayRecord(const std::string& directory, drive::Observer* observer);

}  // namespace fairlead::trace
