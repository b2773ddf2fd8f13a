#include "trace/audited_rounds.h"

#include <iterator>
#include <memory>

#include <gmock/gmock.h>

#include "engine/scheduler.h"
#include "state/cluster.h"

namespace fairlead::trace {
namespace {

using testing::IsEmpty;

// A plan that says to have evicted who runs on, as a scheduler with a fault would.
TEST(AuditedRounds, WhatARoundDidWrongIsTold) {
  engine::Scheduler scheduler;
  objects::PodNeeds needs;
  needs.request = {{"cpu", 1'000}};
  state::PodChange pod{.name = "a/p", .uid = Uid("1")};
  pod.needs = std::make_shared<const objects::PodNeeds>(needs);
  pod.state = state::PodState::kBound;
  pod.node = "n";
  pod.solo = state::WorkloadTraits{.queue = "q"};
  scheduler.Apply({{state::QueueChange{.name = "q"},
                    state::NodeChange{.name = "n", .allocatable = {{"cpu", 4'000}}}, pod}});
  engine::Plan plan = scheduler.Round(Time{});

  AuditedRounds audit;
  audit.OnRound(scheduler, plan);
  EXPECT_THAT(audit.kept(), IsEmpty());
  const state::PodId p = scheduler.cluster().pods().Find("a/p");
  plan.decisions.push_back({.type = engine::DecisionType::kEvict,
                            .pod = p,
                            .node = scheduler.cluster().nodes().Find("n"),
                            .workload = scheduler.cluster().pods()[p].workload,
                            .beneficiary = scheduler.cluster().pods()[p].workload});
  audit.OnRound(scheduler, plan);
  EXPECT_EQ(audit.rounds(), 2);
  EXPECT_EQ(audit.complaints(), std::ssize(audit.kept()));
  EXPECT_THAT(audit.kept(),
              testing::Contains("1970-01-01T00:00:00Z: pod a/p was evicted, and does not leave"));
}

}  // namespace
}  // namespace fairlead::trace
