#pragma once

#include <optional>
#include <string>
#include <vector>

#include "account/ledger.h"

namespace fairlead::account {

// How near each other the pods of gangs ran, and what was left whole, by level of one topology.
// A pair is two pods of one workload that were on nodes at the same time; one that is in no domain
// of a level shares it with nobody.
struct Nearness {
  struct OfLevel {
    std::string key;  // of the label
    // Percent of the workloads that had pairs: all of their pairs shared a domain.
    std::optional<double> gangs_within;
    std::optional<double> nearest;  // percent of the pairs: it is the narrowest that they shared
    // Domains that offer the decisive resource and where no pod has any of it: the mean over time,
    // and the same in percent of those that offer it.
    std::optional<double> free, free_percent;
  };
  std::string topology;
  std::vector<OfLevel> levels;  // widest first
  std::optional<double> apart;  // percent of the pairs that shared none
};

// Of each topology that nodes carry. `decisive`: index of the resource, or npos.
// Cost: O(stays log stays × levels).
std::vector<Nearness> NearnessOf(const Ledger& ledger, std::size_t decisive);

}  // namespace fairlead::account
