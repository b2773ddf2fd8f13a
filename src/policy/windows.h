#pragma once

#include <optional>
#include <vector>

#include "objects/window.h"
#include "state/cluster.h"
#include "state/kept_back.h"

namespace fairlead::policy {

// Times in which nodes are for nobody, or for some queues alone (time.md §4): who may start on them
// when, and which nodes these are by now. In one, and before it where its end is not sure to come
// in time, nobody else starts there; what runs there is another's business (WindowStops).
class Windows {
 public:
  explicit Windows(const state::Cluster& cluster) : cluster_(cluster) {}

  // Work that would start then.
  struct Start {
    state::QueueId queue;
    Time at;
    std::optional<Duration> limit;  // of its run time: it has left by then, to be sure
  };

  // The workload, with its queue and its limit.
  static Start StartOf(const state::Cluster& cluster, state::WorkloadId w, Time at);

  // Whether what still runs on the window's nodes is stopped then, but for what they are for.
  static bool Evicts(const objects::Window& window, Time now);
  // Whether the queue, or one above it, may use the window's nodes meanwhile.
  static bool IsFor(const objects::Window& window, const state::Cluster& cluster,
                    state::QueueId queue);

  // After windows or nodes changed.
  void CatchUp();

  bool any() const { return !windows_.empty(); }
  std::size_t size() const { return windows_.size(); }
  const objects::Window& operator[](std::size_t i) const { return windows_[i].window; }
  const std::vector<state::NodeId>& nodes(std::size_t i) const { return windows_[i].nodes; }

  // Whether its nodes are closed to the start.
  bool ClosedTo(std::size_t i, const Start& start) const;
  std::vector<bool> ClosedTo(const Start& start) const;
  bool IsClosed(state::NodeId n, const Start& start) const;
  // From when on nodes are closed to such starts; they open when a window ends.
  std::vector<Time> ClosingTimes(std::optional<Duration> limit) const;

  // Whoever looks for room finds none on the nodes of these, whoever leaves them.
  void Close(const std::vector<bool>& which, state::KeptBack& kept) const;

 private:
  struct Row {
    objects::Window window;  // a copy: it is asked about between a change and CatchUp, too
    std::vector<state::NodeId> nodes;  // sorted
  };
  const state::Cluster& cluster_;
  std::vector<Row> windows_;  // by name
};

}  // namespace fairlead::policy
