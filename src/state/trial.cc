#include "state/trial.h"

namespace fairlead::state {

void Trial::Place(PodId p, NodeId n) {
  cluster_.Place(p, n);
  log_.push_back({p, n});
}

PodId Trial::PlaceExpected(WorkloadId w, std::uint16_t pod_set, NodeId n) {
  const PodId p = cluster_.AddExpected(w, pod_set);
  Place(p, n);
  return p;
}

void Trial::UndoTo(std::size_t mark) {
  while (log_.size() > mark) {
    const PodId p = log_.back().pod;
    log_.pop_back();
    cluster_.Unplace(p);
    if (cluster_.pods()[p].expected) cluster_.RemoveExpected(p);
  }
}

}  // namespace fairlead::state
