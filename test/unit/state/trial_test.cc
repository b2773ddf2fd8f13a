// A trial that is not committed leaves no trace: every column reads as before.

#include "state/trial.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>

namespace fairlead::state {
namespace {

NeedsPtr NeedsOf(std::int64_t cpu, std::int64_t gpu, std::int32_t gpu_milli, std::int32_t port) {
  objects::PodNeeds needs;
  needs.request = {{"cpu", cpu}};
  if (gpu > 0) needs.request.emplace_back("nvidia.com/gpu", 1000 * gpu);
  needs.gpu_milli = gpu_milli;
  if (port > 0) needs.host_ports = {{.protocol = "TCP", .ip = "", .port = port}};
  return std::make_shared<const objects::PodNeeds>(needs);
}

// All that a trial could touch, as text.
std::string Columns(const Cluster& cluster) {
  std::string text;
  auto add = [&](std::int64_t number) { text += std::to_string(number) + " "; };
  for (std::uint32_t i = 0; i < cluster.nodes().size(); ++i) {
    const NodeId n(i);
    text += "\nnode ";
    for (std::uint32_t r = 0; r < cluster.nodes().stride(); ++r) add(cluster.nodes().free(n)[r]);
    for (PodId p : cluster.nodes().pods(n)) text.append(cluster.pods().name(p)).append(" ");
    for (std::uint32_t t = 0; t < cluster.terms().size(); ++t) {
      for (const When when : {When::kNow, When::kLater}) {
        const DomainId d = cluster.demands().columns().Of(cluster.terms().ColumnOf(TermId(t)), n);
        add(d.valid() ? cluster.demands().Against(TermId(t), d, when) : -1);
      }
    }
  }
  text += "\nheld ";
  add(static_cast<std::int64_t>(cluster.demands().size()));
  for (std::uint32_t i = 0; i < cluster.queues().size(); ++i) {
    text += "\nqueue ";
    for (std::size_t f = 0; f < static_cast<std::size_t>(Figure::kCount); ++f) {
      for (std::uint32_t r = 0; r < cluster.resources().size(); ++r) {
        add(cluster.queues().Get(QueueId(i), static_cast<Figure>(f), ResourceId(r)));
      }
    }
  }
  for (std::uint32_t r = 0; r < cluster.resources().size(); ++r)
    add(cluster.queues().capacity(ResourceId(r)));
  for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
    const Pod& pod = cluster.pods()[PodId(i)];
    if (!pod.in_use) continue;
    text.append("\npod ").append(cluster.pods().name(PodId(i))).append(" ");
    for (std::int64_t number :
         {std::int64_t{pod.node.value()}, std::int64_t{pod.node_slot},
          static_cast<std::int64_t>(pod.placement), std::int64_t{pod.gpu_device}}) {
      add(pod.node.valid() || number < 0 ? number : 0);
    }
  }
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const Workload& workload = cluster.workloads()[WorkloadId(i)];
    if (!workload.in_use) continue;
    text += "\nworkload ";
    add(workload.live);
    if (workload.solo()) continue;
    for (const PodSet& set : cluster.workloads().gang(WorkloadId(i)).sets) {
      add(std::ssize(set.pods));
      add(set.counted_expected);
    }
  }
  for (std::uint32_t i = 0; i < cluster.shapes().size(); ++i) {
    text += "\nshape ";
    for (const auto& [queue, waiting] : cluster.shapes()[ShapeId(i)].waiting)
      add(std::int64_t{queue.value()} * 1000 + waiting);
  }
  return text;
}

void Fill(Cluster& cluster) {
  for (const char* name : {"n1", "n2", "n3"}) {
    NodeChange node{.name = name, .allocatable = {{"cpu", 16000}, {"nvidia.com/gpu", 4000}}};
    node.schedulable = name[1] != '3';  // placed there, a pod adds to the capacity
    cluster.Apply(node);
  }
  cluster.Apply(QueueChange{.name = "top"});
  cluster.Apply(QueueChange{.name = "a", .parent = "top"});
  WorkloadChange gang{.name = "s/w", .traits = {.queue = "a"}, .resize = objects::Resize::kAnytime};
  gang.pod_sets = {
      {.name = "main", .count = 9, .min_count = 2, .expected_needs = NeedsOf(500, 0, 300, 0)}};
  cluster.Apply(gang);
  const NeedsPtr kinds[] = {NeedsOf(500, 0, 0, 0), NeedsOf(250, 1, 0, 0), NeedsOf(250, 0, 400, 0),
                            NeedsOf(100, 0, 0, 80), NeedsOf(250, 0, 700, 81)};
  for (int i = 0; i < 20; ++i) {
    PodChange pod{.name = "s/p" + std::to_string(i), .needs = kinds[i % 5]};
    if (i % 7 == 0) {
      pod.workload = "s/w";
    } else {
      pod.solo = WorkloadTraits{.queue = "a", .preemptible = i % 3 != 0};
    }
    cluster.Apply(pod);
  }
  cluster.Settle();
  cluster.RerankNodes();
  for (std::uint32_t s = 0; s < cluster.shapes().size(); ++s)
    cluster.SetPlaceable(ShapeId(s), true);
}

TEST(Trial, UndoRestoresEverything) {
  Cluster cluster;
  Fill(cluster);
  const WorkloadId gang = state::FindWorkload(cluster, "s/w");
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::string before = Columns(cluster);
    {
      Trial trial(cluster);
      std::string at_mark;
      std::size_t mark = 0;
      for (std::uint32_t p = 0; p < 20; ++p) {
        if (p == 10) {
          mark = trial.Mark();
          at_mark = Columns(cluster);
        }
        const NodeId n(random() % 3);
        if (random() % 8 == 0 && cluster.pods()[PodId(p)].claims()) trial.Release(PodId(p));
        const bool claims = random() % 3 == 0;
        const Shape& shape = cluster.shapes()[cluster.pods()[PodId(p)].shape];
        if (random() % 2 == 0 && cluster.pods()[PodId(p)].waits() &&
            Holds(cluster.nodes().free(n), shape.fit)) {
          trial.Put(PodId(p), n, claims ? When::kLater : When::kNow);
        }
        if (random() % 4 == 0) trial.PutExpected(gang, 0, NodeId(1U), When::kNow);
      }
      trial.UndoTo(mark);
      ASSERT_EQ(Columns(cluster), at_mark);
      // A few stay, so that the rounds begin in different states.
      if (round % 100 == 99) trial.Commit();
    }
    if (round % 100 == 99) continue;
    ASSERT_EQ(Columns(cluster), before) << "round " << round;
  }
}

}  // namespace
}  // namespace fairlead::state
