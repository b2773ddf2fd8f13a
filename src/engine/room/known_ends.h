#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "policy/run_time.h"
#include "state/cluster.h"

namespace fairlead::engine {

// All expected ends, followed from one look to the next: those of whom nothing changed stay where
// they are.
//
// Invariant: after CatchUp(now) what is shown is policy::EndsOf(cluster, now).
// Cost: one pass over the ends where many of them changed, or one has passed; else next to nothing.
class KnownEnds {
 public:
  explicit KnownEnds(const state::Cluster& cluster)
      : cluster_(cluster), changed_(cluster.journal().workloads), timed_(cluster.journal().timed) {}

  void CatchUp(Time now);
  // Nobody asks any more: nothing is kept, and nothing followed until somebody does.
  void Forget();

  // As of the last CatchUp, until the next.
  const std::vector<policy::End>& all() const { return moved_.empty() ? by_told_ : moved_; }
  // Where those of each time begin among them.
  const std::vector<std::size_t>& groups() const;
  // Of one workload, by what is told; Max: none is.
  Time ToldEndOf(state::WorkloadId w) const {
    return w.value() < told_.size() ? told_[w.value()] : Time::Max();
  }
  // Whether some should have ended by then, and run longer than was said.
  bool any_overrun() const { return !moved_.empty(); }

  // It needs nothing of these logs that stands before.
  std::uint64_t workloads_position() const;
  std::uint64_t timed_position() const;

 private:
  Time ToldOf(state::WorkloadId w) const;
  static constexpr std::size_t kFew = 16;
  void Replace(state::WorkloadId w, Time known, Time told);
  void MoveOverrun(Time now);
  void TakeUp(const std::vector<state::WorkloadId>& news);

  const state::Cluster& cluster_;
  state::LogReader<state::WorkloadId> changed_;
  state::LogReader<state::WorkloadId> timed_;
  bool follows_ = false;
  std::vector<Time> told_;            // by workload; Max: none
  std::vector<policy::End> by_told_;  // sorted
  std::vector<policy::End> moved_;    // the same with those moved that have passed; empty: none has
  mutable std::vector<std::size_t> groups_;  // empty: not asked for yet
};

}  // namespace fairlead::engine
