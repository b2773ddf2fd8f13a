#include "state/cluster.h"

#include <algorithm>

#include "base/check.h"

// Every sum has one pair of functions that adds a pod to it and takes it away again; a change of a
// pod, workload or node takes away what it was, changes the record, and adds what it is.

namespace fairlead::state {

Cluster::Cluster() : configuration_(std::make_shared<objects::SchedulerConfiguration>()) {}

void Cluster::Apply(const Change& change) {
  std::visit(
      [this](const auto& c) {
        using T = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<T, NodeChange>) ApplyNode(c);
        if constexpr (std::is_same_v<T, QueueChange>) ApplyQueue(c);
        if constexpr (std::is_same_v<T, WorkloadChange>) ApplyWorkload(c);
        if constexpr (std::is_same_v<T, PodChange>) ApplyPod(c);
        if constexpr (std::is_same_v<T, Removal>) ApplyRemoval(c);
        if constexpr (std::is_same_v<T, BindFailed>) ApplyBindFailed(c);
        if constexpr (std::is_same_v<T, EvictFailed>) ApplyEvictFailed(c);
        if constexpr (std::is_same_v<T, ConfigurationChange>) {
          configuration_ = c.configuration;
          journal_.configuration_changed = true;
        }
        if constexpr (std::is_same_v<T, BudgetChange>) {
          if (budgets_.Update(c)) journal_.budgets_changed = true;
        }
      },
      change);
}

void Cluster::Settle() {
  nodes_.Widen(resources_);
  queues_.Widen(resources_);
  if (!queues_.Settle()) return;
  journal_.queues_changed = true;
  for (NodeId n : nodes_.nodes_in_turnover()) {
    if (!nodes_.exists(n)) continue;
    for (PodId p : nodes_.pods(n)) CountTurnover(p, +1);
  }
}

const std::string& Cluster::NameOf(WorkloadId w) const {
  const Workload& workload = workloads_[w];
  return workload.solo() ? pods_.name(workload.only_pod) : workloads_.gang(w).name;
}

WorkloadId Cluster::FindWorkload(std::string_view name) const {
  if (WorkloadId w = workloads_.FindGang(name); w.valid()) return w;
  const PodId p = pods_.Find(name);
  if (!p.valid() || pods_[p].foreign) return WorkloadId();
  return pods_[p].workload;
}

void Cluster::SortByName(std::vector<PodId>& pods) const {
  std::sort(pods.begin(), pods.end(),
            [this](PodId a, PodId b) { return pods_.name(a) < pods_.name(b); });
}

const Reason* Cluster::HoldOf(PodId p) const {
  return pods_[p].held ? &pod_holds_.at(p.value()) : nullptr;
}

// Nodes and queues -------------------------------------------------------------------------------

void Cluster::ApplyNode(const NodeChange& change) {
  const NodeId n = nodes_.Intern(change.name);
  auto count_capacity = [&](std::int64_t sign) {
    if (!nodes_.in_service(n)) return;
    for (std::uint32_t r = 0; r < resources_.size(); ++r) {
      if (!IsInternal(ResourceId(r))) {
        queues_.AddCapacity(ResourceId(r), sign * nodes_.allocatable(n)[r]);
      }
    }
  };
  for (PodId p : nodes_.pods(n)) CountPlaced(p, -1);
  count_capacity(-1);
  const bool changed = nodes_.Update(n, change, resources_);
  queues_.Widen(resources_);
  count_capacity(+1);
  for (PodId p : nodes_.pods(n)) CountPlaced(p, +1);
  if (changed) NoteReshaped(n);
}

void Cluster::NoteTouched(NodeId n) {
  journal_.touched.push_back(n);
  marks_.Note(n);
}

void Cluster::NoteChanged(WorkloadId w) {
  journal_.workloads.push_back(w);
  marks_.Note(w);
}

// What a copy shows of a pod, or of its workload by it, changes.
void Cluster::MarkPod(PodId p) {
  if (!marks_.watched()) return;
  marks_.Note(p);
  marks_.Note(pods_[p].workload);
}

// Gangs with pods there may have lost their last live one, or found it again.
void Cluster::NoteReshaped(NodeId n) {
  journal_.reshaped.push_back(n);
  marks_.NoteReshaped(n);
  NoteTouched(n);
  for (PodId p : nodes_.pods(n)) {
    if (pods_[p].workload.valid()) NoteChanged(pods_[p].workload);
  }
}

void Cluster::RemoveNode(NodeId n) {
  for (PodId p : nodes_.pods(n)) CountPlaced(p, -1);
  if (nodes_.in_service(n)) {
    for (std::uint32_t r = 0; r < resources_.size(); ++r) {
      if (!IsInternal(ResourceId(r))) {
        queues_.AddCapacity(ResourceId(r), -nodes_.allocatable(n)[r]);
      }
    }
  }
  nodes_.Retire(n);
  NoteReshaped(n);
  // What we only assumed there waits again; what ran there is gone with it, once its object goes.
  const std::vector<PodId> pods = nodes_.pods(n);
  for (PodId p : pods) {
    if (pods_[p].placement == Placement::kAssumed) ApplyBindFailed(BindFailed{pods_.name(p)});
  }
}

void Cluster::ApplyQueue(const QueueChange& change) {
  queues_.Update(queues_.Intern(change.name), change, resources_);
  nodes_.Widen(resources_);
  journal_.queues_changed = true;
}

// Sums -------------------------------------------------------------------------------------------

// All that a pod on a node counts for.
void Cluster::CountPlaced(PodId p, std::int64_t times) {
  const Pod& pod = pods_[p];
  if (!nodes_.exists(pod.node)) return;
  if (pod.foreign) {
    if (!nodes_.in_service(pod.node)) return;
    for (const Amount& a : shapes_[pod.shape].request) {
      queues_.AddCapacity(a.resource, -a.amount * times);
    }
    return;
  }
  CountTurnover(p, times);
  if (!pod.leaves()) CountRunning(p, times);
}

// The part of it that ends when the pod begins to leave.
void Cluster::CountRunning(PodId p, std::int64_t times) {
  CountAllocated(p, times);
  const Pod& pod = pods_[p];
  queues_.AddRequested(workloads_[pod.workload].queue, shapes_[pod.shape].request, times);
}

// What it takes beyond what it counts for.
void Cluster::CountTurnover(PodId p, std::int64_t times) {
  const Pod& pod = pods_[p];
  if (pod.leaves() == pod.claims() || pod.foreign) return;
  const Workload& workload = workloads_[pod.workload];
  queues_.AddTurnover(workload.queue, shapes_[pod.shape].request, pod.leaves() ? times : -times,
                      workload.preemptible);
}

void Cluster::CountAllocated(PodId p, std::int64_t times) {
  const Pod& pod = pods_[p];
  const Amounts& request = shapes_[pod.shape].request;
  Workload& workload = workloads_[pod.workload];
  if (!pod.claims()) workload.live += static_cast<std::int32_t>(times);
  queues_.AddAllocated(workload.queue, request, times,
                       {.priority = workload.priority, .preemptible = workload.preemptible});
  if (times < 0) journal_.relieved.push_back(workload.queue);
  // Work that stays on a cordoned node is part of the capacity, so that nobody becomes over-share.
  if (nodes_.in_service(pod.node)) return;
  for (const Amount& a : request) queues_.AddCapacity(a.resource, a.amount * times);
}

void Cluster::CountWaiting(QueueId q, ShapeId s, std::int64_t times) {
  if (times == 0) return;
  Shape& shape = shapes_[s];
  auto [it, added] = shape.waiting.try_emplace(q, 0);
  it->second += times;
  if (it->second == 0) shape.waiting.erase(it);
  if (shape.placeable) queues_.AddRequested(q, shape.request, times);
}

void Cluster::SetPlaceable(ShapeId s, bool placeable) {
  Shape& shape = shapes_[s];
  if (shape.placeable == placeable) return;
  shape.placeable = placeable;
  for (const auto& [queue, waiting] : shape.waiting) {
    queues_.AddRequested(queue, shape.request, placeable ? waiting : -waiting);
  }
}

void Cluster::Enter(PodId p) {
  Pod& pod = pods_[p];
  if (pod.placed()) {
    const bool runs = pod.placement == Placement::kBound && pod.gpu_device < 0;
    Occupy(p, pod.node, runs ? NodeTable::kAstray : pod.gpu_device);
    CountPlaced(p, +1);
  } else if (pod.waits()) {
    pod.ticket = next_ticket_++;
    if (workloads_[pod.workload].open())
      CountWaiting(workloads_[pod.workload].queue, pod.shape, +1);
  }
  MarkPod(p);
  if (pod.workload.valid()) NoteChanged(pod.workload);
}

void Cluster::Withdraw(PodId p) {
  const Pod& pod = pods_[p];
  if (pod.placed()) {
    CountPlaced(p, -1);
    Vacate(p);
  } else if (pod.waits() && workloads_[pod.workload].open()) {
    CountWaiting(workloads_[pod.workload].queue, pod.shape, -1);
  }
  MarkPod(p);
  if (pod.workload.valid()) NoteChanged(pod.workload);
}

void Cluster::Occupy(PodId p, NodeId n, std::int8_t wanted_device) {
  Pod& pod = pods_[p];
  const Shape& shape = shapes_[pod.shape];
  pod.node = n;
  std::vector<PodId>& pods = nodes_.pods(n);
  pod.node_slot = static_cast<std::uint32_t>(pods.size());
  pods.push_back(p);
  pod.gpu_device = nodes_.Take(n, shape.request, shape.gpu_milli, wanted_device, pod.stay());
  if (shape.has_ports) nodes_.TakePorts(n, shape.needs->host_ports, pod.stay());
  NoteTouched(n);
  MarkPod(p);
}

void Cluster::Vacate(PodId p) {
  Pod& pod = pods_[p];
  const Shape& shape = shapes_[pod.shape];
  const NodeId n = pod.node;
  std::vector<PodId>& pods = nodes_.pods(n);
  pods[pod.node_slot] = pods.back();
  pods_[pods[pod.node_slot]].node_slot = pod.node_slot;
  pods.pop_back();
  nodes_.Give(n, shape.request, shape.gpu_milli, pod.gpu_device, pod.stay());
  if (shape.has_ports) nodes_.GivePorts(n, shape.needs->host_ports, pod.stay());
  pod.node = NodeId();
  pod.gpu_device = -1;
  pod.placement = Placement::kWaiting;
  NoteTouched(n);
  MarkPod(p);
}

// Decisions --------------------------------------------------------------------------------------

void Cluster::Put(PodId p, NodeId n, Placement placement) {
  Pod& pod = pods_[p];
  DCHECK(pod.waits() && shapes_[pod.shape].placeable && nodes_.exists(n));
  ForgetWaiting(p, +1);
  pod.placement = placement;
  const Shape& shape = shapes_[pod.shape];
  const bool choose = shape.gpu_milli > 0 && device_chooser_ != nullptr;
  Occupy(p, n,
         choose ? device_chooser_->ChooseDevice(shape, n, pod.stay()) : NodeTable::kBestDevice);
  CountAllocated(p, +1);
  CountTurnover(p, +1);
  if (placement == Placement::kAssumed) NoteStays(p);
}

// Of those whom a budget counts.
void Cluster::NoteStays(PodId p) {
  if (!budgets_.Of(p).empty()) ++budgets_eased_;
}

void Cluster::Place(PodId p, NodeId n) { Put(p, n, Placement::kAssumed); }
void Cluster::Claim(PodId p, NodeId n) { Put(p, n, Placement::kClaimed); }

void Cluster::Unplace(PodId p) {
  CountAllocated(p, -1);
  CountTurnover(p, -1);
  Vacate(p);
  ForgetWaiting(p, -1);
}

// The pod stays where it is; what its room is there for changes.
void Cluster::Restand(PodId p, Stay from, Stay to) {
  const Pod& pod = pods_[p];
  const Shape& shape = shapes_[pod.shape];
  nodes_.Give(pod.node, shape.request, shape.gpu_milli, pod.gpu_device, from);
  nodes_.Take(pod.node, shape.request, shape.gpu_milli, pod.gpu_device, to);
  if (shape.has_ports) {
    nodes_.GivePorts(pod.node, shape.needs->host_ports, from);
    nodes_.TakePorts(pod.node, shape.needs->host_ports, to);
  }
  NoteTouched(pod.node);
  MarkPod(p);
}

void Cluster::Evict(PodId p) {
  DCHECK(pods_[p].live() && !pods_[p].foreign);
  const bool counts = nodes_.exists(pods_[p].node);
  if (counts) CountRunning(p, -1);
  Restand(p, Stay::kStays, Stay::kLeaves);
  pods_[p].evicted = true;
  if (counts) CountTurnover(p, +1);
}

void Cluster::Unevict(PodId p) {
  DCHECK(pods_[p].evicted);
  const bool counts = nodes_.exists(pods_[p].node);
  if (counts) CountTurnover(p, -1);
  Restand(p, Stay::kLeaves, Stay::kStays);
  pods_[p].evicted = false;
  if (counts) CountRunning(p, +1);
  NoteStays(p);
}

// What a queue requests is the same before and after a decision: waiting becomes placed.
void Cluster::ForgetWaiting(PodId p, std::int64_t times) {
  const Pod& pod = pods_[p];
  auto& waiting = shapes_[pod.shape].waiting;
  auto [it, added] = waiting.try_emplace(workloads_[pod.workload].queue, 0);
  it->second -= times;
  if (it->second == 0) waiting.erase(it);
}

void Cluster::ApplyEvictFailed(const EvictFailed& failed) {
  const PodId p = pods_.Find(failed.pod);
  if (!p.valid() || !pods_[p].evicted) return;
  Unevict(p);
  if (pods_[p].workload.valid()) NoteChanged(pods_[p].workload);
}

void Cluster::ApplyBindFailed(const BindFailed& failed) {
  const PodId p = pods_.Find(failed.pod);
  const bool decided = p.valid() && (pods_[p].placement == Placement::kAssumed ||
                                     pods_[p].placement == Placement::kClaimed);
  if (!decided) return;
  if (pods_[p].expected) {
    NoteChanged(pods_[p].workload);
    RemoveExpected(p);  // its node may be gone already: not a decision to be undone
  } else {
    Withdraw(p);
    pods_[p].evicted = false;
    Enter(p);
  }
}

PodId Cluster::AddExpected(WorkloadId w, std::uint16_t pod_set) {
  const PodId p = pods_.Add(workloads_.gang(w).name + "#" + std::to_string(next_ticket_));
  Pod& pod = pods_[p];
  pod.expected = true;
  pod.workload = w;
  pod.pod_set = pod_set;
  pod.priority = workloads_[w].priority;
  pod.created = workloads_[w].created;
  pod.shape = workloads_.gang(w).sets[pod_set].expected_shape;
  Join(p);
  MarkPod(p);
  pod.ticket = next_ticket_++;
  if (workloads_[w].open()) CountWaiting(workloads_[w].queue, pod.shape, +1);
  return p;
}

void Cluster::RemoveExpected(PodId p) {
  DCHECK(pods_[p].expected);
  MarkPod(p);
  if (pods_[p].placed()) {
    CountPlaced(p, -1);
    Vacate(p);
  } else if (workloads_[pods_[p].workload].open()) {
    CountWaiting(workloads_[pods_[p].workload].queue, pods_[p].shape, -1);
  }
  Leave(p);
  pods_.Remove(p);
}

// Removal ----------------------------------------------------------------------------------------

void Cluster::ApplyRemoval(const Removal& removal) {
  switch (removal.kind) {
    case RowKind::kNode:
      if (NodeId n = nodes_.Find(removal.name); n.valid() && nodes_.exists(n)) RemoveNode(n);
      return;
    case RowKind::kQueue:
      if (QueueId q = queues_.Find(removal.name); q.valid()) {
        queues_.Retire(q);
        journal_.queues_changed = true;
      }
      return;
    case RowKind::kWorkload:
      if (WorkloadId w = workloads_.FindGang(removal.name); w.valid()) RemoveWorkload(w);
      return;
    case RowKind::kPod:
      if (PodId p = pods_.Find(removal.name); p.valid()) RemovePod(p);
      return;
    case RowKind::kBudget:
      if (budgets_.Retire(removal.name)) journal_.budgets_changed = true;
      return;
    case RowKind::kQuota:
      return;
  }
}

Amounts RequestOf(const Cluster& cluster, std::span<const PodId> pods) {
  Amounts request;
  for (PodId p : pods) AddTo(request, cluster.shapes()[cluster.pods()[p].shape].request, 1);
  return request;
}

}  // namespace fairlead::state
