#pragma once

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
// Prepared for speed: nodes that the same typical pods may enter share a table, in which pods that
// ask the same of GPUs are one row with their numbers by CPU.
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
  struct Row {
    std::int64_t share_milli = 0;  // of one device; 0: whole devices
    std::int32_t whole = 0;
    // By ascending CPU: how many pods ask at most that.
    std::vector<std::int64_t> cpu_milli, weight_up_to;
    std::int64_t weight() const { return weight_up_to.back(); }
  };
  struct Table {
    std::vector<bool> entered_by;  // typical pods
    std::vector<Row> rows;
    std::int64_t lost_weight = 0;  // pods that can use no GPU here
  };
  Table TableFor(const std::vector<bool>& entered_by) const;

  const state::Cluster& cluster_;
  std::int64_t total_weight_ = 0;
  std::vector<Table> tables_;
  std::vector<std::uint32_t> table_of_;  // by node
};

}  // namespace fairlead::policy
