#pragma once

#include "state/tables.h"

namespace fairlead::state {

// What rounds remember of pods and workloads, and no sum depends on.
class RoundNotes {
 public:
  explicit RoundNotes(Tables& tables) : t_(tables) {}

  void SetSpared(PodId p, bool spared) {
    if (t_.pods[p].spared != spared) ++t_.journal.spared;
    t_.pods[p].spared = spared;
  }
  // What the cluster shows as its claim is taken back, or stands again.
  void SetRenounced(PodId p, bool renounced) { t_.pods[p].renounced = renounced; }
  void SetClaimTold(PodId p, bool told) { t_.pods[p].claim_told = told; }
  void SetExpectedSince(PodId p, Time since) { t_.pods[p].created = since; }

  // Of DaemonSet pods that wait for their node (semantics.md §7).
  void SetReserved(PodId p, Time since) { t_.pods[p].reserved = since; }
  void SetReservationTold(PodId p) { t_.pods[p].reservation_told = true; }
  void SetPassedBy(PodId p) { t_.pods[p].passed_by = true; }

  // The volumes that were taken for its claims were told.
  void KeepVolumes(PodId p) { t_.volumes.supply.Keep(p); }

  // Room that is kept for it from now on, whatever the cluster shows; null: none.
  void SetReservation(WorkloadId w, const objects::Reservation* kept) {
    t_.workloads.DecideReservation(w, kept);
    t_.marks.Note(w);
  }

  // Room that is held for those who move for it from now on; null: none.
  void SetLandings(WorkloadId w, const objects::Landings* held) {
    t_.workloads.DecideLandings(w, held);
    t_.marks.Note(w);
  }
  void NoteMoved(WorkloadId w, Time at) { t_.workloads.NoteMoved(w, at); }
  void SetMoving(WorkloadId w, bool moving) { t_.workloads[w].is_moving = moving; }

  // It runs in room that is kept for another, whatever the cluster shows; null: it does not.
  void SetLoan(WorkloadId w, const objects::Loan* loan) {
    t_.workloads.DecideLoan(w, loan);
    t_.marks.Note(w);
  }

  // The start of a gang, by decision or derived from what runs (semantics.md §1).
  void SetStart(WorkloadId w, Time start) {
    t_.workloads[w].start = start;
    t_.journal.started.Add(w);
    if (t_.workloads[w].knows_run_time) t_.journal.timed.Add(w);
    t_.marks.Note(w);
  }
  // What the cluster shows as admitted has its pods, or room for them: from now on it is no news.
  void SetAdmissionMet(WorkloadId w) { t_.workloads.gang(w).admission_met = true; }
  // It was decided that what is admitted beyond its counts goes.
  void SetReductionTold(WorkloadId w) { t_.workloads.gang(w).reduction_told = true; }

 private:
  Tables& t_;
};

}  // namespace fairlead::state
