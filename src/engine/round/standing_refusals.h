#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "engine/place/placer.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Refusals that stand from one round to the next: before some moment the nodes would not hold what
// is asked, even if everybody had left who may until then, whatever the queues' rights are. As long
// as that is so nobody needs to be asked for room again, however much else changes.
//
// Invariant: of one that stands the rooms are those of the nodes as they were at the last look.
// Cost: to note one, the pods on nodes until there is room for what is asked, or of all; then those
// of nodes that changed, for each. Memory: for each of kMost asks less than what it asks.
class StandingRefusals {
 public:
  // Of the refusals of one ask, one after the other. Numbers are given out once.
  using Number = std::uint32_t;
  static constexpr Number kNone = 0;

  StandingRefusals(const state::Cluster& cluster, Placer& placer)
      : cluster_(cluster), placer_(placer) {}

  // Of a step that others gave nothing, nor will before `until`, as far as was found out: whether
  // that stands by itself. kNone: it does not.
  Number Note(const RoomStep& step, Time until);
  // Whether it still stands, until then at least. REQUIRES: nothing is kept back on any node, nor
  // tried.
  bool Stands(Number number, Time until);
  // Queues or the configuration changed, or what numbers of shapes mean.
  void Clear();
  // Before a round: nothing of the journal is needed then. Where there are many, those go of which
  // nobody has asked since the round before.
  void StartRound();

 private:
  static constexpr std::size_t kMost = 16'384;
  static constexpr std::size_t kMostLooks = 1'000'000;  // at nodes; else all are asked again
  using Ask = std::vector<std::uint64_t>;               // KeyOfAsk
  struct Refusal {
    Ask ask;
    bool was_used = true;  // since the round began
    state::QueueId queue;
    std::int64_t reclaims_below = 0;  // whom it might ask by priority: of other queues …
    std::int64_t preempts_below = 0;  // … and of its own
    Time until;
    state::ShapeId shape;
    std::int64_t wanted = 0;
    // Pods that nodes would hold; none where it does not stand.
    std::vector<std::pair<state::NodeId, std::int64_t>> rooms;
    std::int64_t held = 0;  // by all
    bool stands() const { return held < wanted; }
  };
  Refusal Of(const RoomStep& step, Time until) const;
  void CatchUp();
  void LookAtAll(Refusal& refusal);
  void LookAgain(Refusal& refusal, state::NodeId n);
  bool IsUpToDate(const Refusal& refusal);
  std::int64_t RoomOn(const Refusal& refusal, state::NodeId n);
  bool MayLeave(const Refusal& refusal, state::PodId p) const;

  const state::Cluster& cluster_;
  Placer& placer_;
  std::map<Number, Refusal> refusals_;
  std::map<Ask, Number> by_ask_;
  Number last_ = kNone;
  // So far the journal was read.
  std::uint64_t touched_ = 0, workloads_ = 0, started_ = 0;
  std::vector<std::int64_t> room_;  // of one node, by resource
};

}  // namespace fairlead::engine
