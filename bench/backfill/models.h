#pragma once

#include <array>
#include <cstdint>

#include "bench/backfill/log.h"

// Logs that are made: the same for the same seed, everywhere.

namespace fairlead::bench {

// The model of Lublin and Feitelson, "The workload on parallel supercomputers: modeling the
// characteristics of rigid jobs", Journal of Parallel and Distributed Computing 63(11), 2003, with
// its published parameters of batch jobs, which are those of a machine of 128 processors:
//
//   size          of one processor with 0.2927, else 2^u; u is even on [1.2, 5] with 0.875, else on
//                 [5, 7]; rounded to a power of two with 0.6686 of all
//   run time      e^g s; g of one gamma distribution, (6.57, 0.823), with the probability
//                 0.6986 − 0.003 × size, else of another, (639.1, 0.0156); up to e^12 s
//   inter-arrival e^g s; g of the gamma distribution (6.0415 × 1.0519, 0.8531), up to e^13 s; on a
//                 clock that is fast when many come: in each half hour of the day as a gamma
//                 distribution (6.1271, 5.2740) over them has it, which begins at 5:30
//
// The load is had by stretching that clock, so that a day stays a day.
struct LublinOptions {
  std::uint64_t seed = 0;
  std::int64_t jobs = 5000;
  std::int64_t load_percent = 85;
  std::int64_t limit_times = 1;  // of the run time
};
Log LublinLog(const LublinOptions& options);

// How fast that clock is in each half hour from midnight on; the mean is 1.
std::array<double, 48> DailyCycle();

// Small work keeps coming: a week of jobs of 1 to 8 processors and 10 to 60 minutes which alone ask
// for all of 128 processors, in queue 2, and every six hours a gang of an hour that asks for a
// quarter, a half, three quarters or all of them, in queue 1.
inline constexpr std::int64_t kGangQueue = 1, kSmallQueue = 2;
Log SmallWorkLog(std::uint64_t seed, std::int64_t limit_times);

}  // namespace fairlead::bench
