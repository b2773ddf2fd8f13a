#include "effects/protection_book.h"

#include <gmock/gmock.h>

#include "engine/scheduler.h"
#include "unit/base/at.h"

namespace fairlead::effects {
namespace {

using state::Change;
using testing::ElementsAre;
using testing::IsEmpty;

// A scheduler that knows a queue q and its workload a/w of one pod, and the books that follow them.
struct Followed {
  void Apply(const std::vector<Change>& changes) {
    scheduler.Apply(changes);
    scheduler.Round(At(9));
    workloads.Apply(At(0), changes);
    protections.Apply(changes);
    for (const Write& write : workloads.TakeWrites()) {
      if (const auto* set = std::get_if<SetStartTime>(&write)) {
        protections.StartedOrEnded(set->workload);
      }
      if (const auto* end = std::get_if<FinishWorkload>(&write)) {
        protections.StartedOrEnded(end->workload);
      }
    }
  }
  // "a/w preempt 60, reclaim -", in seconds.
  std::vector<std::string> Writes() {
    const auto text = [](const std::optional<Time>& until) {
      return until ? std::to_string(until->us / 1'000'000) : "-";
    };
    std::vector<std::string> lines;
    for (const Write& write : protections.TakeWrites(scheduler.cluster(), workloads)) {
      const auto& set = std::get<SetProtection>(write);
      lines.push_back(set.workload + " preempt " + text(set.preempt) + ", reclaim " +
                      text(set.reclaim));
    }
    return lines;
  }

  engine::Scheduler scheduler;
  WorkloadBook workloads;
  ProtectionBook protections;
};

Change Queue(std::int64_t protected_s) {
  state::QueueChange change;
  change.name = "q";
  change.preempt_min_runtime = Duration::Seconds(protected_s);
  return change;
}

Change Workload(std::int32_t priority = 0) {
  state::WorkloadChange change;
  change.name = "a/w";
  change.traits.queue = "q";
  change.traits.priority = priority;
  change.pod_sets.push_back(
      {.name = "main", .count = 1, .min_count = 1, .expected_needs = nullptr});
  return change;
}

Change Pod() {
  state::PodChange change;
  change.name = "a/w-0";
  change.needs = std::make_shared<objects::PodNeeds>();
  change.workload = "a/w";
  change.state = state::PodState::kBound;
  change.node = "n";
  change.scheduled_time = At(5);
  return change;
}

Change Node() {
  state::NodeChange change;
  change.name = "n";
  change.allocatable = {{"cpu", 8000}};
  return change;
}

Change Gone() { return state::Removal{.kind = state::RowKind::kPod, .name = "a/w-0"}; }

TEST(ProtectionBook, WritesWhatChanged) {
  Followed followed;
  followed.Apply({Node(), Queue(60), Workload()});
  // The status may have been submitted with something else.
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt -, reclaim -"));
  followed.Apply({Workload(1)});
  EXPECT_THAT(followed.Writes(), IsEmpty());
  followed.Apply({Queue(90)});
  EXPECT_THAT(followed.Writes(), IsEmpty());

  followed.Apply({Pod()});
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt 95, reclaim -"));
  followed.Apply({Workload(2)});
  EXPECT_THAT(followed.Writes(), IsEmpty());
  followed.Apply({Queue(30)});
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt 35, reclaim -"));

  followed.Apply({Gone()});
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt -, reclaim -"));
  followed.Apply({Workload(3)});
  EXPECT_THAT(followed.Writes(), IsEmpty());
}

// It keeps its start, and whoever restarts then says no more of it.
TEST(ProtectionBook, WhatHasEndedIsNotProtected) {
  Followed followed;
  followed.Apply({Node(), Queue(60), Workload(), Pod()});
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt 65, reclaim -"));
  Change over = Workload();
  std::get<state::WorkloadChange>(over).job_is_over = true;
  followed.Apply({over, Gone()});
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt -, reclaim -"));
  followed.Apply({Queue(90)});
  EXPECT_THAT(followed.Writes(), IsEmpty());
}

TEST(ProtectionBook, GivesAgainWhatIsAskedFor) {
  Followed followed;
  followed.Apply({Queue(60), Workload()});
  followed.Writes();
  followed.protections.GiveAgain("a/w");
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt -, reclaim -"));
  // Another of that name: what its status says is not known.
  followed.Apply({state::Removal{.kind = state::RowKind::kWorkload, .name = "a/w"}, Workload()});
  EXPECT_THAT(followed.Writes(), ElementsAre("a/w preempt -, reclaim -"));
}

}  // namespace
}  // namespace fairlead::effects
