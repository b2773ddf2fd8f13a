#pragma once

#include <cstdint>
#include <optional>

#include <boost/container/small_vector.hpp>

#include "state/cluster.h"

namespace fairlead::policy {

// On what a reclaim stands (semantics.md §4): that the preemptor stays within what it is
// guaranteed, or within its fair share.
enum class Right : std::uint8_t { kGuarantee, kShare };

// Who takes room by it, and who gives.
enum class Side : std::uint8_t { kTaker, kGiver };
// The fair share by which a queue is judged: where usage over time counts, of those with and
// without it the smaller of who takes and the larger of who gives, so that minutes alone stop
// nobody.
std::int64_t ShareOf(const state::QueueTree& queues, state::QueueId q, state::ResourceId r,
                     Side side);

// Whether there is anything that the right looks at, whatever is asked.
bool LooksAtAny(const state::Cluster& cluster, Right right);

// How much more of the resource the queue may ask by the right, whatever else it asks; absent: as
// much as it likes, as the right does not look at it.
std::optional<std::int64_t> LeftBy(const state::QueueTree& queues, Right right, state::QueueId q,
                                   state::ResourceId r);

// What a scenario leaves to those it takes from. A stricter tier goes before a laxer one.
enum class Tier : std::uint8_t { kAboveShare, kAboveGuarantee, kAny };

// One right of one preemptor, judged against the queues' figures as they are: in the middle of a
// trial these show what has left and what has been placed so far. Amounts passed come on top of
// that.
//
//   R1  Allows: with the request, a queue of the preemptor's stays within the figure.
//   R2  IsAbove: before a unit leaves a donor, the donor is above the figure.
//       A queue that is not ready is entitled to nothing.
//   R3  TurnsAbout: afterwards the preemptor's queue would be more saturated than the donor beside
//   it.
class Entitlement {
 public:
  Entitlement(const state::QueueTree& queues, Right right, const state::Amounts& request);

  Right right() const { return right_; }
  // Whether there is anything it looks at: a guarantee does where some asked resource is guaranteed
  // in the tree.
  bool applies() const { return !looks_at_.empty(); }
  using Resources = boost::container::small_vector<state::ResourceId, 4>;
  const Resources& looks_at() const { return looks_at_; }

  // What `q` still lacks to hold `more`, by resource looked at; nothing: R1 holds there.
  state::Amounts Lacks(state::QueueId q, const state::Amounts& more) const;
  bool Allows(state::QueueId q, const state::Amounts& more) const;

  bool IsAbove(state::QueueId donor, const state::Amounts& gone) const;

  // Whether there is any resource in which R2 may hold, whatever is asked; nothing is gone.
  static bool MayBeAbove(const state::Cluster& cluster, Right right, state::QueueId donor);

  // Whether the donor, `gone` and `unit` less, is left where the tier wants it. A resource in which
  // it was below before `unit` left cannot be left above.
  bool KeepsTier(state::QueueId donor, Tier tier, const state::Amounts& gone,
                 const state::Amounts& unit) const;

  bool TurnsAbout(state::QueueId preemptor, const state::Amounts& more, state::QueueId donor,
                  const state::Amounts& gone) const;

  // Where one resource is looked at: how much of it may leave the donor in all, its last unit aside
  // for what R2 says, so that `preemptor` can hold `more`. At least 0; nothing has left yet.
  struct Leave {
    std::int64_t before_last = 0;  // R2
    std::int64_t in_all = 0;       // R3 and the tier; kUnlimited: as much as there is
  };
  // REQUIRES: looks_at() has one resource.
  Leave MostThatLeaves(state::QueueId preemptor, const state::Amounts& more, state::QueueId donor,
                       Tier tier) const;

  // Of a donor: its dominant allocated / fair share.
  struct Saturation {
    std::int64_t allocated = 0;
    std::int64_t share = 1;  // 0: without end
  };
  Saturation SaturationOf(state::QueueId q) const { return SaturationOf(q, Side::kGiver, {}, {}); }
  // Whether `a`, so saturated, is asked before `b`: the more saturated one; ties by name.
  bool GivesFirst(state::QueueId a, const Saturation& of_a, state::QueueId b,
                  const Saturation& of_b) const;

  static bool Less(const Saturation& a, const Saturation& b);

 private:
  Saturation SaturationOf(state::QueueId q, Side side, const state::Amounts& more,
                          const state::Amounts& gone) const;
  std::int64_t Lack(state::QueueId q, const state::Amounts& more, state::ResourceId r) const;

  const state::QueueTree& queues_;
  Right right_;
  Resources looks_at_;
};

// Whether the right applies to the request and R1 holds at `q`: the same without making one.
bool IsEntitled(const state::QueueTree& queues, Right right, state::QueueId q,
                const state::Amounts& request);

}  // namespace fairlead::policy
