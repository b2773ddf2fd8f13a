#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_map.h"
#include "base/time.h"
#include "effects/writes.h"
#include "state/change.h"
#include "state/tally.h"

namespace fairlead::effects {

// What the cluster shows of each workload that is an object (solo pods aside), kept from the same
// changes that the engine gets, and the status that is to be written back. It is about facts that
// the cluster shows, not about what is assumed: after a crash it comes to the same.
//
// Invariants:
//   - a start time is set at the first moment at which every pod set has its minimum placed or
//     succeeded, to the moment at which that came true by the pods' PodScheduled times
//     (semantics.md §1), and cleared when no pod is placed any more, nor is to be after a move.
//   - what is admitted is stopped where its queue drains, or it is not active and runs; a problem
//     is warned of once as long as it lasts.
//   - a workload is finished when as many pods of every set as are admitted (asked, where nothing
//     is admitted) have succeeded, or its job says that it is over, and stays so until a pod of it
//     is placed again.
// Thread safety: none. Cost: a hash lookup or two a change of a workload or its pod.
class WorkloadBook {
 public:
  enum class State : std::uint8_t { kPending, kAdmitted, kRunning, kFinished };

  struct PodSet : state::TalliedSet {
    std::string name;
    std::vector<Time> placed_since;  // of those that are placed, in no order
  };
  struct Row {
    std::string name;    // "namespace/name"
    bool known = false;  // false: pods name it, but it is not there
    bool announces_admission = false;
    bool shows_conditions = false;  // a native PodGroup
    State state = State::kPending;
    std::optional<Time> start;
    std::optional<Time> ended;  // the start that was cleared last: its status may say it yet
    std::vector<PodSet> sets;
    RareOptional<state::JobProblem> problem;
    bool job_is_over = false;
    bool drained = false;  // what is admitted is to be stopped
    bool inactive = false;
    bool stop_told = false;       // since it was last pending
    std::int32_t moving_for = 0;  // so many hold room for pods of it that move: it goes on
    std::int32_t Placed() const { return state::PlacedOf(sets); }
  };

  // `now` is the start of what is placed without a PodScheduled time.
  void Apply(Time now, std::span<const state::Change> changes);

  // SetStartTime, SetGroupCondition, FinishWorkload, StopWorkload and Warn for all that came true
  // since the last call, in order of happening, of one Apply by name.
  std::vector<Write> TakeWrites();

  // Its start, where it has one, is given once more by TakeWrites.
  void GiveStartAgain(std::string_view workload);

  const Row* Find(std::string_view workload) const;
  std::vector<const Row*> Rows() const;  // by name, those that are no longer known too

  // Whether `workload` is a native PodGroup and has at most `evicted` pods placed.
  bool IsGroupLeftEmptyBy(std::string_view workload, std::int32_t evicted) const;

  // Whether `workload` announces its admission and has at most `evicted` pods placed.
  bool StopsAfter(std::string_view workload, std::int32_t evicted) const;

 private:
  using RowIndex = std::uint32_t;
  struct Member {
    RowIndex row = 0;
    std::int32_t set = 0;
    bool placed = false;
    Time scheduled;
  };

  RowIndex Intern(const std::string& name);
  void ApplyWorkload(const state::WorkloadChange& change);
  void ApplyPod(Time now, const state::PodChange& change);
  void ApplyRemoval(const state::Removal& removal);
  void Count(const Member& member, std::int32_t sign);
  // Of a workload for which others move; null: nobody does.
  void NoteLandings(std::string_view workload, const objects::Landings* landings);
  void Touch(RowIndex row);
  void Refresh(RowIndex row);
  void StopIfDue(Row& row, bool admitted);
  void TellPlaced(const Row& row);

  std::vector<Row> rows_;
  NameMap<RowIndex> row_by_name_;
  SharedNameMap<Member> members_;
  NameMap<std::vector<RowIndex>> movers_;  // by for whom they move
  std::vector<RowIndex> touched_;
  std::vector<Write> writes_;
};

}  // namespace fairlead::effects
