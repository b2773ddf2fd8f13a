#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

// How many of a node's free GPUs the pods that are expected cannot use (Weng et al., "Beware of
// Fragmentation", ATC'23, §4): for a typical pod all that is free where it cannot run for any
// reason, else the devices with less free than it asks; Σ over typical pods, weighed by their
// number. CPU, GPUs and labels count. A pod without GPUs can use none.
//
// Prepared for speed: nodes that the same typical pods may enter share a table, which says for so
// much free CPU how many of them could use a device with so much free, and how many so many whole
// devices. Of() then costs a look at each device.
class Fragmentation {
 public:
  explicit Fragmentation(const state::Cluster& cluster) : cluster_(cluster) {}

  // After nodes or the configuration changed.
  void Prepare();

  // The weights of all typical pods; 0: none is known.
  std::int64_t total_weight() const { return total_weight_; }

  // Weight × thousandths of a device, on a node with so much free.
  std::int64_t Of(state::NodeId n, std::int64_t cpu_free,
                  std::span<const std::int64_t> devices_free) const;

 private:
  struct Table {
    std::vector<bool> entered_by;         // typical pods
    std::vector<std::int64_t> cpu_milli;  // that they ask, ascending
    // The weight of those who ask no more CPU than the i-th, i from 1 on, and: at most the k-th
    // share; at most k whole devices. Row by row.
    std::vector<std::int64_t> by_share, by_whole;
  };
  void ListShares();
  Table TableFor(const std::vector<bool>& entered_by) const;

  const state::Cluster& cluster_;
  std::int64_t total_weight_ = 0;
  std::int32_t most_whole_ = 0;
  std::size_t shares_ = 0;                     // different ones
  std::array<std::uint16_t, 1001> fitting_{};  // by thousandths: so many of them are no greater
  std::vector<Table> tables_;
  std::vector<std::uint32_t> table_of_;  // by node
};

}  // namespace fairlead::policy
