#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "state/cluster.h"

namespace fairlead::engine {

// What may leave each node together, by the queue that would lose it, whoever asks: how much of one
// resource, and what comes free of the others with it. It is found once for each node, and again
// where something changed there.
//
// Cost: the node's pods where it is found anew; in between, what the journal says has changed.
class NodeUnits {
 public:
  // A pod that is a workload of its own, or of a gang that gives its pods singly; or what runs on
  // the node of any other gang.
  struct Unit {
    state::QueueId queue;
    state::WorkloadId workload;
    std::int64_t amount = 0;  // on the node
    std::int64_t of_pod = 0;  // of its largest pod there
    bool whole = false;       // it leaves all nodes at once, with all its pods
    bool operator==(const Unit&) const = default;
  };
  // Of one queue: its units, the smallest first, what they come to, and by resource what they free
  // of all others.
  struct OfQueue {
    state::QueueId queue;
    std::span<const Unit> units;
    std::int64_t amount = 0;
    std::span<const std::int64_t> others;
  };

  NodeUnits(const state::Cluster& cluster, state::ResourceId resource)
      : cluster_(cluster), resource_(resource) {}

  // Calls visit(OfQueue) for each queue that has units there. Good until the next call.
  template <typename Visit>
  void ForEachQueue(state::NodeId n, Visit visit) {
    const OfNode& of_node = Of(n);
    const std::size_t stride = cluster_.nodes().stride();
    const std::span<const Unit> units = of_node.units;
    std::size_t nth = 0;
    for (std::size_t first = 0, last = 0; first < units.size(); first = last) {
      std::int64_t amount = 0;
      while (last < units.size() && units[last].queue == units[first].queue) {
        amount += units[last++].amount;
      }
      visit(OfQueue{.queue = units[first].queue,
                    .units = units.subspan(first, last - first),
                    .amount = amount,
                    .others = std::span(of_node.others).subspan(stride * nth++, stride)});
    }
  }

  // To be called before what it has not read of the journal is dropped; else all is found anew.
  void CatchUp();

 private:
  struct OfNode {
    bool known = false;
    std::vector<Unit> units;           // by queue, the smallest first
    std::vector<std::int64_t> others;  // by queue of these, and resource
  };
  const OfNode& Of(state::NodeId n);
  void Look(state::NodeId n, OfNode& of_node) const;
  void Forget(state::NodeId n) {
    if (n.value() < nodes_.size()) nodes_[n.value()].known = false;
  }
  void ForgetAll();
  bool IsUpToDate(state::NodeId n) const;

  const state::Cluster& cluster_;
  const state::ResourceId resource_;
  std::vector<OfNode> nodes_;
  bool any_ = false;          // are known
  std::uint32_t stride_ = 0;  // of `others`
  // So far the journal was read.
  std::uint64_t touched_ = 0, workloads_ = 0, spared_ = 0;
};

}  // namespace fairlead::engine
