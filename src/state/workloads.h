#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/check.h"
#include "base/name_map.h"
#include "state/change.h"
#include "state/decided.h"
#include "state/ids.h"
#include "state/journal.h"

namespace fairlead::state {

// A part of a gang: pods of one kind.
struct PodSet {
  std::string name;
  std::int32_t count = 0;      // asked; or, where counts are fixed then, what was admitted
  std::int32_t min_count = 0;  // below it the gang does not start
  // As long as no counts are fixed, these two are its count and the fewest that may be admitted.
  std::int32_t asked = 0;
  std::int32_t min_asked = 0;
  std::int32_t step = 1;     // fewer go by so many
  std::int32_t decided = 0;  // admitted by a decision that the cluster does not show yet; 0: none
  std::int32_t succeeded = 0;
  std::int32_t admitted = 0;          // as the cluster shows it
  ShapeId expected_shape;             // of pods that come once admitted; invalid: none do
  std::vector<PodId> pods;            // all that exist, and the room held for expected ones
  std::int64_t counted_expected = 0;  // expected pods that count as waiting now

  // Expected pods that have neither come nor been given room.
  std::int64_t MissingExpected() const {
    if (!expected_shape.valid()) return 0;
    const std::int64_t there = succeeded + static_cast<std::int64_t>(pods.size());
    return std::max<std::int64_t>(0, count - there);
  }
};

// Pods of some of a gang's sets that are to be near each other (demands.md §7). Levels are those of
// the tree.
struct GangTopology {
  static constexpr std::int32_t kNoLevel = TopologyConstraint::kNoLevel;
  TreeId tree;
  std::int32_t required = kNoLevel;   // all in one domain of it
  std::int32_t preferred = kNoLevel;  // as narrow as it goes, from here outwards
  std::int32_t slice_size = 0;        // so many by index are in one domain of slice_level; 0: none
  std::int32_t slice_level = kNoLevel;
  std::vector<std::uint16_t> sets;  // in the order of their pods' indices
  bool restarts_when_broken = false;

  bool IsOf(std::uint16_t set) const {
    return std::find(sets.begin(), sets.end(), set) != sets.end();
  }
  // Whether those that run say where others of them may be.
  bool binds() const { return required != kNoLevel || slice_size > 1; }
};

// What only workloads of several pods have.
struct Gang {
  std::string name;
  std::string kind;  // for people: "Workload", "Job", "PodGroup"
  std::vector<PodSet> sets;
  // One of all sets comes first where there is one: the others hold inside its domain.
  std::vector<GangTopology> topology;
  std::optional<Time> recorded_start;
  std::optional<Time> admitted_since;  // as the cluster shows it; absent: it does not say
  std::optional<Time> broken_since;    // likewise
  // Since the cluster shows what `admitted` says, pods of it ran or room was held for them.
  bool admission_met = false;
  bool reduction_told = false;  // that more is admitted than is asked by now
  bool known = false;           // false: pods name it, but it has not been seen
  bool elastic = false;         // Resize::kAnytime and some minimum below its count
  bool leaves_whole = false;    // though it may be elastic: all of its pods go, or none
  bool announces = false;       // give Admit
  bool in_order = false;        // pods of later sets are made when the earlier ones run
  bool suspended = false;       // pods that are there are of its last run, and go

  bool is_of_all(const GangTopology& each) const { return each.sets.size() == sets.size(); }
  // Nothing of it is asked of some sets alone.
  bool asks_one_topology() const { return topology.size() == 1 && is_of_all(topology.front()); }
  // The one in whose domain the others hold; null: none is.
  const GangTopology* outer_topology() const {
    return topology.size() > 1 && is_of_all(topology.front()) ? &topology.front() : nullptr;
  }
  // Pods above its minimum may be taken from it one by one.
  bool gives_singly() const { return elastic && !leaves_whole; }
  bool shown_admitted() const {
    return std::any_of(sets.begin(), sets.end(),
                       [](const PodSet& set) { return set.admitted > 0; });
  }
  // Counts that were edited below what is admitted: the rest is to go.
  bool oversized() const {
    return std::any_of(sets.begin(), sets.end(),
                       [](const PodSet& set) { return set.admitted > set.count; });
  }
  // Whether it may be admitted with fewer pods than it asks.
  bool reducible() const {
    const bool fixed = std::any_of(sets.begin(), sets.end(), [](const PodSet& set) {
      return set.admitted > 0 || set.decided > 0;
    });
    return !elastic && !fixed && std::any_of(sets.begin(), sets.end(), [](const PodSet& set) {
      return set.min_asked < set.asked;
    });
  }
};

// A workload: a gang, or one pod.
struct Workload {
  Time created;
  Time start = Time::Max();  // when its minimum was first placed; Max(): not started
  QueueId queue;
  PodId only_pod;                // of a workload of one pod
  std::uint32_t gang = kNoGang;  // row of the gang table
  std::int32_t priority = 0;
  std::int32_t live = 0;    // placed pods, terminating ones not counted
  std::uint32_t place = 0;  // among those of its queue
  AccountsId accounts;      // where it counts under limits of users; invalid: nowhere
  std::uint8_t stops = 0;   // so often others took its room; 255: as often at least
  bool in_use : 1 = false;
  bool preemptible : 1 = true;
  bool never_preempts : 1 = false;
  bool active : 1 = true;
  bool held : 1 = false;             // WorkloadTable::hold says why
  bool knows_run_time : 1 = false;   // WorkloadTable::run_time says it
  bool waits_anew : 1 = false;       // WorkloadTable::waits_anew says since when
  bool has_reservation : 1 = false;  // WorkloadTable::reservation may say which
  bool has_loan : 1 = false;         // WorkloadTable::loan may say which
  // More of its user's wait before it than a limit lets wait (engine/round/waiting_lines.h).
  bool beyond_line : 1 = false;
  bool has_landings : 1 = false;  // WorkloadTable::landings may say which
  bool has_moved : 1 = false;     // WorkloadTable::moved_at says when
  // Pods of it have left for others, and room is held for the next: it goes on, and waits for none.
  bool is_moving : 1 = false;
  bool is_landing : 1 = false;  // it stands for such room, of a pod that is not there yet

  static constexpr std::uint32_t kNoGang = 0xffffffff;
  bool solo() const { return gang == kNoGang; }
  bool started() const { return start != Time::Max(); }
  // May start as far as it itself is concerned …
  bool may_wait() const { return active && !held; }
  // … and may wait for that now. What is not open does not count as requested.
  bool open() const { return may_wait() && !beyond_line; }
  Relief relief() const { return {.queue = queue, .accounts = accounts}; }
};
static_assert(sizeof(Workload) <= 48);

class WorkloadTable {
 public:
  WorkloadId AddSolo(PodId pod);
  // Finds or makes the gang of that name.
  WorkloadId InternGang(std::string_view name);
  WorkloadId FindGang(std::string_view name) const;
  void Remove(WorkloadId w);

  const Workload& operator[](WorkloadId w) const { return workloads_[w.value()]; }
  Workload& operator[](WorkloadId w) { return workloads_[w.value()]; }
  const Gang& gang(WorkloadId w) const { return *gangs_[workloads_[w.value()].gang]; }
  Gang& gang(WorkloadId w) { return *gangs_[workloads_[w.value()].gang]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(workloads_.size()); }

  void SetQueue(WorkloadId w, QueueId q);
  // Of the queue itself, not of those below it; in no order.
  const std::vector<WorkloadId>& OfQueue(QueueId q) const;

  void SetSubmitter(WorkloadId w, SubmitterId submitter);
  SubmitterId submitter(WorkloadId w) const;
  void SetRunTime(WorkloadId w, const RunTime& run_time);
  const RunTime& run_time(WorkloadId w) const;
  void SetWaitsAnew(WorkloadId w, const Time* at);  // null: it was not
  std::optional<Time> waits_anew(WorkloadId w) const;
  // Room that is kept for it: as a round decided last, until the cluster shows that; then as it
  // shows it.
  void ShowReservation(WorkloadId w, const objects::Reservation* shown);      // null: it shows none
  void DecideReservation(WorkloadId w, const objects::Reservation* decided);  // null: none
  const objects::Reservation* reservation(WorkloadId w) const;                // null: none
  std::vector<WorkloadId> WithReservation() const {                           // by number
    return reservations_.All<WorkloadId>();
  }
  // The room of another that it runs in: likewise.
  void ShowLoan(WorkloadId w, const objects::Loan* shown);
  void DecideLoan(WorkloadId w, const objects::Loan* decided);
  const objects::Loan* loan(WorkloadId w) const {
    return workloads_[w.value()].has_loan ? loans_.Of(w.value()) : nullptr;
  }
  std::vector<WorkloadId> OnLoan() const { return loans_.All<WorkloadId>(); }
  // Room that is held for those who moved for it: likewise.
  void ShowLandings(WorkloadId w, const objects::Landings* shown);
  void DecideLandings(WorkloadId w, const objects::Landings* decided);
  const objects::Landings* landings(WorkloadId w) const {
    return workloads_[w.value()].has_landings ? landings_.Of(w.value()) : nullptr;
  }
  std::vector<WorkloadId> WithLandings() const { return landings_.All<WorkloadId>(); }
  bool any_landings() const { return !landings_.empty(); }
  // When a gang was moved the last time, of all that was decided or shown.
  void NoteMoved(WorkloadId w, Time at);
  std::optional<Time> moved_at(WorkloadId w) const;
  void SetHold(WorkloadId w, const Reason* hold);  // null: none
  // REQUIRES: held.
  const Reason& hold(WorkloadId w) const {
    DCHECK(workloads_[w.value()].held);
    return holds_.at(w.value());
  }

 private:
  WorkloadId Add();
  void LeaveQueue(WorkloadId w);
  std::vector<Workload> workloads_;
  std::vector<std::vector<WorkloadId>> of_queue_;  // by QueueId
  std::vector<WorkloadId> unused_;
  std::vector<SubmitterId> submitters_;  // by workload; shorter: of the rest nobody knows
  std::vector<std::unique_ptr<Gang>> gangs_;
  std::vector<std::uint32_t> unused_gangs_;
  NameMap<WorkloadId> by_name_;
  boost::unordered_flat_map<std::uint32_t, Reason> holds_;
  boost::unordered_flat_map<std::uint32_t, RunTime> run_times_;
  boost::unordered_flat_map<std::uint32_t, Time> waits_anew_;
  Decided<objects::Reservation> reservations_;
  Decided<objects::Landings> landings_;
  boost::unordered_flat_map<std::uint32_t, Time> moved_at_;
  Decided<objects::Loan> loans_;
};

}  // namespace fairlead::state
