#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/plan/plan.h"

namespace fairlead::engine {

// The plan of a round while it grows. Nobody has been told of it yet: a decision may be taken back
// as if it had never been taken. Whatever is asked of it is found by pod or workload, never by
// scanning, so that a round with many victims stays linear in its decisions.
class PlanWriter {
 public:
  void Begin(Time now);
  // The decisions that stand, in the order in which they were taken. The writer is empty then.
  Plan Finish(std::optional<Time> next_round);

  // For an Admit with counts and a Nominate with a node there are functions of their own.
  void Give(const Decision& decision);

  // The pod has one at most.
  bool Binds(state::PodId p) const;
  void TakeBackBind(state::PodId p);  // REQUIRES: Binds(p)
  // The pods that it binds, in order. Cost: the plan's decisions.
  std::vector<state::PodId> Bound() const;

  void Nominate(state::PodId p, state::NodeId n, state::WorkloadId w,
                std::span<const state::PodId> waits_for);
  // The last of the pod, one that gives up an earlier claim included; null: none stands. Valid
  // until the next decision.
  const Decision* NominationOf(state::PodId p) const;
  void TakeBackNomination(state::PodId p);  // the last. REQUIRES: there is one

  // Room that is kept for a workload, by the node of each pod; on none: none is any more. In the
  // place of what this plan had said of that.
  void Reserve(state::WorkloadId w, std::optional<Time> at, std::span<const state::NodeId> nodes,
               Time since);

  // What is held for those who moved for the workload is to be shown: once, and last.
  void Land(state::WorkloadId w);

  // The workload starts in room that is kept for the holder from then on; it does not any more. In
  // the place of what this plan had said of that: where it has said nothing else, nothing is said.
  void Lend(state::WorkloadId w, state::WorkloadId holder, Time until);
  void EndLoan(state::WorkloadId w);

  // One for each workload and round: where there is one, its counts are replaced.
  void Admit(state::WorkloadId w, std::span<const std::int32_t> counts);
  bool Admits(state::WorkloadId w) const { return admits_.contains(w.value()); }
  void TakeBackAdmit(state::WorkloadId w);  // REQUIRES: Admits(w)

 private:
  using Position = std::uint32_t;
  using ByWorkload = boost::unordered_flat_map<std::uint32_t, Position>;

  void TakeBack(Position at) { taken_back_.push_back(at); }
  void GiveAnew(ByWorkload& said, const Decision& decision);

  Plan plan_;
  std::vector<Position> taken_back_;
  // By pod; of a pod that is not bound by this plan it points anywhere.
  std::vector<Position> binds_;
  boost::unordered_flat_map<std::uint32_t, boost::container::small_vector<Position, 2>>
      nominations_;  // by pod
  ByWorkload admits_, reserves_, lands_, lends_;
};

}  // namespace fairlead::engine
