#include "engine/audit/audit.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policy/node_fit.h"

namespace fairlead::engine {
namespace {

using state::Figure;
using state::NodeId;
using state::PodId;
using state::QueueId;
using state::ResourceId;
using state::WorkloadId;

class Auditor {
 public:
  explicit Auditor(const state::Cluster& cluster) : cluster_(cluster) {}

  std::vector<std::string> Run() {
    CheckNodes();
    CheckQueues();
    CheckShapes();
    CheckDemands();
    return std::move(faults_);
  }

 private:
  template <typename... Args>
  void Fault(fmt::format_string<Args...> text, Args&&... args) {
    faults_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void CheckDemands() {
    state::DemandCounts counts;
    for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
      for (const PodId p : cluster_.nodes().pods(NodeId(i))) {
        const state::Pod& pod = cluster_.pods()[p];
        counts.Take(cluster_.shapes()[pod.shape].dynamic.holds, NodeId(i), pod.stay());
      }
    }
    if (!(counts == cluster_.demands())) Fault("the counts of demands are not what the pods say");
  }

  void CheckNodes() {
    const state::NodeTable& nodes = cluster_.nodes();
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const NodeId n(i);
      std::vector<std::int64_t> used(cluster_.resources().size(), 0);
      std::vector<std::int64_t> used_later = used;
      bool foreign = false;
      std::map<int, std::int64_t> devices;
      std::int64_t whole = 0;
      for (PodId p : nodes.pods(n)) {
        const state::Shape& shape = cluster_.shapes()[cluster_.pods()[p].shape];
        if (cluster_.pods()[p].node != n)
          Fault("pod {} is listed on {}", cluster_.pods().name(p), nodes.name(n));
        const state::Stay stay = cluster_.pods()[p].stay();
        for (const state::Amount& a : shape.request) {
          if (stay != state::Stay::kComes) used[a.resource.value()] += a.amount;
          if (stay != state::Stay::kLeaves) used_later[a.resource.value()] += a.amount;
        }
        if (stay != state::Stay::kComes) {
          const std::int8_t device = cluster_.pods()[p].gpu_device;
          if (shape.gpu_milli > 0 && device >= 0) devices[device] += shape.gpu_milli;
          whole += shape.whole_gpus;
        }
        foreign |=
            cluster_.pods()[p].foreign || cluster_.pods()[p].placement == state::Placement::kBound;
      }
      for (std::uint32_t r = 0; r < cluster_.resources().size(); ++r) {
        if (state::IsInternal(ResourceId(r))) continue;
        const std::int64_t all = nodes.allocatable(n)[r];
        if (nodes.later(n)[r] != all - used_later[r] ||
            nodes.free(n)[r] != all - std::max(used[r], used_later[r])) {
          Fault("node {}: free {} is not its allocatable less its pods", nodes.name(n),
                cluster_.resources().name(ResourceId(r)));
        }
        if (!foreign && nodes.exists(n) && used[r] > all) {
          Fault("node {} is over its allocatable {}", nodes.name(n),
                cluster_.resources().name(ResourceId(r)));
        }
      }
      for (const auto& [device, milli] : devices) {
        if (milli > 1000)
          Fault("node {}: device {} holds {} thousandths", nodes.name(n), device, milli);
      }
      const std::int64_t all = nodes.allocatable(n)[state::kGpu.value()] / 1000;
      if (!foreign && whole + std::ssize(devices) > all) {
        Fault("node {}: more GPU devices in use than it has", nodes.name(n));
      }
    }
  }

  void CheckQueues() {
    const state::QueueTree& queues = cluster_.queues();
    const std::uint32_t width = cluster_.resources().size();
    std::vector<std::vector<std::int64_t>> allocated(queues.size(),
                                                     std::vector<std::int64_t>(width, 0));
    auto requested = allocated;
    auto taken = allocated;
    std::vector<std::int64_t> capacity(width, 0);
    for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
      if (!cluster_.nodes().in_service(NodeId(i))) continue;
      for (std::uint32_t r = 0; r < width; ++r)
        capacity[r] += cluster_.nodes().allocatable(NodeId(i))[r];
    }
    for (std::uint32_t i = 0; i < cluster_.pods().size(); ++i) {
      const state::Pod& pod = cluster_.pods()[PodId(i)];
      if (!pod.in_use) continue;
      const bool there = pod.placed() && cluster_.nodes().exists(pod.node);
      const bool in_service = there && cluster_.nodes().in_service(pod.node);
      for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
        const std::uint32_t r = a.resource.value();
        if (pod.foreign) {
          if (in_service) capacity[r] -= a.amount;
          continue;
        }
        const state::Workload& workload = cluster_.workloads()[pod.workload];
        if (there && !pod.claims()) taken[workload.queue.value()][r] += a.amount;
        if (there && pod.counts()) {
          allocated[workload.queue.value()][r] += a.amount;
          requested[workload.queue.value()][r] += a.amount;
          if (!in_service) capacity[r] += a.amount;
        } else if (pod.waits() && workload.open() && cluster_.shapes()[pod.shape].placeable) {
          requested[workload.queue.value()][r] += a.amount;
        }
      }
    }
    AddExpected(requested);
    SumUp(allocated);
    SumUpRequests(allocated, requested);
    SumUp(taken);
    for (std::uint32_t q = 0; q < queues.size(); ++q) {
      for (std::uint32_t r = 0; r < width; ++r) {
        const QueueId id(q);
        if (queues.Get(id, Figure::kAllocated, ResourceId(r)) != allocated[q][r]) {
          Fault("queue {}: allocated {} is {}, its pods say {}", queues[id].name,
                cluster_.resources().name(ResourceId(r)),
                queues.Get(id, Figure::kAllocated, ResourceId(r)), allocated[q][r]);
        }
        const std::int64_t in_use = queues.Get(id, Figure::kAllocated, ResourceId(r)) +
                                    queues.Get(id, Figure::kTurnover, ResourceId(r));
        if (queues[id].limited && in_use != taken[q][r]) {
          Fault("queue {}: {} in use is {}, its pods say {}", queues[id].name,
                cluster_.resources().name(ResourceId(r)), in_use, taken[q][r]);
        }
        if (queues.Get(id, Figure::kRequested, ResourceId(r)) != requested[q][r]) {
          Fault("queue {}: requested {} is {}, its pods say {}", queues[id].name,
                cluster_.resources().name(ResourceId(r)),
                queues.Get(id, Figure::kRequested, ResourceId(r)), requested[q][r]);
        }
      }
    }
    for (std::uint32_t r = 0; r < width; ++r) {
      if (queues.capacity(ResourceId(r)) != capacity[r]) {
        Fault("capacity of {} is {}, nodes say {}", cluster_.resources().name(ResourceId(r)),
              queues.capacity(ResourceId(r)), capacity[r]);
      }
    }
  }

  void AddExpected(std::vector<std::vector<std::int64_t>>& requested) {
    for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) {
      const state::Workload& workload = cluster_.workloads()[WorkloadId(i)];
      if (!workload.in_use || workload.solo() || !workload.open()) continue;
      for (const state::PodSet& set : cluster_.workloads().gang(WorkloadId(i)).sets) {
        const std::int64_t missing = set.MissingExpected();
        if (missing == 0 || !cluster_.shapes()[set.expected_shape].placeable) continue;
        for (const state::Amount& a : cluster_.shapes()[set.expected_shape].request) {
          requested[workload.queue.value()][a.resource.value()] += a.amount * missing;
        }
      }
    }
  }

  // Adds to each queue what its children have.
  void SumUp(std::vector<std::vector<std::int64_t>>& own) const {
    const auto& order = cluster_.queues().order();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == state::QueueTree::Root()) continue;
      std::vector<std::int64_t>& above = own[cluster_.queues()[*it].parent.value()];
      for (std::size_t r = 0; r < above.size(); ++r) above[r] += own[it->value()][r];
    }
  }

  // REQUIRES: `allocated` is summed up.
  void SumUpRequests(const std::vector<std::vector<std::int64_t>>& allocated,
                     std::vector<std::vector<std::int64_t>>& requested) const {
    const state::QueueTree& queues = cluster_.queues();
    const auto& order = queues.order();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == state::QueueTree::Root()) continue;
      const QueueId parent = queues[*it].parent;
      const bool ready = queues[*it].health == state::QueueHealth::kReady;
      for (std::size_t r = 0; r < allocated[0].size(); ++r) {
        const std::int64_t limit =
            queues.Get(*it, Figure::kLimit, ResourceId(static_cast<std::uint32_t>(r)));
        requested[parent.value()][r] +=
            ready ? std::min(limit, requested[it->value()][r]) : allocated[it->value()][r];
      }
    }
  }

  void CheckShapes() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> waiting;
    for (std::uint32_t i = 0; i < cluster_.pods().size(); ++i) {
      const state::Pod& pod = cluster_.pods()[PodId(i)];
      if (!pod.in_use || pod.foreign || !pod.waits()) continue;
      const state::Workload& workload = cluster_.workloads()[pod.workload];
      if (workload.open()) ++waiting[{pod.shape.value(), workload.queue.value()}];
    }
    for (std::uint32_t i = 0; i < cluster_.workloads().size(); ++i) {
      const state::Workload& workload = cluster_.workloads()[WorkloadId(i)];
      if (!workload.in_use || workload.solo() || !workload.open()) continue;
      for (const state::PodSet& set : cluster_.workloads().gang(WorkloadId(i)).sets) {
        const std::int64_t missing = set.MissingExpected();
        if (missing > 0) waiting[{set.expected_shape.value(), workload.queue.value()}] += missing;
      }
    }
    for (std::uint32_t s = 0; s < cluster_.shapes().size(); ++s) {
      for (const auto& [queue, count] : cluster_.shapes()[state::ShapeId(s)].waiting) {
        auto it = waiting.find({s, queue.value()});
        if (it == waiting.end() || it->second != count) {
          Fault("shape {} in queue {}: {} wait, its pods say {}", s, cluster_.queues()[queue].name,
                count, it == waiting.end() ? 0 : it->second);
        } else {
          waiting.erase(it);
        }
      }
    }
    if (!waiting.empty()) Fault("{} waiting counts are missing", waiting.size());
  }

  const state::Cluster& cluster_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> Audit(const state::Cluster& cluster) { return Auditor(cluster).Run(); }

}  // namespace fairlead::engine
