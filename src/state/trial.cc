#include "state/trial.h"

#include "base/check.h"

namespace fairlead::state {

void Trial::Put(PodId p, NodeId n, When when) {
  if (when == When::kNow) {
    cluster_.Place(p, n);
  } else {
    cluster_.Claim(p, n);
  }
  log_.push_back({Act::kPut, p, n});
}

PodId Trial::PutExpected(WorkloadId w, std::uint16_t pod_set, NodeId n, When when,
                         std::int32_t index) {
  const PodId p = cluster_.AddExpected(w, pod_set, index);
  Put(p, n, when);
  log_.back().act = Act::kPutExpected;
  return p;
}

void Trial::Evict(PodId p) {
  cluster_.Evict(p);
  log_.push_back({Act::kEvict, p, cluster_.pods()[p].node});
}

void Trial::Unevict(PodId p) {
  DCHECK(cluster_.pods()[p].evicted);
  cluster_.Unevict(p);
  log_.push_back({Act::kUnevict, p, cluster_.pods()[p].node});
}

void Trial::Release(PodId p) {
  DCHECK(cluster_.pods()[p].node.valid());
  const Pod& pod = cluster_.pods()[p];
  log_.push_back({Act::kRelease, p, pod.node, pod.node_slot, pod.gpu_device});
  cluster_.Unplace(p);
}

void Trial::UndoTo(std::size_t mark) {
  while (log_.size() > mark) {
    const Step step = log_.back();
    log_.pop_back();
    switch (step.act) {
      case Act::kPut:
        cluster_.Unplace(step.pod);
        break;
      case Act::kPutExpected:
        cluster_.Unplace(step.pod);
        cluster_.RemoveExpected(step.pod);
        break;
      case Act::kEvict:
        cluster_.Unevict(step.pod);
        break;
      case Act::kUnevict:
        cluster_.Evict(step.pod);
        break;
      case Act::kRelease:
        cluster_.ClaimAgain(step.pod,
                            {.node = step.node, .slot = step.slot, .device = step.device});
        break;
    }
  }
}

}  // namespace fairlead::state
