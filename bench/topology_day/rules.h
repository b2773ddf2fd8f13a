#pragma once

#include <string_view>
#include <vector>

#include "bench/topology_day/run.h"

namespace fairlead::bench {

// What others do, written again from their sources, on hosts of which nothing counts but GPUs. What
// they leave to chance, the smallest name decides.
struct PeerRule {
  std::string_view name;
  Placement (*place)(const Hosts& hosts, const DayJob& job);  // REQUIRES: Fits(hosts, job)
};
std::vector<PeerRule> PeerRules();

}  // namespace fairlead::bench
