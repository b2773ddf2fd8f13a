#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/round/gang_starts.h"
#include "engine/round/job_admission.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// What becomes of pods once they have room: they are bound, their job is admitted, and has started.
//
// A placement of the plan at hand may be taken back for somebody else. Rounds must end: who was
// placed and taken back again and again in one round stays, up to the end of the instant.
class Placements {
 public:
  Placements(RoundContext& round, JobAdmission& admission)
      : round_(round), cluster_(round.cluster), plan_(round.plan), admission_(admission) {}

  // The workload's next step is done: `pods` are placed, and those that exist are bound.
  void Give(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void Bind(state::PodId p);
  // Given when the minimum is first placed, and when pods that do not exist yet were given room:
  // their controller must know how many to make. One for each workload and round, with its final
  // counts.
  void Admit(state::WorkloadId w, bool starts);

  // Whether the pod was bound by this very plan, of which nobody has been told.
  bool BoundByThisPlan(state::PodId p) const;

  void Note(state::WorkloadId w);
  // So many workloads were placed so far; and which of them this one was, 0: none by this engine.
  std::uint32_t count() const { return count_; }
  std::uint32_t NumberOf(state::WorkloadId w) const;

  void NoteDisplaced(state::WorkloadId w) { ++displaced_[w.value()]; }
  // At the same instant who was moved enough stays so: rounds of one instant must end, too.
  void StartRound();
  void EndRound() { displaced_.clear(); }

 private:
  void SpareIfDisplacedOften(state::PodId p);

  RoundContext& round_;
  state::Cluster& cluster_;
  PlanWriter& plan_;
  JobAdmission& admission_;
  std::vector<std::uint32_t> number_of_;  // by workload
  std::uint32_t count_ = 0;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> displaced_;  // by workload: how often
  std::vector<state::PodId> spared_;
  Time spared_at_;
};

}  // namespace fairlead::engine
