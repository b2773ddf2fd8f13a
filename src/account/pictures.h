#pragma once

#include <string>
#include <vector>

#include "account/ledger.h"

namespace fairlead::account {

// What a report draws: the run cut into equal pieces of time, each value the mean over its piece.
struct Pictures {
  std::string resource, unit;     // by which queues are compared: "nvidia.com/gpu", "GPU"
  double step_seconds = 0;        // of a piece
  std::vector<double> offered;    // whole units
  std::vector<double> pending;    // workloads that have not started
  std::vector<double> evictions;  // pods, in the piece
  struct Queue {
    std::string name;
    std::vector<double> allocated, fair, requested;
  };
  std::vector<Queue> queues;  // by name
  // How long workloads waited: `seconds` that `percent` of them did not exceed, ascending.
  struct Waiting {
    std::string of;  // "queue a"; empty: all
    std::vector<double> percent, seconds;
  };
  std::vector<Waiting> waiting;
};

// `pieces`: at most so many, at least 1. Cost: O(rows + queues × pieces).
Pictures PicturesOf(const Ledger& ledger, std::size_t pieces);

}  // namespace fairlead::account
