#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/audit/auditor.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Whether the cluster's sums equal their parts (S1, S4 to S7 of docs/invariants.md), looked at a
// piece at a time: for a process that goes on meanwhile. Many walks come to a tour of the whole.
//
// - A node is judged by its pods, and a queue by its own pods and its children's figures, at one
//   moment each: in every tour, whatever happens between two walks. A queue of more pods than a
//   walk looks at is judged where nothing changes before they are all looked at; else it waits for
//   the next tour.
// - What needs the whole tour (the capacity, counts of demands, waiting counts of nobody, what is
//   in use by a limited queue through children without a limit) is judged by tours in which nothing
//   changed.
//
// Thread safety: none. Memory: that of the cluster's counts of demands, and a row a queue.
class SumsAudit : Auditor {
 public:
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  // `cluster` must outlive it.
  explicit SumsAudit(const state::Cluster& cluster) : Auditor(nullptr), cluster_(cluster) {
    Begin();
  }

  // Goes on where the last walk ended, over at most about `rows` nodes, queues and pods, and to the
  // end of the tour at most. What is wrong there is appended, one sentence each. Whether it was the
  // end. Cost: about 70 ns a row; the last walk of a tour looks at every shape beside that.
  // REQUIRES: the queues are settled; rows > 1.
  bool Walk(std::int64_t rows, std::vector<std::string>& faults);

  // To be called before the next walk where the cluster is not what it was at the last one.
  void NoteChange();

 private:
  using Row = std::vector<std::int64_t>;  // by resource

  // Of the pods directly in a queue.
  struct Own {
    Row allocated, requested, taken;
    boost::unordered_flat_map<std::uint32_t, std::int64_t> waiting;  // by shape
  };

  void Begin();
  void BeginQueue();
  std::uint32_t width() const { return cluster_.resources().size(); }
  // The rows looked at.
  std::int64_t LookAtNode(state::NodeId n);
  std::int64_t LookAtQueue(state::QueueId q, std::int64_t rows);
  std::int64_t Add(state::WorkloadId w);
  void AddTo(Row& row, state::ShapeId shape, std::int64_t times) const;
  void Compare(state::QueueId q);
  void CompareIdle(state::QueueId q);
  void CompareInUse(state::QueueId q);
  void CompareWaiting(state::QueueId q);
  void CompareTour();
  std::int64_t InUse(state::QueueId q, std::uint32_t r) const;

  const state::Cluster& cluster_;

  // Of the tour.
  bool undisturbed_ = true;
  std::uint32_t next_node_ = 0;
  std::vector<state::QueueId> queues_;  // children first; empty: the nodes are not done
  std::size_t next_queue_ = 0;
  Row capacity_;
  state::DemandCounts demands_{cluster_.terms(), cluster_.demands().columns()};
  std::size_t waiting_pairs_ = 0;  // of a shape and a queue
  std::vector<Row> taken_;         // by queue

  // Of the queue that is looked at.
  std::size_t next_workload_ = 0;
  bool again_ = false;  // from its beginning, as something changed in between
  Own own_;

  Row used_, used_later_;  // kept for their memory
};

}  // namespace fairlead::engine
