#include <random>

#include <gmock/gmock.h>

#include "base/digest.h"
#include "unit/virtual/run.h"

// The same input gives the same events, in whatever order it is submitted.

namespace fairlead::virtual_cluster {
namespace {

// A small cluster with some of everything, of which `seed` decides sizes and times.
std::vector<objects::Object> RandomWorld(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](int n) { return static_cast<int>(random() % n); };
  const auto times = [&] {
    return "fairlead.dev/arrives-at: " + std::to_string(below(60)) +
           "s, fairlead.dev/run-duration: " + std::to_string(below(40)) + "s";
  };
  std::string yaml;
  for (int i = 0; i < 4; ++i) {
    yaml += Node("n" + std::to_string(i), "cpu: " + std::to_string(1 + below(4)), "",
                 below(5) == 0 ? "unschedulable: true" : "");
  }
  for (int i = 0; i < 3; ++i) {
    yaml += Object("fairlead.dev/v1alpha1", "Queue", "q" + std::to_string(i), "",
                   "guaranteed: {cpu: " + std::to_string(below(4)) + "}");
  }
  for (int i = 0; i < 12; ++i) {
    yaml += Pod("p" + std::to_string(i), std::to_string(1 + below(2)),
                "labels: {fairlead.dev/queue: q" + std::to_string(below(3)) + "}, annotations: {" +
                    times() + "}");
  }
  for (int i = 0; i < 4; ++i) {
    yaml += Object(
        "fairlead.dev/v1alpha1", "Workload", "w" + std::to_string(i),
        "namespace: a, annotations: {fairlead.dev/arrives-at: " + std::to_string(below(60)) + "s}",
        "queueName: q" + std::to_string(below(3)) +
            ", resize: " + (below(2) == 0 ? "Anytime" : "AtAdmission") +
            ", podSets: [{name: main, count: 3, minCount: " + std::to_string(1 + below(3)) +
            ", template: " +
            Template("1", "fairlead.dev/run-duration: " + std::to_string(below(40)) + "s") + "}]");
  }
  for (int i = 0; i < 3; ++i) {
    yaml += Object(
        "batch/v1", "Job", "j" + std::to_string(i), "namespace: a",
        "parallelism: " + std::to_string(1 + below(2)) +
            ", completions: " + std::to_string(1 + below(4)) + ", template: " +
            Template("1", "fairlead.dev/run-duration: " + std::to_string(1 + below(9)) + "s"));
  }
  return Read(yaml);
}

struct Outcome {
  std::vector<std::string> events;
  std::string digest;
};

Outcome RunAll(std::vector<objects::Object> objects) {
  Simulated run("");
  EXPECT_TRUE(run.cluster.Submit(std::move(objects)));
  Outcome outcome{.events = run.ToIdle(), .digest = run.cluster.EventDigest()};
  return outcome;
}

class SameRun : public testing::TestWithParam<int> {};

TEST_P(SameRun, WhateverTheOrderOfTheInput) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Outcome first = RunAll(RandomWorld(seed));
  EXPECT_GT(first.events.size(), 30u);
  EXPECT_EQ(RunAll(RandomWorld(seed)).digest, first.digest);
  std::vector<objects::Object> shuffled = RandomWorld(seed);
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(seed));
  const Outcome second = RunAll(std::move(shuffled));
  EXPECT_THAT(second.events, testing::ElementsAreArray(first.events));
  EXPECT_EQ(second.digest, first.digest);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SameRun, testing::Range(1, 41));

TEST(Digest, TellsRunsApart) {
  const std::string node = Node("n1", "cpu: 2");
  EXPECT_NE(RunAll(Read(node + Pod("p", "1"))).digest, RunAll(Read(node + Pod("q", "1"))).digest);
}

// What is stepped, what is run to the end, and what is stopped now and then, is one run.
TEST(Pacing, DoesNotChangeTheRun) {
  const Outcome whole = RunAll(RandomWorld(7));
  Simulated stepped("");
  ASSERT_TRUE(stepped.cluster.Submit(RandomWorld(7)));
  while (stepped.cluster.Step()) {
  }
  EXPECT_EQ(stepped.cluster.EventDigest(), whole.digest);
  Simulated paced("");
  ASSERT_TRUE(paced.cluster.Submit(RandomWorld(7)));
  for (int second = 0; second < 400; second += 7) paced.Until(second);
  EXPECT_EQ(paced.cluster.EventDigest(), whole.digest);
}

}  // namespace
}  // namespace fairlead::virtual_cluster
