// Random clusters in which DaemonSets' pods come and go among work that gives way for other reasons
// as well: each lives through rounds in which anything happens, and then through rounds in which
// nothing does but what the plans say. A newcomer to whom reservations are shown decides the same;
// nobody is placed into the room that a reserved node lacks; all becomes quiet, and then no
// DaemonSet's pod waits that could have its node.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "policy/daemon_set.h"
#include "policy/limits.h"
#include "policy/node_fit.h"
#include "state/cluster.h"
#include "unit/engine/random_life.h"
#include "unit/engine/soak.h"

namespace fairlead::engine {
namespace {

using state::NodeId;
using state::PodId;

class LifeOfDaemonSets : public RandomLife {
 public:
  explicit LifeOfDaemonSets(std::uint64_t seed) : RandomLife(seed, Kind::kDaemonSets) {}

 private:
  void BeforeRound() override { reserved_ = Reserved(); }
  void AfterRound(const Plan& plan, bool /*busy*/) override { ExpectRoomIsHeld(reserved_, plan); }
  void AtRest() override { ExpectNobodyWaitsInVain(); }
  bool IsComparable(const Plan& plan) const override {
    return world_.shows_reservations() && !RemembersMore(plan);
  }
  bool Counts(const Decision& eviction) const override {
    return eviction.action == policy::RoomAction::kDaemonSet;
  }

  // A newcomer takes the pod's creation for the time at which its node was found full.
  bool RemembersMore(const Plan& plan) const {
    return std::ranges::any_of(plan.decisions, [&](const Decision& d) {
      return d.type == DecisionType::kReserve &&
             d.since != scheduler_.cluster().pods()[d.pod].created;
    });
  }

  // The pods that hold a reserved node, with it.
  std::vector<std::pair<PodId, NodeId>> Reserved() const {
    const state::Cluster& cluster = scheduler_.cluster();
    std::vector<std::pair<PodId, NodeId>> reserved;
    for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
      const state::Pod& pod = cluster.pods()[PodId(i)];
      if (!pod.in_use || !pod.claims()) continue;
      const NodeId n = policy::PinnedTo(cluster, PodId(i));
      if (n.valid()) reserved.emplace_back(i, n);
    }
    return reserved;
  }

  // Nobody else is placed where a reserved node lacks room.
  void ExpectRoomIsHeld(const std::vector<std::pair<PodId, NodeId>>& reserved,
                        const Plan& plan) const {
    const state::Cluster& cluster = scheduler_.cluster();
    const std::vector<std::pair<PodId, NodeId>> after = Reserved();
    for (const auto& [holder, n] : reserved) {
      const NodeId node = n;
      auto is_there = [&](const auto& other) { return other.second == node; };
      // Who came in between, and is first, may have what was not lacking until then.
      if (!std::ranges::all_of(after, [&](const auto& other) {
            return !is_there(other) || std::ranges::count(reserved, other) > 0;
          })) {
        continue;
      }
      if (!cluster.pods()[holder].claims() || cluster.pods()[holder].node != n) continue;
      if (std::ranges::any_of(plan.decisions, [&](const Decision& decision) {
            return decision.type == DecisionType::kBind && decision.node == node &&
                   policy::PinnedTo(cluster, decision.pod) == node;
          })) {
        continue;
      }
      const state::Shape& wants = cluster.shapes()[cluster.pods()[holder].shape];
      for (const Decision& decision : plan.decisions) {
        const bool places =
            decision.type == DecisionType::kBind || decision.type == DecisionType::kNominate;
        if (!places || decision.node != n) continue;
        if (policy::PinnedTo(cluster, decision.pod) == n) continue;
        const state::Shape& taken = cluster.shapes()[cluster.pods()[decision.pod].shape];
        for (const state::Amount& asked : taken.fit) {
          if (state::AmountOf(wants.fit, asked.resource) == 0) continue;
          EXPECT_GE(cluster.nodes().later(n)[asked.resource.value()], 0)
              << cluster.pods().name(decision.pod) << " is placed into what "
              << cluster.pods().name(holder) << " lacks";
        }
      }
    }
  }

  void ExpectNobodyWaitsInVain() const {
    const state::Cluster& cluster = scheduler_.cluster();
    std::set<NodeId> nodes;
    for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
      const state::Pod& pod = cluster.pods()[PodId(i)];
      const bool waits = pod.in_use && (pod.waits() || pod.claims());
      const NodeId n = waits ? policy::PinnedTo(cluster, PodId(i)) : NodeId();
      if (n.valid()) nodes.insert(n);
    }
    for (NodeId n : nodes) ExpectIsServed(n);
  }

  // The first that waits for the node could not have it: it does not fit into what is free, and,
  // where "multiple" is allowed many, not even once all have gone whom nothing keeps.
  void ExpectIsServed(NodeId n) const {
    const state::Cluster& cluster = scheduler_.cluster();
    PodId first;
    for (std::uint32_t i = 0; i < cluster.pods().size(); ++i) {
      const PodId p(i);
      const state::Pod& pod = cluster.pods()[p];
      if (!pod.in_use || !(pod.waits() || pod.claims()) || policy::PinnedTo(cluster, p) != n) {
        continue;
      }
      if (!first.valid() || policy::WaitsBefore(cluster, p, first)) first = p;
    }
    if (!cluster.nodes().exists(n) || !MayStart(first)) return;
    const state::Pod& pod = cluster.pods()[first];
    const state::Shape& shape = cluster.shapes()[pod.shape];
    if (!policy::FitsClass(cluster, shape, n)) return;
    const auto& rules = cluster.configuration().daemon_set_preemption;
    const bool many =
        rules.multiple_max_victims >= 16 &&
        std::ranges::count(rules.victim_selection, objects::VictimSelection::kMultiple) > 0 &&
        !cluster.workloads()[pod.workload].never_preempts;
    // Ports and devices are not judged here.
    if (!shape.dynamic->empty() || state::AmountOf(shape.request, state::kGpu) > 0) return;
    for (const bool all_gone : {false, true}) {
      if (all_gone && (!many || rules.respect_min_runtime)) continue;
      bool fits = true;
      for (const state::Amount& asked : shape.request) {
        std::int64_t free = cluster.nodes().allocatable(n)[asked.resource.value()];
        for (PodId q : cluster.nodes().pods(n)) {
          const state::Pod& other = cluster.pods()[q];
          if (other.claims() || (all_gone && MayGo(q, pod.priority))) continue;
          free -= state::AmountOf(cluster.shapes()[other.shape].request, asked.resource);
        }
        fits = fits && asked.amount <= free;
      }
      EXPECT_FALSE(fits) << cluster.pods().name(first) << " could have its node"
                         << (all_gone ? " if others went" : "") << ":" << last_;
    }
  }

  bool MayStart(PodId p) const {
    const state::Cluster& cluster = scheduler_.cluster();
    const state::Workload& workload = cluster.workloads()[cluster.pods()[p].workload];
    const state::QueueTree& queues = cluster.queues();
    const state::Queue& queue = queues[workload.queue];
    if (!workload.open() || !queue.active || queue.health != state::QueueHealth::kReady) {
      return false;
    }
    // One that holds its room counts in its queue already.
    return queue.name == "daemons" && workload.preemptible;
  }

  bool MayGo(PodId q, std::int32_t priority) const {
    const state::Cluster& cluster = scheduler_.cluster();
    const state::Pod& pod = cluster.pods()[q];
    if (pod.foreign || pod.of_daemon_set() || pod.is_static || pod.spared) return false;
    if (!cluster.budgets().Of(q).empty()) return false;
    if (!cluster.nodes().in_service(pod.node)) return false;
    return cluster.workloads()[pod.workload].priority <= priority;
  }

  std::vector<std::pair<PodId, NodeId>> reserved_;  // before the round
};

TEST(RandomDaemonSets, GetTheirNodes) {
  int evictions = 0;
  int restless = 0;
  const Seeds seeds = SeedsOf(300);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    LifeOfDaemonSets life(seed);
    if (!life.Live()) FAIL() << "seed " << seed;
    evictions += life.evictions();
    if (!life.becomes_quiet()) ++restless;
    EXPECT_TRUE(life.becomes_quiet()) << "seed " << seed << life.last_plans();
  }
  RecordProperty("evictions", evictions);
  RecordProperty("restless", restless);
}

}  // namespace
}  // namespace fairlead::engine
