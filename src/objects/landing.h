#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace fairlead::objects {

// Room that is held for the next pod of work which moves, so that another may start where it was
// (time.md §6).
struct Landing {
  std::string owner;        // who makes that pod: "KIND/NAMESPACE/NAME"; or its "Workload/…"
  std::string pod_set;      // of a Workload; empty: its owner's pods are workloads of their own
  std::int32_t index = -1;  // which of the set's pods it is; −1: any
  std::string pod;          // that leaves for it, by name in the owner's namespace
  std::string node;
  Time since, until;                                           // it is held
  std::string queue;                                           // in which it counts meanwhile
  std::vector<std::pair<std::string, std::int64_t>> requests;  // what is held: a ResourceList
  bool operator==(const Landing&) const = default;
};
using Landings = std::vector<Landing>;

// As an annotation of a pod has them, one after the other with "; " between them:
//
//   ReplicaSet/team/a (a-x7) on n1 since 2026-03-01T12:00:00Z until 2026-03-01T12:05:00Z in vision
//   for cpu=1000,pods=1
//
// Amounts are in base units, CPU in millicores. Of a Workload the owner is "Workload/team/w:set".
std::string TextOf(const Landings& landings);
Landings ParseLandings(std::string_view text);  // what cannot be read is left out

}  // namespace fairlead::objects
