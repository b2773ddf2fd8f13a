#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/place/domain_rooms.h"
#include "engine/place/gang_part.h"
#include "engine/place/node_classes.h"
#include "engine/place/node_order.h"
#include "engine/place/preference_orders.h"
#include "engine/place/shape_orders.h"
#include "engine/place/witnesses.h"
#include "policy/dynamic_demand.h"
#include "policy/preference.h"
#include "policy/shape_score.h"
#include "state/cluster.h"
#include "state/trial.h"

namespace fairlead::engine {

// Finds nodes for pods: exactly the best one by policy/preference, policy/placement and
// policy/shape_score, without disturbing anyone; and devices for shares of GPUs.
// It follows the state's journal, so it may be asked in the middle of a trial.
class Placer : public state::DeviceChooser {
 public:
  explicit Placer(state::Cluster& cluster);
  Placer(const Placer&) = delete;
  Placer& operator=(const Placer&) = delete;

  // After nodes came, went or changed; after new shapes or another configuration. Cheap when
  // nothing did.
  void CatchUp();
  // Shapes have other numbers. REQUIRES: CatchUp follows.
  void ForgetShapes();
  // What this round placed took room and gave none: nobody has to look at those nodes again.
  void EndRound();

  // Around what is tried and undone: the orders follow it, and it is no news.
  void BeginWhatIf() { news_.News(); }
  void EndWhatIf() { news_.PassOver(); }

  // Whether the cluster changed nodes since it was asked last.
  bool HasNews() const { return news_.HasNews() || reshaped_.HasNews(); }
  // So much of the journal is of no use any more.
  std::uint64_t touched_position() const;
  std::uint64_t reshaped_position() const { return reshaped_.position(); }

  // Nodes whose free amounts the cluster changed between the last two rounds.
  const std::vector<state::NodeId>& touched() const { return touched_; }

  // The best node that holds the shape; invalid when there is none.
  state::NodeId Best(state::ShapeId s, state::When when = state::When::kNow);

  // The same where less is demanded of others.
  state::NodeId Best(state::ShapeId s, state::When when, policy::Asked asked);

  // Whether any node holds the shape: Best(…).valid(), for less where nodes are drawn or preferred.
  bool AnyFits(state::ShapeId s, state::When when = state::When::kNow,
               policy::Asked asked = policy::Asked::kAll);

  // Where nodes that fit stand among each other, smaller is better: by preference, placement and
  // name, as the configuration orders them. REQUIRES: all of them fit.
  std::vector<policy::NodePlace> PlacesOf(state::ShapeId s, state::When when,
                                          const std::vector<state::NodeId>& fitting) const;
  // The best first.
  void SortByPlace(state::ShapeId s, state::When when, std::vector<state::NodeId>& fitting) const;

  // How good a node is for the shape, by policy/placement: smaller is better. Below 2^32.
  std::uint32_t ScoreOf(state::ShapeId s, state::NodeId n, state::When when) const;

  std::int8_t ChooseDevice(const state::Shape& shape, state::NodeId n, state::Stay stay) override;

  // Whether this node holds the shape, whatever others offer.
  bool Fits(state::ShapeId s, state::NodeId n, state::When when = state::When::kNow,
            policy::Asked asked = policy::Asked::kAll);

  // How many pods of the shape the room holds, counting up to `enough`, and whom others refuse left
  // out. Exact for shapes that ask whole devices; an upper bound where they share one, or demand
  // others or an even spread.
  std::int64_t RoomFor(state::ShapeId s, std::int64_t enough, state::When when = state::When::kNow);
  // The same for one node. REQUIRES: its class suits the shape.
  std::int64_t RoomOn(state::ShapeId s, state::NodeId n, state::When when) const;

  // How many pods of the shape the nodes would hold if they were all empty.
  std::int64_t RoomWhenEmpty(state::ShapeId s);

  NodeClasses& classes() { return classes_; }
  DomainRooms& domain_rooms() { return domain_rooms_; }

 private:
  // An order of nodes, and how much of the journal it shows: one that nobody asks is not kept up.
  struct FollowedOrder {
    NodeOrder order;
    bool built = false;
    std::uint64_t seen = 0;
  };
  struct Contender {
    state::NodeId node;
    policy::RawPreference raw;
  };
  NodeOrder& OrderOf(const state::Shape& shape, state::When when);
  state::NodeId BestUnweighed(state::ShapeId s, state::When when);
  std::vector<Contender> ContendersFor(state::ShapeId s, state::When when);
  state::NodeId BestPreferred(state::ShapeId s, state::When when);
  bool Suits(state::ShapeId s, state::NodeId n, state::When when, std::uint64_t mask);
  state::NodeId BestAmong(state::ShapeId s, state::When when, std::span<const state::NodeId> nodes);
  state::NodeId BestForShape(state::ShapeId s, state::When when);
  state::NodeId Drawn(state::ShapeId s, state::When when);
  state::NodeId FirstDrawn(state::ShapeId s, state::When when, Random& random);
  template <typename Stop>  // stop(node), of those that hold the shape
  state::NodeId FirstOfAxis(state::ShapeId s, state::When when, Stop stop);
  std::uint64_t MaskOf(state::ShapeId s, state::When when);
  std::uint64_t Draw() const;
  std::uint64_t KeyOf(state::ShapeId s, state::NodeId n, state::When when) const;
  void DropOrders();

  state::Cluster& cluster_;
  state::LogReader<state::NodeId> news_{cluster_.journal().touched};
  state::LogReader<state::NodeId> reshaped_{cluster_.journal().reshaped};
  std::uint64_t configuration_ = 0;  // of the journal, when last looked at
  NodeClasses classes_;
  std::array<FollowedOrder, 4> orders_;  // by axis and when
  policy::ShapeScore shape_score_;
  ShapeOrders shape_orders_;
  DomainRooms domain_rooms_{cluster_, classes_};
  PreferenceOrders preference_orders_{cluster_, classes_};
  std::uint32_t stride_ = 0;
  policy::Asked asked_ = policy::Asked::kAll;  // by the search at hand
  std::vector<state::NodeId> touched_;
  Witnesses witnesses_{cluster_, classes_};
  std::vector<std::int64_t> when_empty_;  // by shape: RoomWhenEmpty; −1: not counted yet
};

// The nodes that the shape names, where they are known.
std::vector<state::NodeId> NodesNamedBy(const state::Cluster& cluster, const state::Shape& shape);
// How many pods of the shape fit onto a node if it were empty. REQUIRES: its class suits the shape.
std::int64_t PodsWhenEmpty(const state::Cluster& cluster, const state::Shape& shape,
                           state::NodeId n);
// How many pods of the shape fit onto a node of a class that suits it; as Placer::RoomFor in what
// is exact.
std::int64_t PodsThatFit(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                         state::When when);
// How many pods of the shape a row of amounts holds by itself; as Placer::RoomFor in what is exact.
std::int64_t PodsIn(const std::int64_t* room, const state::Shape& shape);
// The same where only the sum of what is free of the devices is known: an upper bound. Sets the
// whole devices in `room` by that sum.
std::int64_t PodsInSum(std::span<std::int64_t> room, const state::Shape& shape);

enum class GangVerdict : std::uint8_t { kPlaced, kNoRoom, kNotFound };

// Places all parts through `trial`, now or as claims on what is free later, or nothing. kNoRoom is
// a proof; kNotFound says that a bounded search ended without an arrangement although the bounds
// would allow one.
GangVerdict PlaceGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                      const std::vector<GangPart>& parts, state::When when, state::Trial& trial);
// The same whatever the gang asks of a topology: on any nodes that may be looked at.
GangVerdict PlaceAnywhere(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                          const std::vector<GangPart>& parts, state::When when,
                          state::Trial& trial);

// The verdict that PlaceGang would give now. Places through `trial`, which the caller undoes, only
// where the bounds are no exact answer.
GangVerdict CouldPlaceGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                           const std::vector<GangPart>& parts, state::Trial& trial);

}  // namespace fairlead::engine
