#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/place/placer.h"
#include "engine/round/backlog.h"
#include "state/trial.h"

namespace fairlead::engine {

// What one step with victims leaves beyond its own need: room on nodes, and what its victims'
// queues are allocated no longer. Who could not be served before the step can be after it only
// where that helps: it spares asking all others again.
class FreedRoom {
 public:
  FreedRoom(const state::Cluster& cluster, Placer& placer) : cluster_(cluster), placer_(placer) {}

  void Clear() {
    if (!nodes_.empty()) Forget();
  }
  // Adds what the trial does. REQUIRES: it is not committed yet.
  void Add(const state::Trial& trial);
  // Whether there is anything at all.
  bool any() const;

  // Whether it might make the difference to a group that asks others for room. No is a proof, but
  // for what own lower priorities would have to give up beyond its request.
  bool MightServe(const Group& group);

 private:
  // Positive: what came free. Negative: what was taken.
  struct OfNode {
    state::NodeId node;
    state::Amounts amounts;
    bool devices = false;  // shares of devices are among it
  };
  struct OfQueue {
    state::QueueId queue;
    state::Amounts amounts;
  };
  void Forget();
  OfNode& On(state::NodeId n);
  OfQueue& In(state::QueueId q);
  bool HelpsRight(const Group& group) const;
  bool HelpsPods(state::ShapeId s, std::int64_t pods);
  bool HelpsOn(const OfNode& freed, const state::Shape& shape, std::int64_t pods) const;

  const state::Cluster& cluster_;
  Placer& placer_;
  std::vector<OfNode> nodes_;
  std::vector<OfQueue> queues_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> at_;  // by node: its place in nodes_
  // What is known already, by shape and pods.
  boost::unordered_flat_map<std::pair<std::uint32_t, std::int64_t>, bool,
                            boost::hash<std::pair<std::uint32_t, std::int64_t>>>
      known_;
};

}  // namespace fairlead::engine
