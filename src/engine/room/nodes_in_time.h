#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/place/placer.h"
#include "engine/room/booking.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What is kept on a node for another, whom the step would meet there at any moment before some
// time: they have to do with what is left of the node when all have left who do before `by`.
struct TakenOn {
  state::NodeId node;
  Time by;
  std::span<const Booking::Seat> seats;
};
// Of all of the bookings that the step would meet at any moment before `until`, sorted by node.
// Good as long as these are.
std::vector<TakenOn> TakenBefore(const state::Cluster& cluster, const RoomStep& step,
                                 const Bookings& bookings, Time now, Time until);

// What nodes may hold some day, followed from one look to the next: for each shape that was asked
// about, from when on its first pod may stand on a node, once those have left who are told to by
// then. An upper bound: nobody else comes, and all that is said of ends holds.
//
// Invariant: after CatchUp, what is known of a node that did not change is what would be found now.
// Cost of CatchUp: what was touched since; of a change: its node's pods, once for each shape.
class NodesInTime {
 public:
  NodesInTime(state::Cluster& cluster, Placer& placer);

  void CatchUp();
  // Nobody asks any more: nothing is kept, and nothing followed until somebody does.
  void Forget();

  // How many changes of nodes there have been, and of which nodes the later ones were; nullopt: too
  // long ago to be told.
  std::uint64_t changes() const { return first_ + changed_.size(); }
  std::optional<std::span<const state::NodeId>> ChangedSince(std::uint64_t changes) const;
  // After how many changes the node was as it is.
  std::uint64_t ChangedAt(state::NodeId n) const { return changed_at_[n.value()]; }

  // From when on a pod of the shape may stand on a node.
  using From = std::pair<Time, state::NodeId>;
  // Those on which one may at some moment before `until`, the earliest first. Good until it is
  // asked about another shape, or catches up.
  std::span<const From> Before(state::ShapeId s, Time until);
  // From when on one may on the node; Max: never.
  Time FirstOn(state::ShapeId s, state::NodeId n) const;
  // How many of them the node holds at most when those have left who are told to before `until`;
  // where `taken` names it, and that is gone: the least by each of its entries.
  std::int64_t MostOn(state::ShapeId s, state::NodeId n, Time until,
                      std::span<const TakenOn> taken = {}) const;

  std::uint64_t touched_position() const;
  std::uint64_t reshaped_position() const;
  std::uint64_t workloads_position() const;
  std::uint64_t timed_position() const;

 private:
  static constexpr std::size_t kMostKept = 4096;  // changes that are remembered
  static constexpr std::size_t kMostShapes = 64;  // that are followed
  struct OfShape {
    std::uint64_t seen = 0;      // changes
    std::vector<Time> first;     // by node
    std::vector<From> in_order;  // of those that hold one some day
  };
  struct Leaves {
    Time told;
    state::ShapeId shape;
    auto operator<=>(const Leaves&) const = default;
  };
  using Row = boost::container::small_vector<std::int64_t, 16>;
  Row RowOf(state::NodeId n) const;
  void Give(const Leaves& leaves, Row& row) const;
  std::uint64_t ContentOf(state::NodeId n) const;
  void Keep(state::NodeId n, std::uint64_t content);
  void Look(state::NodeId n, bool anew);
  void LookAtNodesOf(const std::vector<state::WorkloadId>& workloads);
  void NoteChange(state::NodeId n);
  const OfShape& Follow(state::ShapeId s);

  state::Cluster& cluster_;
  Placer& placer_;
  state::LogReader<state::NodeId> touched_;
  state::LogReader<state::NodeId> reshaped_;
  state::LogReader<state::WorkloadId> workloads_;
  state::LogReader<state::WorkloadId> timed_;
  bool follows_ = false;
  std::uint64_t configuration_ = 0;
  std::vector<std::uint64_t> content_;      // by node
  std::vector<std::vector<Leaves>> leave_;  // by node: who is told to leave it, sorted
  std::vector<std::uint64_t> looked_at_;    // by node: in which of the looks
  std::uint64_t looks_ = 0;
  std::vector<std::uint64_t> changed_at_;  // by node
  std::vector<state::NodeId> changed_;     // the latest changes
  std::uint64_t first_ = 0;                // of these
  boost::unordered_flat_map<std::uint32_t, OfShape> shapes_;
};

}  // namespace fairlead::engine
