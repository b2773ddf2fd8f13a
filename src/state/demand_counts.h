#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/demand_terms.h"
#include "state/ids.h"
#include "state/nodes.h"

namespace fairlead::state {

// How many pods hold which term on which node: the one store behind all demands that depend on
// other pods. Placing and leaving keep it (Cluster::Occupy, Vacate, Restand), so that a Trial
// undoes it as it undoes room. Only what somebody holds is in it.
//
// Who leaves holds its terms now and not later; who claims a place holds them from now on, so that
// nobody comes between.
class DemandCounts {
 public:
  void Take(const std::vector<TermId>& terms, NodeId n, Stay stay) { Add(terms, n, stay, +1); }
  // REQUIRES: they were taken so.
  void Give(const std::vector<TermId>& terms, NodeId n, Stay stay) { Add(terms, n, stay, -1); }

  // How many pods hold it there. Cost: one look-up.
  std::int32_t Holders(TermId term, NodeId n, When when) const;
  // Pairs of a term and a node that somebody holds.
  std::size_t size() const { return counts_.size(); }

  bool operator==(const DemandCounts&) const = default;

 private:
  struct Count {
    std::int32_t staying = 0;  // or coming
    std::int32_t leaving = 0;
    bool operator==(const Count&) const = default;
  };
  static std::uint64_t KeyOf(TermId term, NodeId n) {
    return std::uint64_t{term.value()} << 32 | n.value();
  }
  void Add(const std::vector<TermId>& terms, NodeId n, Stay stay, std::int32_t times);

  boost::unordered_flat_map<std::uint64_t, Count> counts_;
};

}  // namespace fairlead::state
