// How a tour goes: first every node, by the pods in its list; then every queue, children before
// parents, by the workloads in its list. A queue's figures are its own pods' and its children's
// figures, which were judged before: so each is judged by what lies directly below it, and a sum
// that is wrong is told of the one queue where it went wrong.
//
// Worked: root > a > {b, c}, and 3 cores too many in the allocated of b. b is wrong by its pods: a
// fault. a is what its pods, b and c say, and so is root: none. Were the 3 cores counted in a
// alone, b and c would be right, a wrong by them.

#include "engine/audit/sums_audit.h"

#include <algorithm>
#include <utility>

namespace fairlead::engine {

using state::Figure;
using state::NodeId;
using state::PodId;
using state::QueueId;
using state::ResourceId;
using state::WorkloadId;

void SumsAudit::Begin() {
  undisturbed_ = true;
  next_node_ = 0;
  queues_.clear();
  next_queue_ = 0;
  capacity_.assign(width(), 0);
  demands_.Clear();
  waiting_pairs_ = 0;
  taken_.clear();
  again_ = false;
  BeginQueue();
}

void SumsAudit::BeginQueue() {
  next_workload_ = 0;
  own_.allocated.assign(width(), 0);
  own_.requested.assign(width(), 0);
  own_.taken.assign(width(), 0);
  own_.waiting.clear();
}

void SumsAudit::NoteChange() {
  undisturbed_ = false;
  if (next_workload_ == 0) return;
  // It had the rest of a walk; now it gets a whole one.
  if (!std::exchange(again_, true)) return BeginQueue();
  ++next_queue_;
  again_ = false;
  BeginQueue();
}

bool SumsAudit::Walk(std::int64_t rows, std::vector<std::string>& faults) {
  SetFaults(&faults);
  while (rows > 0) {
    if (queues_.empty()) {
      if (next_node_ < cluster_.nodes().size()) {
        rows -= LookAtNode(NodeId(next_node_++));
        continue;
      }
      const std::vector<QueueId>& order = cluster_.queues().order();
      queues_.assign(order.rbegin(), order.rend());
      taken_.resize(cluster_.queues().size());
      BeginQueue();
    }
    if (next_queue_ == queues_.size()) {
      if (undisturbed_) CompareTour();
      Begin();
      return true;
    }
    rows -= LookAtQueue(queues_[next_queue_], rows);
  }
  return false;
}

void SumsAudit::AddTo(Row& row, state::ShapeId shape, std::int64_t times) const {
  if (row.size() < width()) row.resize(width());
  for (const state::Amount& a : cluster_.shapes()[shape].request) {
    row[a.resource.value()] += a.amount * times;
  }
}

std::int64_t SumsAudit::LookAtNode(NodeId n) {
  const state::NodeTable& nodes = cluster_.nodes();
  const bool in_service = nodes.in_service(n);
  used_.assign(width(), 0);
  used_later_.assign(width(), 0);
  capacity_.resize(width());
  for (const PodId p : nodes.pods(n)) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.node != n) Fault("pod {} is listed on {}", cluster_.pods().name(p), nodes.name(n));
    const state::Stay stay = pod.stay();
    if (stay != state::Stay::kComes) AddTo(used_, pod.shape, +1);
    if (stay != state::Stay::kLeaves) AddTo(used_later_, pod.shape, +1);
    demands_.Take(cluster_.shapes()[pod.shape].dynamic->holds, n, stay);
    if (pod.foreign) {
      if (in_service) AddTo(capacity_, pod.shape, -1);
    } else if (pod.counts() && nodes.exists(n) && !in_service) {
      AddTo(capacity_, pod.shape, +1);
    }
  }
  for (const state::Amount& a : cluster_.volumes().attachments.LeavingOf(n)) {
    used_[a.resource.value()] += a.amount;
  }
  cluster_.volumes().attachments.ForEachShared(n, [&](ResourceId slots, state::Stay stay) {
    if (stay != state::Stay::kComes) ++used_[slots.value()];
    if (stay != state::Stay::kLeaves) ++used_later_[slots.value()];
  });
  for (std::uint32_t r = 0; r < width(); ++r) {
    const std::int64_t all = nodes.allocatable(n)[r];
    if (in_service) capacity_[r] += all;
    if (state::IsInternal(ResourceId(r))) continue;
    if (nodes.later(n)[r] != all - used_later_[r] ||
        nodes.free(n)[r] != all - std::max(used_[r], used_later_[r])) {
      Fault("node {}: free {} is not its allocatable less its pods", nodes.name(n),
            cluster_.resources().name(ResourceId(r)));
    }
  }
  return 1 + std::ssize(nodes.pods(n));
}

std::int64_t SumsAudit::LookAtQueue(QueueId q, std::int64_t rows) {
  const std::vector<WorkloadId>& workloads = cluster_.workloads().OfQueue(q);
  std::int64_t looked = 1;
  while (next_workload_ < workloads.size() && looked < rows) {
    looked += Add(workloads[next_workload_++]);
  }
  if (next_workload_ < workloads.size()) return looked;
  Compare(q);
  ++next_queue_;
  again_ = false;
  BeginQueue();
  return looked;
}

std::int64_t SumsAudit::Add(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  std::int64_t looked = 1;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    ++looked;
    const state::Pod& pod = cluster_.pods()[p];
    const bool there = pod.placed() && cluster_.nodes().exists(pod.node);
    if (there && !pod.claims()) AddTo(own_.taken, pod.shape, +1);
    if (there && pod.counts()) {
      AddTo(own_.allocated, pod.shape, +1);
      AddTo(own_.requested, pod.shape, +1);
    } else if (pod.waits() && workload.open()) {
      if (cluster_.shapes()[pod.shape].placeable) AddTo(own_.requested, pod.shape, +1);
      ++own_.waiting[pod.shape.value()];
    }
  });
  if (workload.solo() || !workload.open()) return looked;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    const std::int64_t missing = set.MissingExpected();
    if (missing == 0) continue;
    if (cluster_.shapes()[set.expected_shape].placeable) {
      AddTo(own_.requested, set.expected_shape, missing);
    }
    own_.waiting[set.expected_shape.value()] += missing;
  }
  return looked;
}

void SumsAudit::Compare(QueueId q) {
  const state::QueueTree& queues = cluster_.queues();
  for (std::uint32_t r = 0; r < width(); ++r) {
    const ResourceId resource(r);
    std::int64_t allocated = own_.allocated[r], requested = own_.requested[r];
    for (const QueueId child : queues[q].children) {
      const std::int64_t its = queues.Get(child, Figure::kAllocated, resource);
      const bool ready = queues[child].health == state::QueueHealth::kReady;
      allocated += its;
      requested += ready ? std::min(queues.Get(child, Figure::kLimit, resource),
                                    queues.Get(child, Figure::kRequested, resource))
                         : its;
    }
    if (queues.Get(q, Figure::kAllocated, resource) != allocated) {
      Fault("queue {}: allocated {} is {}, its pods and children say {}", queues[q].name,
            cluster_.resources().name(resource), queues.Get(q, Figure::kAllocated, resource),
            allocated);
    }
    if (queues.Get(q, Figure::kRequested, resource) != requested) {
      Fault("queue {}: requested {} is {}, its pods and children say {}", queues[q].name,
            cluster_.resources().name(resource), queues.Get(q, Figure::kRequested, resource),
            requested);
    }
  }
  if (queues.idle().kept()) CompareIdle(q);
  CompareInUse(q);
  CompareWaiting(q);
}

void SumsAudit::CompareIdle(QueueId q) {
  const state::QueueTree& queues = cluster_.queues();
  for (std::uint32_t r = 0; r < width(); ++r) {
    const ResourceId resource(r);
    std::int64_t idle = 0;
    for (const QueueId child : queues[q].children) {
      idle += queues.idle().Of(child, resource);
    }
    if (queues[q].exists && IsLeaf(queues, q) && q != state::QueueTree::Root()) {
      idle = std::max<std::int64_t>(
          0, GuaranteeOf(queues, q, resource) - queues.Get(q, Figure::kAllocated, resource));
    }
    if (queues.idle().Of(q, resource) == idle) continue;
    Fault("queue {}: idle {} is {}, its leaves say {}", queues[q].name,
          cluster_.resources().name(resource), queues.idle().Of(q, resource), idle);
  }
}

std::int64_t SumsAudit::InUse(QueueId q, std::uint32_t r) const {
  return cluster_.queues().Get(q, Figure::kAllocated, ResourceId(r)) +
         cluster_.queues().Get(q, Figure::kTurnover, ResourceId(r));
}

// A child without a limit has no figure of it: what its pods said earlier in the tour is taken.
void SumsAudit::CompareInUse(QueueId q) {
  const state::QueueTree& queues = cluster_.queues();
  bool known = true;
  Row& taken = taken_[q.value()];
  taken = own_.taken;
  taken.resize(width());
  for (const QueueId child : queues[q].children) {
    const bool limited = queues[child].limited;
    known &= limited || undisturbed_;
    if (!limited && !undisturbed_) continue;
    for (std::uint32_t r = 0; r < width(); ++r) {
      taken[r] += limited ? InUse(child, r) : taken_[child.value()][r];
    }
  }
  if (!queues[q].limited || !known) return;
  for (std::uint32_t r = 0; r < width(); ++r) {
    if (InUse(q, r) == taken[r]) continue;
    Fault("queue {}: {} in use is {}, its pods and children say {}", queues[q].name,
          cluster_.resources().name(ResourceId(r)), InUse(q, r), taken[r]);
  }
}

void SumsAudit::CompareWaiting(QueueId q) {
  for (const auto& [shape, count] : own_.waiting) {
    const auto& waiting = cluster_.shapes()[state::ShapeId(shape)].waiting;
    const auto at = waiting.find(q);
    const std::int64_t kept = at == waiting.end() ? 0 : at->second;
    if (kept == count) continue;
    Fault("shape {} in queue {}: {} wait, its pods say {}", shape, cluster_.queues()[q].name, kept,
          count);
  }
  waiting_pairs_ += own_.waiting.size();
}

void SumsAudit::CompareTour() {
  for (std::uint32_t r = 0; r < width(); ++r) {
    const std::int64_t capacity = cluster_.queues().capacity(ResourceId(r));
    if (capacity == capacity_[r]) continue;
    Fault("capacity of {} is {}, nodes say {}", cluster_.resources().name(ResourceId(r)), capacity,
          capacity_[r]);
  }
  if (!demands_.Same(cluster_.demands())) Fault("the counts of demands are not what the pods say");
  std::size_t pairs = 0;
  for (std::uint32_t s = 0; s < cluster_.shapes().size(); ++s) {
    pairs += cluster_.shapes()[state::ShapeId(s)].waiting.size();
  }
  if (pairs != waiting_pairs_) {
    Fault("{} waiting counts are kept, {} are of pods that wait", pairs, waiting_pairs_);
  }
}

}  // namespace fairlead::engine
