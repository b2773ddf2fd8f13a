// Small random clusters with pods that demand something of other pods, decided by intake and engine
// and by a reference (demand_world.h).

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/audit/audit.h"
#include "engine/scheduler.h"
#include "intake/intake.h"
#include "policy/dynamic_demand.h"
#include "policy/node_fit.h"
#include "unit/drive/demand_world.h"
#include "unit/engine/soak.h"

namespace fairlead::drive {
namespace {

using engine::DecisionType;

constexpr Time kMoment{1'767'225'660'000'000};  // 2026-01-01T00:01:00Z

// The scheduler once it knows the world, objects in an order of its own.
void Learn(const DemandWorld& world, std::uint64_t seed, engine::Scheduler& scheduler) {
  intake::Intake intake;
  std::vector<objects::Object> objects = world.Objects();
  Random random(seed);
  for (std::size_t i = objects.size(); i > 1; --i) {
    std::swap(objects[i - 1], objects[static_cast<std::size_t>(random.Below(i))]);
  }
  for (const objects::Object& object : objects) intake.Upsert(object, kMoment);
  scheduler.Apply(intake.TakeChanges());
}

int IndexOf(const std::string& name) { return std::stoi(name.substr(name.size() - 1)); }

// What the plan does to the pods of the world.
struct Outcome {
  std::vector<std::pair<int, int>> bound;  // a pod that waits, and its node, in order
  std::uint32_t evicted = 0;               // of those that run
  bool nominated = false;
  bool proven = true;
};

Outcome OutcomeOf(const DemandWorld& world, const engine::Scheduler& scheduler,
                  const engine::Plan& plan) {
  Outcome outcome;
  const state::Cluster& cluster = scheduler.cluster();
  for (const engine::Decision& decision : plan.decisions) {
    if (decision.type == DecisionType::kBind) {
      outcome.bound.emplace_back(IndexOf(std::string(cluster.pods().name(decision.pod))),
                                 IndexOf(cluster.nodes().name(decision.node)));
    }
    outcome.nominated |= decision.type == DecisionType::kNominate && decision.node.valid();
    if (decision.type != DecisionType::kEvict) continue;
    outcome.proven &= decision.least_proven;
    for (std::size_t p = 0; p < world.running.size(); ++p) {
      const DemandWorld::Pod& pod = world.running[p];
      if (pod.name_space + "/" + pod.name == cluster.pods().name(decision.pod)) {
        outcome.evicted |= 1U << p;
      }
    }
  }
  return outcome;
}

std::vector<std::string> NodesNow(const engine::Scheduler& scheduler, const std::string& pod) {
  const state::Cluster& cluster = scheduler.cluster();
  const state::PodId p = cluster.pods().Find(pod);
  const state::Shape& shape = cluster.shapes()[cluster.pods()[p].shape];
  std::vector<std::string> nodes;
  for (const state::NodeId n : cluster.nodes().by_name()) {
    if (cluster.nodes().exists(n) && policy::FitsClass(cluster, shape, n) &&
        state::Holds(cluster.nodes().free(n), shape.fit) &&
        policy::OthersAllow(cluster, shape, n, state::When::kNow)) {
      nodes.push_back(cluster.nodes().name(n));
    }
  }
  return nodes;
}

template <typename Judge>
void ForEachWorld(WorldKind kind, std::uint64_t worlds, Judge judge) {
  const auto [first, last] = engine::SeedsOf(worlds);
  int failed = 0;
  for (std::uint64_t seed = first; seed <= last && failed < 3; ++seed) {
    const DemandWorld world = MakeWorld(seed, kind);
    engine::Scheduler scheduler;
    Learn(world, seed, scheduler);
    scheduler.Settle();
    const std::string fault = judge(world, scheduler);
    if (fault.empty()) continue;
    ++failed;
    ADD_FAILURE() << "seed " << seed << ": " << fault << "\n" << world.Told();
  }
}

std::string AuditOf(const engine::Scheduler& scheduler, const engine::Plan& plan) {
  const std::vector<std::string> faults = engine::Audit(scheduler, plan);
  return faults.empty() ? "" : "audit: " + faults.front();
}

TEST(DemandWorlds, OnePod) {
  std::map<std::size_t, int> fitting;
  std::map<objects::PreferenceOrder, int> by_preference;
  ForEachWorld(WorldKind::kOnePod, 20'000,
               [&](const DemandWorld& world, engine::Scheduler& scheduler) -> std::string {
                 const DemandReference reference(world);
                 const std::vector<std::string> expected = reference.NodesNow();
                 const std::vector<std::string> nodes = NodesNow(scheduler, "a/w0");
                 ++fitting[expected.size()];
                 if (nodes != expected) {
                   return fmt::format("fits {}, expected {}", fmt::join(nodes, " "),
                                      fmt::join(expected, " "));
                 }
                 const engine::Plan plan = scheduler.Round(kMoment);
                 const Outcome outcome = OutcomeOf(world, scheduler, plan);
                 if (outcome.bound.empty() != expected.empty())
                   return "bound where it must not be, or not";
                 if (!reference.Keeps(outcome.bound)) return "bound to a node that does not fit";
                 const std::string best = reference.BestNow(world.order);
                 if (best != reference.BestNow(objects::PreferenceOrder::kOff)) {
                   ++by_preference[world.order];
                 }
                 if (!best.empty() && IndexOf(best) != outcome.bound.front().second) {
                   return fmt::format("bound to n{}, the best is {}", outcome.bound.front().second,
                                      best);
                 }
                 return AuditOf(scheduler, plan);
               });
  if (HasFailure()) return;
  for (const std::size_t nodes : {0U, 1U, 2U, 3U})
    EXPECT_GT(fitting[nodes], engine::Enough(200)) << nodes;
  EXPECT_GT(by_preference[objects::PreferenceOrder::kFirst], engine::Enough(1000));
  EXPECT_GT(by_preference[objects::PreferenceOrder::kTie], engine::Enough(30));
}

TEST(DemandWorlds, Gangs) {
  int placed = 0, none = 0;
  ForEachWorld(WorldKind::kGang, 6'000,
               [&](const DemandWorld& world, engine::Scheduler& scheduler) -> std::string {
                 const DemandReference reference(world);
                 const bool fits = reference.FitsNow();
                 ++(fits ? placed : none);
                 const engine::Plan plan = scheduler.Round(kMoment);
                 const Outcome outcome = OutcomeOf(world, scheduler, plan);
                 if (!fits)
                   return outcome.bound.empty() ? "" : "bound, and nothing keeps the rules";
                 if (outcome.bound.size() != world.waiting.size())
                   return "it fits, and is not bound";
                 if (!reference.Keeps(outcome.bound)) return "bound against the rules";
                 return AuditOf(scheduler, plan);
               });
  if (HasFailure()) return;
  EXPECT_GT(placed, engine::Enough(500));
  EXPECT_GT(none, engine::Enough(500));
}

std::string JudgeVictims(const DemandWorld& world, engine::Scheduler& scheduler, int& evicting,
                         int& unproven) {
  const DemandReference reference(world);
  const engine::Plan plan = scheduler.Round(kMoment);
  const Outcome outcome = OutcomeOf(world, scheduler, plan);
  if (const std::string fault = AuditOf(scheduler, plan); !fault.empty()) return fault;
  if (reference.FitsNow()) {
    if (outcome.evicted != 0) return "somebody goes, and it fits now";
    return reference.Keeps(outcome.bound) && !outcome.bound.empty() ? "" : "it fits now";
  }
  if (reference.FitsLater(0)) return outcome.evicted == 0 ? "" : "what leaves is enough";
  const auto least = reference.LeastHarm();
  if (outcome.evicted == 0) return least ? "others could make room, and nobody goes" : "";
  ++evicting;
  if (!reference.FitsLater(outcome.evicted)) return "who goes does not make room";
  if (!outcome.proven) {
    ++unproven;
    return "";
  }
  return reference.CostOf(outcome.evicted) == *least ? "" : "proven, and less would do";
}

TEST(DemandWorlds, FewVictims) {
  int evicting = 0, unproven = 0;
  ForEachWorld(WorldKind::kVictims, 6'000,
               [&](const DemandWorld& world, engine::Scheduler& scheduler) -> std::string {
                 return JudgeVictims(world, scheduler, evicting, unproven);
               });
  if (HasFailure()) return;
  EXPECT_GT(evicting, engine::Enough(300));
  EXPECT_EQ(unproven, 0);
}

TEST(DemandWorlds, ManyVictims) {
  int evicting = 0, unproven = 0;
  ForEachWorld(WorldKind::kManyVictims, 1'500,
               [&](const DemandWorld& world, engine::Scheduler& scheduler) -> std::string {
                 return JudgeVictims(world, scheduler, evicting, unproven);
               });
  if (HasFailure()) return;
  EXPECT_GT(evicting, engine::Enough(100));
  EXPECT_LT(unproven, evicting / 2);
}

}  // namespace
}  // namespace fairlead::drive
