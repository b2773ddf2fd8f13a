#pragma once

#include <vector>

#include "bench/topology_day/run.h"

namespace fairlead::bench {

// What a day was like: of the jobs that came in it, and of the time from its begin to its end.
struct DayFigures {
  // Percent. Of gangs that an empty rack would hold: those that ran in one; of all, of those that
  // preferred it, of those that asked nothing. Of all gangs: those that ran in one block.
  double in_rack = 0, preferring_in_rack = 0, others_in_rack = 0, in_block = 0;
  // Minutes: of everything; of gangs; of gangs that required a rack; of gangs of a rack and more.
  double wait_mean = 0, wait_p95 = 0, gang_wait_mean = 0, gang_wait_p95 = 0;
  double rack_wait_mean = 0, rack_wait_p95 = 0, large_wait_mean = 0;
  double free_racks = 0;   // in the mean over time: nobody has a GPU there
  double utilisation = 0;  // percent of all GPU hours
};
DayFigures FiguresOf(const Day& day, const DayRun& run);

}  // namespace fairlead::bench
