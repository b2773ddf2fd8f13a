#include "state/sums.h"

#include <algorithm>

namespace fairlead::state {

void Sums::NoteTouched(NodeId n) {
  t_.journal.touched.Add(n);
  t_.marks.Note(n);
}

void Sums::NoteChanged(WorkloadId w) {
  t_.journal.workloads.Add(w);
  t_.marks.Note(w);
}

// What a copy shows of a pod, or of its workload by it, changes.
void Sums::MarkPod(PodId p) {
  if (!t_.marks.watched()) return;
  t_.marks.Note(p);
  t_.marks.Note(t_.pods[p].workload);
}

// Gangs with pods there may have lost their last live one, or found it again.
void Sums::NoteReshaped(NodeId n) {
  t_.journal.reshaped.Add(n);
  t_.marks.NoteReshaped(n);
  NoteTouched(n);
  for (PodId p : t_.nodes.pods(n)) {
    if (t_.pods[p].workload.valid()) NoteChanged(t_.pods[p].workload);
  }
}

// All that a pod on a node counts for.
void Sums::CountPlaced(PodId p, std::int64_t times) {
  const Pod& pod = t_.pods[p];
  if (!t_.nodes.exists(pod.node)) return;
  if (pod.foreign) {
    if (!t_.nodes.in_service(pod.node)) return;
    for (const Amount& a : t_.shapes[pod.shape].request) {
      t_.queues.AddCapacity(a.resource, -a.amount * times);
    }
    // What queues lend is a part of what is free in all.
    if (times < 0 && t_.queues.idle().kept()) {
      t_.journal.relieved.Add({.queue = QueueTree::Root(), .accounts = {}});
    }
    return;
  }
  CountTurnover(p, times);
  if (!pod.leaves()) CountRunning(p, times);
}

// The part of it that ends when the pod begins to leave.
void Sums::CountRunning(PodId p, std::int64_t times) {
  CountAllocated(p, times);
  if (times < 0) NoteRelieved(p);
  const Pod& pod = t_.pods[p];
  t_.queues.AddRequested(t_.workloads[pod.workload].queue, t_.shapes[pod.shape].request, times);
}

// What it takes beyond what it counts for.
void Sums::CountTurnover(PodId p, std::int64_t times) {
  const Pod& pod = t_.pods[p];
  if (pod.leaves() == pod.claims() || pod.foreign) return;
  const Workload& workload = t_.workloads[pod.workload];
  const Amounts& request = t_.shapes[pod.shape].request;
  const std::int64_t more = pod.leaves() ? times : -times;
  t_.queues.AddTurnover(workload.queue, request, more, workload.preemptible);
  // As with the queue's, they are added anew when the tree is settled.
  if (!t_.queues.settled()) return;
  t_.queues.accounts().AddTurnover(pod.workload, workload.accounts, request, more);
}

void Sums::CountAllocated(PodId p, std::int64_t times) {
  const Pod& pod = t_.pods[p];
  const Amounts& request = t_.shapes[pod.shape].request;
  Workload& workload = t_.workloads[pod.workload];
  if (!pod.claims()) workload.live += static_cast<std::int32_t>(times);
  t_.queues.AddAllocated(workload.queue, request, times,
                         {.priority = workload.priority, .preemptible = workload.preemptible});
  if (t_.queues.settled()) {
    t_.queues.accounts().AddAllocated(pod.workload, workload.accounts, request, times);
  }
  // Work that stays on a cordoned node is part of the capacity, so that nobody becomes over-share.
  if (t_.nodes.in_service(pod.node)) return;
  for (const Amount& a : request) t_.queues.AddCapacity(a.resource, a.amount * times);
}

void Sums::CountWaiting(QueueId q, ShapeId s, std::int64_t times) {
  if (times == 0) return;
  Shape& shape = t_.shapes[s];
  auto [it, added] = shape.waiting.try_emplace(q, 0);
  it->second += times;
  if (it->second == 0) shape.waiting.erase(it);
  if (shape.placeable) t_.queues.AddRequested(q, shape.request, times);
}

void Sums::Enter(PodId p) {
  Pod& pod = t_.pods[p];
  if (pod.placed()) {
    const bool runs = pod.placement == Placement::kBound && pod.gpu_device < 0;
    Occupy(p, pod.node, runs ? NodeTable::kAstray : pod.gpu_device);
    CountPlaced(p, +1);
  } else if (pod.waits()) {
    pod.ticket = t_.next_ticket++;
    if (t_.workloads[pod.workload].open())
      CountWaiting(t_.workloads[pod.workload].queue, pod.shape, +1);
  }
  MarkPod(p);
  if (pod.workload.valid()) NoteChanged(pod.workload);
}

void Sums::Withdraw(PodId p) {
  const Pod& pod = t_.pods[p];
  if (pod.placed()) {
    CountPlaced(p, -1);
    Vacate(p);
  } else if (pod.waits() && t_.workloads[pod.workload].open()) {
    CountWaiting(t_.workloads[pod.workload].queue, pod.shape, -1);
  }
  MarkPod(p);
  if (pod.workload.valid()) NoteChanged(pod.workload);
}

void Sums::Occupy(PodId p, NodeId n, std::int8_t wanted_device) {
  Pod& pod = t_.pods[p];
  const Shape& shape = t_.shapes[pod.shape];
  pod.node = n;
  std::vector<PodId>& pods = t_.nodes.pods(n);
  pod.node_slot = static_cast<std::uint32_t>(pods.size());
  pods.push_back(p);
  pod.gpu_device = t_.nodes.Take(n, shape.request, shape.gpu_milli, wanted_device, pod.stay());
  t_.demands.Take(shape.dynamic->holds, n, pod.stay(), IsFavoured(pod));
  if (shape.dynamic->takes_volumes) t_.volumes.supply.Take(p, shape.needs->rare->volume_wishes, n);
  if (shape.dynamic->shares_volumes) {
    t_.volumes.attachments.Take(shape.needs->rare->shared_volumes, n, pod.stay());
  }
  NoteTouched(n);
  MarkPod(p);
}

void Sums::MoveToSlot(PodId p, std::uint32_t slot) {
  Pod& pod = t_.pods[p];
  std::vector<PodId>& pods = t_.nodes.pods(pod.node);
  t_.pods[pods[slot]].node_slot = pod.node_slot;
  std::swap(pods[slot], pods[pod.node_slot]);
  pod.node_slot = slot;
}

void Sums::Vacate(PodId p) {
  Pod& pod = t_.pods[p];
  const Shape& shape = t_.shapes[pod.shape];
  const NodeId n = pod.node;
  std::vector<PodId>& pods = t_.nodes.pods(n);
  pods[pod.node_slot] = pods.back();
  t_.pods[pods[pod.node_slot]].node_slot = pod.node_slot;
  pods.pop_back();
  t_.nodes.Give(n, shape.request, shape.gpu_milli, pod.gpu_device, pod.stay());
  t_.demands.Give(shape.dynamic->holds, n, pod.stay(), IsFavoured(pod));
  if (shape.dynamic->takes_volumes) t_.volumes.supply.Give(p, shape.needs->rare->volume_wishes);
  if (shape.dynamic->shares_volumes) {
    t_.volumes.attachments.Give(shape.needs->rare->shared_volumes, n, pod.stay());
  }
  pod.node = NodeId();
  pod.gpu_device = -1;
  pod.placement = Placement::kWaiting;
  NoteTouched(n);
  MarkPod(p);
}

// Of those whom a budget counts.
void Sums::NoteStays(PodId p) {
  if (!t_.budgets.Of(p).empty()) t_.budgets.NoteEased();
}

void Sums::NoteRelieved(PodId p) {
  t_.journal.relieved.Add(t_.workloads[t_.pods[p].workload].relief());
}

// The pod stays where it is; what its room is there for changes.
void Sums::Restand(PodId p, Stay from, Stay to) {
  const Pod& pod = t_.pods[p];
  const Shape& shape = t_.shapes[pod.shape];
  t_.nodes.Give(pod.node, shape.request, shape.gpu_milli, pod.gpu_device, from);
  t_.nodes.Take(pod.node, shape.request, shape.gpu_milli, pod.gpu_device, to);
  t_.demands.Give(shape.dynamic->holds, pod.node, from, IsFavoured(pod));
  t_.demands.Take(shape.dynamic->holds, pod.node, to, IsFavoured(pod));
  if (shape.dynamic->shares_volumes) {
    t_.volumes.attachments.Give(shape.needs->rare->shared_volumes, pod.node, from);
    t_.volumes.attachments.Take(shape.needs->rare->shared_volumes, pod.node, to);
  }
  NoteTouched(pod.node);
  MarkPod(p);
}

bool Sums::IsFavoured(const Pod& pod) const {
  return pod.workload.valid() && pod.workload == t_.demands.favoured();
}

void Sums::CountDemands(NodeId n, bool add) {
  for (const PodId p : t_.nodes.pods(n)) {
    const Pod& pod = t_.pods[p];
    const std::vector<TermId>& holds = t_.shapes[pod.shape].dynamic->holds;
    if (add) {
      t_.demands.Take(holds, n, pod.stay(), IsFavoured(pod));
    } else {
      t_.demands.Give(holds, n, pod.stay(), IsFavoured(pod));
    }
  }
}

void Sums::MoveDomains(NodeId n) {
  for (const ColumnId c : t_.columns.Refresh(n)) t_.demands.NoteColumn(c);
}

// What a queue requests is the same before and after a decision: waiting becomes placed.
void Sums::ForgetWaiting(PodId p, std::int64_t times) {
  const Pod& pod = t_.pods[p];
  auto& waiting = t_.shapes[pod.shape].waiting;
  auto [it, added] = waiting.try_emplace(t_.workloads[pod.workload].queue, 0);
  it->second -= times;
  if (it->second == 0) waiting.erase(it);
}

void Sums::CountAll(WorkloadId w, bool add) {
  const Workload& workload = t_.workloads[w];
  const std::int64_t times = add ? 1 : -1;
  auto count = [&](PodId p) {
    if (t_.pods[p].placed()) {
      CountPlaced(p, times);
    } else if (t_.pods[p].waits() && workload.open()) {
      CountWaiting(workload.queue, t_.pods[p].shape, times);
    }
  };
  if (workload.solo()) {
    count(workload.only_pod);
    return;
  }
  for (PodSet& set : t_.workloads.gang(w).sets) {
    for (PodId p : set.pods) count(p);
    if (!add && set.counted_expected > 0) {
      CountWaiting(workload.queue, set.expected_shape, -set.counted_expected);
      set.counted_expected = 0;
    }
  }
  if (add) RecountExpected(w);
}

void Sums::SettleAccounts() {
  Accounts& accounts = t_.queues.accounts();
  const bool had_any = accounts.any();
  accounts.Clear(t_.queues);
  if (!had_any && !accounts.any()) return;
  for (std::uint32_t i = 0; i < t_.workloads.size(); ++i) {
    const WorkloadId w(i);
    Workload& workload = t_.workloads[w];
    if (!workload.in_use || !workload.queue.valid()) continue;
    workload.accounts =
        accounts.Of(t_.queues, t_.resources, workload.queue, t_.workloads.submitter(w));
    NoteChanged(w);
  }
  for (std::uint32_t i = 0; i < t_.nodes.size(); ++i) {
    if (!t_.nodes.exists(NodeId(i))) continue;
    for (const PodId p : t_.nodes.pods(NodeId(i))) {
      const Pod& pod = t_.pods[p];
      if (pod.foreign || !pod.counts()) continue;
      accounts.AddAllocated(pod.workload, t_.workloads[pod.workload].accounts,
                            t_.shapes[pod.shape].request, +1);
    }
  }
}

// As far as they count as requested: so many that no sum over pod sets passes the end of the
// numbers, and more than any cluster holds.
std::int64_t Sums::CountedMissing(const PodSet& set) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 55;
  std::int64_t missing = set.MissingExpected();
  if (missing == 0) return 0;
  for (const Amount& a : t_.shapes[set.expected_shape].request) {
    missing = std::min(missing, std::max<std::int64_t>(1, kMost / a.amount));
  }
  return missing;
}

void Sums::RecountExpected(WorkloadId w) {
  const Workload& workload = t_.workloads[w];
  for (PodSet& set : t_.workloads.gang(w).sets) {
    const std::int64_t missing = workload.open() ? CountedMissing(set) : 0;
    if (missing == set.counted_expected) continue;
    CountWaiting(workload.queue, set.expected_shape, missing - set.counted_expected);
    set.counted_expected = missing;
  }
}

}  // namespace fairlead::state
