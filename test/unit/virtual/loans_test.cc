// What the cluster shows of work on loan (time.md §2.3): that it is, for whom and until when, and
// that having to give way then is no stop that counts.

#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::Contains;
using testing::HasSubstr;

const objects::Workload& Train(const Simulated& run) {
  return std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "train"));
}

// n1 has 4 cores; `a` has two of them for ten minutes, and `p` waits for all four.
std::string World() {
  const std::string runs = "annotations: {fairlead.dev/run-duration: 600s}";
  return "apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n"
         "backfill: {after: 1m}\nreclaim: {repeatProtection: 1h}\n---\n" +
         Node("n1", "cpu: 4") + Pod("a", "2", runs, "activeDeadlineSeconds: 600") +
         Pod("p", "4", runs, "activeDeadlineSeconds: 600");
}

std::string TrainObject(std::string_view runs) {
  return Object("fairlead.dev/v1alpha1", "Workload", "train", "namespace: a",
                "expectedDuration: 5m, podSets: [{name: main, count: 1, template: " +
                    Template("2", "fairlead.dev/run-duration: " + std::string(runs)) + "}]");
}

TEST(OnLoan, IsShownAndGivesWayWithoutBeingCounted) {
  Simulated run(World(), {.grace = Duration()});
  run.Until(100);
  run.Submit(TrainObject("2000s"));
  EXPECT_THAT(run.Until(300), Contains(HasSubstr("100s Bind a/train")));
  const objects::Loan loan{.holder = "a/p", .until = Begin() + Duration::Seconds(600)};
  EXPECT_EQ(Train(run).OnLoan(), loan);
  const std::vector<std::string> events = run.Until(700);
  EXPECT_THAT(events, Contains(HasSubstr("n1 Preempt for a/p")));
  EXPECT_THAT(events, Contains("600s Bind a/p n1"));
  EXPECT_EQ(Train(run).OnLoan(), std::nullopt);
  EXPECT_EQ(Train(run).stops, 0);
  EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("1200s Bind a/train"))) << "it waits again";
}

TEST(OnLoan, IsOverWhenItEndsInTime) {
  Simulated run(World(), {.grace = Duration()});
  run.Until(100);
  run.Submit(TrainObject("200s"));
  run.Until(350);
  EXPECT_EQ(Train(run).OnLoan(), std::nullopt);
  EXPECT_THAT(run.Until(700), testing::Not(Contains(HasSubstr("Evict"))));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
