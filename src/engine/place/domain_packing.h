#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "engine/place/domain_rooms.h"
#include "state/domain_trees.h"

namespace fairlead::engine {

// Which domains pods take that are to be near each other (demands.md §7): the fewest on each
// narrower level, from the top; then those that break fewest wholly free ones; then the fullest;
// then by name.
//
// Of few children all sets are compared. Of many each is chosen by that order, one after the other,
// among those with which as few as possible still hold what is left. Counts are of the shape with
// the most pods; the others only bound who is asked.
class DomainPacking {
 public:
  // Pods of one shape.
  struct Load {
    state::ShapeId shape;
    const DomainRooms::Table* rooms = nullptr;
    std::int64_t pods = 0;
  };
  // Each `size` pods are in one domain of the level; size 0: there are none.
  struct Slices {
    std::int32_t size = 0;
    std::int32_t level = 0;
  };
  // REQUIRES: loads.front() is that of the most pods. The tables stay as they are.
  DomainPacking(const state::DomainTree& tree, std::vector<Load> loads, Slices slices);

  // What a choice costs, smaller is better: how many domains it takes on each narrower level, and
  // how many that were wholly free it takes in part.
  struct Use {
    boost::container::small_vector<std::int32_t, 8> domains;  // by level
    std::int32_t broken = 0;
    std::vector<state::DomainId> leaves;  // in the order in which they are filled
    friend std::strong_ordering operator<=>(const Use& a, const Use& b);
    friend bool operator==(const Use& a, const Use& b) { return (a <=> b) == 0; }
  };

  // The main one.
  state::ShapeId shape() const { return loads_.front().shape; }
  std::int64_t pods() const { return loads_.front().pods; }
  // Whether the domain has room for all of them: no is a proof.
  bool MightHold(state::DomainId d) const;
  // Of the main shape, in whole slices.
  std::int64_t RoomIn(state::DomainId d) const {
    return rooms_.empty() ? main().PodsIn(d) : rooms_[d.value()];
  }
  // REQUIRES: MightHold(d).
  Use Pack(state::DomainId d) const;
  // Which of the domains is taken first; of those that might take more of what is asked, up to
  // `most` pods, the first. REQUIRES: MightHold of each of them, and all are of one level.
  void SortByChoice(std::vector<state::DomainId>& domains, std::int64_t most) const;

 private:
  struct Child {
    state::DomainId domain;
    std::int64_t room = 0;
  };
  const DomainRooms::Table& main() const { return *loads_.front().rooms; }
  void SumUpSlices();
  bool TakesShortSlice(state::DomainId d) const;
  void PackInto(state::DomainId d, std::int64_t pods, Use& use) const;
  void Take(const Child& child, std::int64_t pods, Use& use) const;
  std::vector<Child> Choose(state::DomainId d, std::int64_t pods) const;
  std::vector<Child> FullestLeaves(std::vector<Child> children, std::size_t count,
                                   std::int64_t pods) const;
  std::vector<Child> BestOf(std::vector<Child> children, std::size_t count,
                            std::int64_t pods) const;
  std::vector<Child> BestSet(const std::vector<Child>& children, std::size_t count,
                             std::int64_t pods) const;
  Use NothingUsed() const;
  void FillInto(std::span<const Child> children, std::int64_t pods, Use& use) const;

  const state::DomainTree& tree_;
  std::vector<Load> loads_;
  Slices slices_;
  std::vector<std::int64_t> rooms_;  // by domain, in whole slices; empty: there are none
};

// Whether the one comes before the other, by the values of their labels from the widest level on.
// REQUIRES: they are of one level.
bool ComesBefore(const state::DomainTree& tree, state::DomainId a, state::DomainId b);

}  // namespace fairlead::engine
