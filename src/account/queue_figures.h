#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "account/ledger.h"
#include "base/wide_int.h"

namespace fairlead::account {

// How justly queues were served, by one resource; see FiguresOf. Integrals are amounts × µs.
struct QueueFigures {
  double jain = 0;                    // mean over `compared`
  Duration compared;                  // while at least two queues asked and were due something
  WideInt deviation = 0;              // Σ ∫ |allocated − fair share| of queues that ask for theirs
  std::map<NameId, WideInt> missing;  // of queues that ever lacked what is guaranteed
  std::vector<Duration> lacks;        // how long each lack lasted; one that still does: until now
};

QueueFigures QueueFiguresOf(const Ledger& ledger, std::size_t resource);

}  // namespace fairlead::account
