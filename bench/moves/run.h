#pragma once

#include "account/ledger.h"
#include "bench/moves/world.h"

namespace fairlead::bench {

// The world on the virtual clock, to its end. What has to go is gone at once, and made again at
// once: nobody can take in between what would have been free to him.
account::Ledger RunMoves(const MoveWorld& world, MoveRule rule);

// Of the middle day; waiting in minutes.
struct MoveFigures {
  double free_nodes = 0;     // in the mean over time: nodes with GPUs of which nobody has any
  double large_started = 0;  // gangs, whenever they came
  double large_wait_mean = 0, large_wait_p95 = 0;  // of those that came in it
  double small_wait_mean = 0;                      // likewise, of the rest
  double lost_gpu_hours = 0;                       // of who moved
  double moves = 0;                                // pods
  double moved_within_hour = 0;                    // … of their start
  double utilisation = 0;                          // percent of the GPU hours
};
MoveFigures FiguresOf(const account::Ledger& ledger);

}  // namespace fairlead::bench
