#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/place/filling.h"
#include "engine/place/placer.h"
#include "engine/room/room_search.h"
#include "policy/reduction.h"

namespace fairlead::engine {

// The step of so many pods by pod set, of all that `whole` asks.
RoomStep StepWith(const state::Cluster& cluster, const RoomStep& whole,
                  const std::vector<std::int32_t>& counts);

// With how many pods a job may start that has no room as a whole (semantics.md §8): the fewest pods
// are cut with which it has, then every pod set in turn grows into what is left.
//
// Fewer pods never have room where more do, so that halving finds the cut, and a kind of pod of
// which one more had no room is not asked about again. Limits and the number of pods that nodes
// would hold one by one are compared first. Pods of one shape need no more; of several shapes an
// arrangement is looked for, of up to kMostPlaced pods as a gang is placed, of more by Filling.
class FewerPods {
 public:
  static constexpr std::int64_t kMostPlaced = 256;

  // What becomes of a step that has no free room: room for it comes by itself, which is waited for
  // and not held; or others make it.
  enum class Others : std::uint8_t { kGiveNothing, kLeaveAnyway, kMakeRoom };
  using AskOthers = std::function<Others(const RoomStep&)>;

  // `whole`: the step with all pods. `ask`: null: nobody may be asked.
  FewerPods(state::Cluster& cluster, Placer& placer, const RoomStep& whole, AskOthers ask);

  // By pod set; empty: not even with the fewest.
  std::vector<std::int32_t> Find();

 private:
  using Counts = std::vector<std::int32_t>;
  void Measure();
  std::optional<std::int64_t> SmallestCut();
  std::optional<std::int64_t> SmallestCutWithoutVictims();
  void Grow(std::size_t set);

  // Counts under trial, and what they ask for.
  void Take(Counts counts);
  void Take(std::size_t set, std::int32_t count);
  bool MayServe();
  bool HasArrangement();
  bool HasRoom() { return MayServe() && HasArrangement(); }
  Others AskForRoom();
  bool Serves() { return HasRoom() || AskForRoom() == Others::kMakeRoom; }
  state::ShapeId NextShape(std::size_t set) const;

  state::Cluster& cluster_;
  Placer& placer_;
  const RoomStep& whole_;
  AskOthers ask_;
  const std::vector<state::PodSet>& sets_;
  std::vector<policy::CountRange> ranges_;
  std::vector<std::size_t> first_part_;  // by pod set, and one more: of whole_.parts
  std::vector<std::int64_t> free_;       // by resource, of all nodes together
  std::vector<std::int64_t> room_;       // by place in wanted_: how many nodes would hold, at most
  Filling filling_;

  Counts counts_;
  std::vector<ShapeCount> wanted_;  // all shapes of whole_, in a fixed order
  std::vector<state::ShapeId> stuck_;
  state::Amounts request_;
};

}  // namespace fairlead::engine
