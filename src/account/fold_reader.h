#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "base/time.h"
#include "drive/event.h"
#include "engine/scheduler.h"
#include "state/change.h"

namespace fairlead::account {

// The number of a pod, gang, node, queue or shape in a Fold.
using FoldIndex = std::uint32_t;
inline constexpr FoldIndex kNoIndex = std::numeric_limits<FoldIndex>::max();

// Is told by a Fold what comes true, one thing at a time; at each the fold holds what is true then,
// that thing included. Of a pod, in this order:
//
//   OnSeen, OnBelongs ─► OnPlaced ─► OnCounted(+1) ─► OnCounted(−1) ─► OnLeft ─► OnEnded ─► OnGone
//
// A pod may be seen when it is placed or over already, be placed and over between two moments
// (OnPassed, in place of OnPlaced to OnLeft), or go at any time. Those of other schedulers are only
// seen, placed, resized, and leave. Must not change the fold.
class FoldReader {
 public:
  virtual ~FoldReader() = default;

  // The changes of one moment follow.
  virtual void OnMoment(Time /*now*/, std::span<const state::Change> /*changes*/) {}
  // The first of its kind, and what each of its pods asks (AskedBy).
  virtual void OnShape(FoldIndex /*shape*/, const objects::ResourceList& /*asked*/) {}

  // What a node offers from now on; nothing where it is out of service, or gone.
  virtual void OnOffer(Time /*now*/, FoldIndex /*node*/, const objects::ResourceList& /*before*/,
                       const objects::ResourceList& /*offered*/) {}

  // A gang's object came, or changed.
  virtual void OnGang(FoldIndex /*gang*/) {}
  // Judged when all of a moment is known: its minimum is placed for the first time. `began_before`:
  // and was when it was first heard of.
  virtual void OnGangStarted(Time /*now*/, FoldIndex /*gang*/, bool /*began_before*/) {}
  virtual void OnGangComplete(Time /*now*/, FoldIndex /*gang*/) {}

  virtual void OnSeen(Time /*now*/, FoldIndex /*pod*/, const state::PodChange& /*change*/) {}
  // What it belongs to, gang or queue, is another; or is known for the first time.
  virtual void OnBelongs(FoldIndex /*pod*/) {}
  // `first`: it has waited until now.
  virtual void OnPlaced(Time /*now*/, FoldIndex /*pod*/, const state::PodChange& /*change*/,
                        bool /*first*/) {}
  virtual void OnPassed(Time /*now*/, FoldIndex /*pod*/, const state::PodChange& /*change*/) {}
  // It asks something else, and is placed.
  virtual void OnResized(Time /*now*/, FoldIndex /*pod*/, FoldIndex /*shape_before*/) {}
  // It counts for its workload from now on, or does no more.
  virtual void OnCounted(FoldIndex /*pod*/, std::int32_t /*sign*/) {}
  // Its room is free again.
  virtual void OnLeft(Time /*now*/, FoldIndex /*pod*/) {}
  virtual void OnEnded(Time /*now*/, FoldIndex /*pod*/) {}
  virtual void OnGone(FoldIndex /*pod*/) {}
  // As OnGangStarted, of a pod that is a workload of its own.
  virtual void OnPodStarted(Time /*now*/, FoldIndex /*pod*/, bool /*began_before*/) {}

  // That was decided, once a pod; and could not be done.
  virtual void OnEvicted(const drive::Event& /*event*/, FoldIndex /*pod*/) {}
  virtual void OnEvictionFailed(FoldIndex /*pod*/) {}

  // A pod was made for an owner; it is seen later.
  virtual void OnCreated(const drive::Event& /*event*/) {}
  virtual void OnRound(const engine::Scheduler& /*scheduler*/, const engine::Plan& /*plan*/) {}
};

}  // namespace fairlead::account
