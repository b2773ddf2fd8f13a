#include "state/decisions.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace fairlead::state {

void Decisions::SetPlaceable(ShapeId s, bool placeable) {
  Shape& shape = t_.shapes[s];
  if (shape.placeable == placeable) return;
  shape.placeable = placeable;
  for (const auto& [queue, waiting] : shape.waiting) {
    t_.queues.AddRequested(queue, shape.request, placeable ? waiting : -waiting);
  }
}

void Decisions::Put(PodId p, NodeId n, Placement placement) {
  const Pod& pod = t_.pods[p];
  DCHECK(pod.waits() && t_.shapes[pod.shape].placeable && t_.nodes.exists(n));
  BeginStand(p, placement);
  const Shape& shape = t_.shapes[pod.shape];
  const bool choose = shape.gpu_milli > 0 && t_.device_chooser != nullptr;
  sums_.Occupy(
      p, n,
      choose ? t_.device_chooser->ChooseDevice(shape, n, pod.stay()) : NodeTable::kBestDevice);
  CountStand(p);
}

void Decisions::ClaimAgain(PodId p, const Stand& stood) {
  DCHECK(t_.pods[p].waits());
  BeginStand(p, Placement::kClaimed);
  sums_.Occupy(p, stood.node, stood.device);
  sums_.MoveToSlot(p, stood.slot);
  CountStand(p);
}

void Decisions::BeginStand(PodId p, Placement placement) {
  sums_.ForgetWaiting(p, +1);
  t_.pods[p].placement = placement;
}

void Decisions::CountStand(PodId p) {
  sums_.CountAllocated(p, +1);
  sums_.CountTurnover(p, +1);
  if (t_.pods[p].placement == Placement::kAssumed) sums_.NoteStays(p);
}

void Decisions::Unplace(PodId p) {
  SetAside(p);
  sums_.NoteRelieved(p);
}

void Decisions::SetAside(PodId p) {
  sums_.CountAllocated(p, -1);
  sums_.CountTurnover(p, -1);
  sums_.Vacate(p);
  sums_.ForgetWaiting(p, -1);
}

void Decisions::Evict(PodId p) {
  DCHECK(t_.pods[p].live() && !t_.pods[p].foreign);
  const bool counts = t_.nodes.exists(t_.pods[p].node);
  if (counts) sums_.CountRunning(p, -1);
  sums_.Restand(p, Stay::kStays, Stay::kLeaves);
  t_.pods[p].evicted = true;
  if (counts) sums_.CountTurnover(p, +1);
}

void Decisions::Unevict(PodId p) {
  DCHECK(t_.pods[p].evicted);
  const bool counts = t_.nodes.exists(t_.pods[p].node);
  if (counts) sums_.CountTurnover(p, -1);
  sums_.Restand(p, Stay::kLeaves, Stay::kStays);
  t_.pods[p].evicted = false;
  if (counts) sums_.CountRunning(p, +1);
  sums_.NoteStays(p);
}

PodId Decisions::AddExpected(WorkloadId w, std::uint16_t pod_set, std::int32_t index) {
  const PodId p = t_.pods.Add(t_.workloads.gang(w).name + "#" + std::to_string(t_.next_ticket));
  Pod& pod = t_.pods[p];
  pod.expected = true;
  pod.workload = w;
  pod.pod_set = pod_set;
  pod.priority = t_.workloads[w].priority;
  pod.created = t_.workloads[w].created;
  pod.shape = t_.workloads.gang(w).sets[pod_set].expected_shape;
  t_.pods.SetIndex(p, index);
  Join(p);
  sums_.MarkPod(p);
  pod.ticket = t_.next_ticket++;
  if (t_.workloads[w].open()) sums_.CountWaiting(t_.workloads[w].queue, pod.shape, +1);
  return p;
}

PodId Decisions::HoldLanding(std::string name, QueueId q, const NeedsPtr& needs, NodeId n) {
  const ShapeId shape = t_.shapes.Intern(needs);
  t_.nodes.Widen(t_.resources);
  t_.queues.Widen(t_.resources);
  SetPlaceable(shape, true);
  const WorkloadId w = t_.workloads.InternGang(name);
  t_.workloads.SetQueue(w, q);
  t_.workloads[w].is_landing = true;
  std::vector<PodSet>& sets = t_.workloads.gang(w).sets;
  sets.resize(1);
  sets.front().expected_shape = shape;
  const PodId p = AddExpected(w, 0, -1);
  Put(p, n, Placement::kClaimed);
  return p;
}

void Decisions::RemoveExpected(PodId p) {
  DCHECK(t_.pods[p].expected);
  sums_.MarkPod(p);
  if (t_.pods[p].placed()) {
    sums_.CountPlaced(p, -1);
    sums_.Vacate(p);
  } else if (t_.workloads[t_.pods[p].workload].open()) {
    sums_.CountWaiting(t_.workloads[t_.pods[p].workload].queue, t_.pods[p].shape, -1);
  }
  Leave(p);
  t_.pods.Remove(p);
}

void Decisions::SetCounts(WorkloadId w, std::span<const std::int32_t> counts) {
  std::vector<PodSet>& sets = t_.workloads.gang(w).sets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    PodSet& set = sets[i];
    const bool fixed = i < counts.size();
    set.decided = fixed ? counts[i] : 0;
    if (!fixed && set.admitted > 0) continue;
    set.count = set.min_count = fixed ? counts[i] : set.asked;
  }
  sums_.RecountExpected(w);
  t_.marks.Note(w);
}

void Decisions::SetBeyondLine(WorkloadId w, bool beyond) {
  sums_.CountAll(w, false);
  t_.workloads[w].beyond_line = beyond;
  sums_.CountAll(w, true);
  sums_.NoteChanged(w);
}

void Decisions::Join(PodId p) {
  const Pod& pod = t_.pods[p];
  if (!pod.workload.valid() || t_.workloads[pod.workload].solo()) return;
  Gang& gang = t_.workloads.gang(pod.workload);
  if (gang.sets.size() <= pod.pod_set) gang.sets.resize(pod.pod_set + std::size_t{1});
  gang.sets[pod.pod_set].pods.push_back(p);
  sums_.RecountExpected(pod.workload);
}

void Decisions::Leave(PodId p) {
  const Pod& pod = t_.pods[p];
  const WorkloadId w = pod.workload;
  if (!w.valid()) return;
  if (t_.workloads[w].solo()) {
    t_.workloads.Remove(w);
    return;
  }
  Gang& gang = t_.workloads.gang(w);
  std::erase(gang.sets[pod.pod_set].pods, p);
  sums_.RecountExpected(w);
  const bool empty = std::all_of(gang.sets.begin(), gang.sets.end(),
                                 [](const PodSet& set) { return set.pods.empty(); });
  if (!gang.known && empty) t_.workloads.Remove(w);
}

}  // namespace fairlead::state
