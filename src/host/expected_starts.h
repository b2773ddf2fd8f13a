#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "base/time.h"
#include "objects/objects.h"
#include "virtual/cluster.h"

namespace fairlead::host {

// When work that waits is first placed, if what is there runs on by itself and nothing else comes
// (time.md §3).
struct ExpectedStart {
  // What it rests on: how long work may run, how long it is said to, how long such work ran before.
  enum class Basis : std::uint8_t { kLimits, kExpected, kHistory };
  std::optional<Time> at;           // absent: nobody knows
  std::optional<Time> from, until;  // by history: the second earliest and latest of its draws
  Basis basis = Basis::kLimits;
  std::vector<std::string> unknown;  // without `at`: who runs and says no end, the first by name
};
std::string_view ToString(ExpectedStart::Basis basis);

// How long such work of a queue ran before, sorted; null: nobody knows. `work`: a workload
// ("namespace/name"), or what made the pod that is one ("Job namespace/name").
using PastDurations =
    std::function<const std::vector<Duration>*(std::string_view queue, std::string_view work)>;

// How durations are drawn, and on how many threads at most what follows is played (fewer, where
// there are so many objects that memory would not last): it is the same on one and on many.
// REQUIRES: `from` may be called by several threads, where there are several.
struct ForecastDraws {
  PastDurations from = nullptr;  // null: none are
  std::size_t threads = 1;
};

// Plays the state forward from options.start on a virtual clock, with the engine that decides, and
// with kubelets as they are there. What runs ends as its annotation fairlead.dev/run-duration says;
// else as long after its start as such work ran before, drawn from there kForecastDraws times with
// fixed seeds, the median counts; else at its expected end. Everything in `objects` is taken as
// being there, as `explain` takes it: fairlead.dev/arrives-at does not count.
//
// Of all that waits, by name; with `only` of that workload alone, which costs less. Nothing is said
// of what does not start within a year, or kForecastSteps instants.
inline constexpr int kForecastSteps = 20'000;
inline constexpr int kForecastDraws = 20;
std::map<std::string, ExpectedStart> ExpectedStarts(const std::vector<objects::Object>& objects,
                                                    const virtual_cluster::Options& options,
                                                    const ForecastDraws& draws = {},
                                                    std::string_view only = {});

// {at, from, until, basis}, or {unknown}.
boost::json::object ToJson(const ExpectedStart& start);

}  // namespace fairlead::host
