#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/backfill/log.h"

// What a reservation is measured against: the policies of the literature, on a machine of identical
// processors, decided at every submission and every end. They know limits, and nothing of how long
// a job will really run.

namespace fairlead::bench {

enum class Policy : std::uint8_t {
  // First come, first served: whoever does not fit lets nobody by.
  kFcfs,
  // EASY (Lifka, "The ANL/IBM SP scheduling system", JSSPP'95; as in Mu'alem and Feitelson, IEEE
  // TPDS 12(6), 2001): the head of the queue has a reservation at the first moment when it surely
  // fits; others start if that does not move.
  kEasy,
  // Conservative (the same): everybody has one, made on arrival. Who ends early lets all who wait
  // move, in the order of their reservations; nobody's becomes later.
  kConservative,
  // Whoever fits starts, in order: nobody holds room for anybody.
  kGreedy,
};
inline constexpr Policy kPolicies[] = {Policy::kFcfs, Policy::kEasy, Policy::kConservative,
                                       Policy::kGreedy};
std::string_view NameOf(Policy policy);
// Whether limits decide anything.
inline bool KnowsLimits(Policy policy) {
  return policy == Policy::kEasy || policy == Policy::kConservative;
}

// When each job starts, in the order of the log; it ends `run` later. REQUIRES: no job asks for
// more than the machine has. Cost: O(moments × those who wait); conservative, where jobs end before
// their limits, O(moments × those who wait × steps of the profile).
std::vector<std::int64_t> StartsOf(Policy policy, const Log& log);

}  // namespace fairlead::bench
