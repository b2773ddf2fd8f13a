#include "bench/backfill/figures.h"

#include <gmock/gmock.h>

#include "bench/backfill/models.h"
#include "bench/backfill/policies.h"
#include "bench/backfill/product.h"

namespace fairlead::bench {
namespace {

// 4 processors. The third waits from 10 to 50, and the tenth of three jobs is the largest one.
//
//   job  submitted  processors  run  start  end  waiting  slowdown
//   1    0          2           5    0      5    0        max(1, 5/10)   = 1
//   2    0          1           50   0      50   0        max(1, 50/50)  = 1
//   3    10         4           20   50     70   40       60/20          = 3
Log Small() {
  return {.nodes = 4,
          .jobs = {{.number = 1, .submit = 0, .run = 5, .limit = 5, .processors = 2},
                   {.number = 2, .submit = 0, .run = 50, .limit = 50, .processors = 1},
                   {.number = 3, .submit = 10, .run = 20, .limit = 20, .processors = 4}}};
}

TEST(LogFigures, AreComputedByHand) {
  const LogFigures figures = FiguresOf(Small(), RunOfStarts(Small(), {0, 0, 50}));
  EXPECT_DOUBLE_EQ(figures.waiting_mean, 40.0 / 3);
  EXPECT_DOUBLE_EQ(figures.waiting_p95, 40);
  EXPECT_DOUBLE_EQ(figures.slowdown, 5.0 / 3);
  EXPECT_DOUBLE_EQ(figures.large_waiting_p99, 40);
  // Until the last submission, at 10: 2 × 5 + 1 × 10 of 4 × 10.
  EXPECT_DOUBLE_EQ(figures.utilisation, 50);
  EXPECT_DOUBLE_EQ(figures.delay_mean, 40.0 / 3);
}

// The third was stopped at 60 and begun again: what that took is delay, not waiting.
TEST(LogFigures, WhatIsStoppedIsDelayed) {
  LogRun run = RunOfStarts(Small(), {0, 0, 50});
  run.jobs[2].end = 85;
  const LogFigures figures = FiguresOf(Small(), run);
  EXPECT_DOUBLE_EQ(figures.waiting_mean, 40.0 / 3);
  EXPECT_DOUBLE_EQ(figures.delay_mean, 55.0 / 3);
}

TEST(LogFigures, PercentilesAreRanks) {
  EXPECT_EQ(Percentile({3, 1, 2, 4}, 50), 2);
  EXPECT_EQ(Percentile({3, 1, 2, 4}, 51), 3);
  EXPECT_EQ(Percentile({3, 1, 2, 4}, 99), 4);
  EXPECT_EQ(Percentile({}, 99), 0);
}

TEST(GangFigures, CountWhoStartedInTime) {
  Log log = Small();
  log.jobs[0].queue = log.jobs[2].queue = kGangQueue;
  const GangFigures figures = GangFiguresOf(log, RunOfStarts(log, {0, 0, 50}));
  EXPECT_EQ(figures.gangs, 2);
  EXPECT_EQ(figures.started, 1);
  EXPECT_EQ(figures.gang_waiting_max, 40);
  EXPECT_EQ(figures.small_waiting_mean, 0);
}

// Where nobody waits all policies are alike, and the product is one of them: on a machine of 128
// nodes of one core, some of the jobs as gangs.
TEST(Product, RunsALogAsThePoliciesDo) {
  const Log log = LublinLog({.seed = 5, .jobs = 200, .load_percent = 5});
  objects::SchedulerConfiguration no_reservations;
  no_reservations.backfill.reservations = 0;
  const Result<LogRun> run = RunProduct(log, {.objects = {no_reservations}});
  ASSERT_TRUE(run) << run.error().message;
  const LogRun expected = RunOfStarts(log, StartsOf(Policy::kGreedy, log));
  EXPECT_DOUBLE_EQ(FiguresOf(log, *run).waiting_mean, FiguresOf(log, expected).waiting_mean);
  EXPECT_DOUBLE_EQ(FiguresOf(log, *run).utilisation, FiguresOf(log, expected).utilisation);
}

TEST(Product, AnotherFileIsRefused) {
  EXPECT_FALSE(ReadConfigured("examples/quickstart"));
  EXPECT_FALSE(ReadConfigured("all=examples/quickstart"));
  const Result<Configured> queues = ReadConfigured("queue=examples/quickstart/queue.yaml");
  ASSERT_TRUE(queues) << queues.error().message;
  EXPECT_EQ(queues->name, "queue");
  EXPECT_EQ(queues->objects.size(), 1U);
}

}  // namespace
}  // namespace fairlead::bench
