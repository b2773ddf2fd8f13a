// Jobs come and go of which each asks something of its own: what is kept for them goes, too, and
// those who stay are decided on as before.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/round/round.h"
#include "engine/scheduler.h"
#include "unit/base/at.h"

namespace fairlead::engine {
namespace {

// A host port of its own, a label key that only it selects by, and a time of its own that it runs.
state::PodChange JobOf(int i, const std::string& node) {
  objects::PodNeeds needs;
  needs.request = {{"cpu", 1000}};
  needs.host_ports = {{.protocol = "TCP", .ip = "", .port = 1000 + i}};
  needs.required_terms = {
      {.labels = {{.key = fmt::format("k{}", i), .op = objects::Operator::kDoesNotExist}},
       .fields = {}}};
  needs.has_required_terms = true;
  state::PodChange pod{.name = fmt::format("s/job-{}", i),
                       .uid = Uid(fmt::format("u{}", i)),
                       .needs = std::make_shared<const objects::PodNeeds>(std::move(needs)),
                       .node = node};
  pod.state = node.empty() ? state::PodState::kPending : state::PodState::kBound;
  pod.created = At(i);
  pod.solo.emplace();
  pod.solo->queue = "a";
  pod.solo->created = At(i);
  pod.solo->run_time.Edit().limit = Duration::Seconds(60 + i);
  return pod;
}

TEST(SweepTest, WhatNobodyAsksAnyMoreIsForgotten) {
  constexpr int kMade = 2'000, kAtOnce = 20;
  Scheduler scheduler;
  scheduler.SweepAfter(50);
  state::NodeChange node{.name = "n1"};
  node.allocatable = {{"cpu", 10'000}, {"pods", 110}};
  scheduler.Apply(std::vector<state::Change>{node, state::QueueChange{.name = "a"}});
  const state::Cluster& cluster = scheduler.cluster();
  for (int i = 0; i < kMade; ++i) {
    std::vector<state::Change> changes;
    if (i >= kAtOnce) {
      changes.emplace_back(state::Removal{.kind = state::RowKind::kPod,
                                          .name = fmt::format("s/job-{}", i - kAtOnce)});
    }
    changes.emplace_back(JobOf(i, ""));
    scheduler.Apply(changes);
    const Plan plan = scheduler.Round(At(i));
    // Ten run and ten wait: whose room comes free is had by who has waited the longest.
    ASSERT_EQ(!plan.decisions.empty(), i < 10 || i >= kAtOnce) << i;
    for (const Decision& decision : plan.decisions) {
      if (decision.type != DecisionType::kBind) continue;
      ASSERT_EQ(cluster.pods().name(decision.pod), fmt::format("s/job-{}", i < 10 ? i : i - 10));
      scheduler.Apply(std::vector<state::Change>{JobOf(i < 10 ? i : i - 10, "n1")});
    }
  }
  EXPECT_GT(cluster.shapes().sweeps(), 10U);
  EXPECT_LT(cluster.shapes().size(), 200U);
  EXPECT_LT(cluster.shapes().selected_keys().size(), 200U);
  EXPECT_LT(cluster.terms().size(), 400U);
}

}  // namespace
}  // namespace fairlead::engine
