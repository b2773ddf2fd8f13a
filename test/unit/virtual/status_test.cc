// What the virtual cluster writes into the status of Workloads, and what it leaves out.

#include <gmock/gmock.h>

#include "base/quantity.h"
#include "state/cluster.h"
#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

std::string Train(std::string_view pod_set, std::string_view more = "") {
  return Object("fairlead.dev/v1alpha1", "Workload", "train", "namespace: a",
                "queueName: vision, podSets: [{" + std::string(pod_set) + ", template: " +
                    Template("1", "fairlead.dev/run-duration: 100s") + "}]" + std::string(more));
}

// "start=5 preempt=65 reclaim=-", in seconds after the start of the cluster.
std::string StatusOf(const Simulated& run) {
  const auto* object = run.cluster.Find("Workload", "a", "train");
  if (object == nullptr) return "gone";
  const auto& workload = std::get<objects::Workload>(*object);
  const auto text = [](const std::optional<Time>& time) {
    return time ? std::to_string((*time - Begin()).WholeSeconds()) : std::string("-");
  };
  return "start=" + text(workload.start_time) +
         " preempt=" + text(workload.preempt_protected_until) +
         " reclaim=" + text(workload.reclaim_protected_until);
}

TEST(ProtectedUntil, FollowsTheStartTheQueuesAndTheConfiguration) {
  Simulated run(Queue("research", "reclaimMinRuntime: 30m") +
                Queue("vision", "parent: research, preemptMinRuntime: 60s, reclaimMinRuntime: 0s") +
                Train("count: 2"));
  run.Until(5);
  EXPECT_EQ(StatusOf(run), "start=- preempt=- reclaim=-");
  run.Submit(Node("n1", "cpu: 8"));
  run.Until(6);
  // Within research nothing protects it from reclaim; from without, 30 minutes do.
  EXPECT_EQ(StatusOf(run), "start=5 preempt=65 reclaim=1805");
  run.Submit(Queue("research", "reclaimMinRuntime: 10s"));
  run.Until(7);
  EXPECT_EQ(StatusOf(run), "start=5 preempt=65 reclaim=15");
  run.Submit(
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, "
      "minRuntime: {reclaimResolve: queue}}\n---\n" +
      Queue("vision", "parent: research, preemptMinRuntime: 0s, reclaimMinRuntime: 90s"));
  run.Until(8);
  EXPECT_EQ(StatusOf(run), "start=5 preempt=- reclaim=95");
  ASSERT_TRUE(run.cluster.Delete("Queue", "", "vision"));
  run.Until(9);
  EXPECT_EQ(StatusOf(run), "start=5 preempt=- reclaim=15") << "it inherits on";
}

TEST(ProtectedUntil, IsKeptWhenSubmittedAgainAndClearedOnAStop) {
  const std::string queue = Queue("vision", "preemptMinRuntime: 60s");
  Simulated run(Node("n1", "cpu: 8") + queue + Train("count: 1"));
  run.Until(5);
  EXPECT_EQ(StatusOf(run), "start=0 preempt=60 reclaim=-");
  run.Submit(Train("count: 1"));
  run.Until(6);
  EXPECT_EQ(StatusOf(run), "start=0 preempt=60 reclaim=-");
  // Its only pod goes, and its node takes nobody any more.
  run.Submit(Node("n1", "cpu: 8", "", "unschedulable: true"));
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "train-main-0"));
  run.Until(10);
  EXPECT_EQ(StatusOf(run), "start=- preempt=- reclaim=-");
  run.Submit(Node("n1", "cpu: 8"));
  run.Until(12);
  EXPECT_EQ(StatusOf(run), "start=10 preempt=70 reclaim=-");
}

TEST(ProtectedUntil, WhatIsSubmittedDoesNotCount) {
  Simulated run(Queue("vision", "preemptMinRuntime: 60s") +
                Object("fairlead.dev/v1alpha1", "Workload", "train", "namespace: a",
                       "queueName: vision, podSets: [{count: 1}]}, status: {protectedUntil: "
                       "{preempt: \"2030-01-01T00:00:00Z\", reclaim: \"2030-01-01T00:00:00Z\"}"));
  run.Until(5);
  EXPECT_EQ(StatusOf(run), "start=- preempt=- reclaim=-");
}

// A core, work of `vision` on it, which others may stop; what they stopped is protected for a
// minute.
Simulated Lent(const std::string& work) {
  return Simulated(
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, "
      "reclaim: {repeatProtection: 60s}}\n---\n" +
      Node("n1", "cpu: 1") + Queue("sure", "guaranteed: {cpu: 1}") + Queue("vision", "") + work);
}

// It has a right to the core, for ten seconds.
std::string Sure(std::string_view name) {
  return Pod(name, "1",
             "labels: {fairlead.dev/queue: sure}, annotations: {fairlead.dev/run-duration: 10s}");
}

// One pod of a core, and for longer than any of these tests takes.
std::string Made(std::string_view api_version, std::string_view kind, std::string_view more = "") {
  return Object(
      api_version, kind, "sweep", "namespace: a, labels: {fairlead.dev/queue: vision}",
      std::string(more) + "template: " + Template("1", "fairlead.dev/run-duration: 1000s"));
}

const std::string* StopsOf(const Simulated& run, std::string_view kind) {
  const auto* made = run.cluster.Find(kind, "a", "sweep");
  return objects::FindLabel(objects::MetaOf(*made).annotations, "fairlead.dev/stops");
}

TEST(Stops, ProtectFromTheNextStartOn) {
  Simulated run = Lent(Train("count: 1"));
  run.Until(5);
  EXPECT_EQ(StatusOf(run), "start=0 preempt=- reclaim=-");
  run.Submit(Sure("one"));
  run.Until(10);
  const auto& train = std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "train"));
  EXPECT_EQ(train.stops, 1);
  run.Until(20);
  EXPECT_EQ(StatusOf(run), "start=15 preempt=- reclaim=75");
  run.Submit(Sure("two"));
  run.Until(74);
  EXPECT_EQ(StatusOf(run), "start=15 preempt=- reclaim=75");
  run.Until(76);
  EXPECT_EQ(StatusOf(run), "start=- preempt=- reclaim=-");
}

// A job's pod is a workload of its own, and another one comes in its place.
TEST(Stops, OfPodsAreCountedOnTheirJob) {
  Simulated run = Lent(Made("batch/v1", "Job"));
  run.Until(5);
  run.Submit(Sure("one"));
  run.Until(20);
  const std::string* stops = StopsOf(run, "Job");
  ASSERT_NE(stops, nullptr);
  EXPECT_EQ(*stops, "1");
  run.Submit(Sure("two"));
  run.Until(74);
  EXPECT_THAT(run.Pods(), testing::Contains("a/two Pending"));
  run.Until(80);
  EXPECT_THAT(run.Pods(), testing::Contains("a/two Running n1"));
}

// Its pods wait themselves: nothing of it is ever written.
TEST(Stops, AreNotCountedOnAStatefulSet) {
  Simulated run = Lent(Made("apps/v1", "StatefulSet", "replicas: 1, "));
  run.Until(5);
  ASSERT_THAT(run.Pods(), testing::ElementsAre("a/sweep-0 Running n1"));
  run.Submit(Sure("one"));
  run.Until(10);
  EXPECT_THAT(run.Pods(), testing::Contains("a/one Running n1"));
  EXPECT_EQ(StopsOf(run, "StatefulSet"), nullptr);
}

TEST(DisruptionBudgets, KeepNoStatus) {
  Simulated run(Object("policy/v1", "PodDisruptionBudget", "b", "namespace: a",
                       "selector: {}, maxUnavailable: 1}, status: {disruptionsAllowed: 5"));
  run.Until(1);
  const auto& budget =
      std::get<objects::PodDisruptionBudget>(*run.cluster.Find("PodDisruptionBudget", "a", "b"));
  EXPECT_EQ(budget.disruptions_allowed, std::nullopt);
  const state::BudgetTable& budgets = run.cluster.scheduler().cluster().budgets();
  const state::BudgetId b = budgets.Find("a/b");
  ASSERT_TRUE(b.valid());
  EXPECT_EQ(budgets[b].status_allowed, std::nullopt);
}

constexpr std::string_view kQuotaApi = "scheduling.x-k8s.io/v1alpha1";

std::string Quota(std::string_view name, std::string_view spec, std::string_view meta = "") {
  return Object(kQuotaApi, "ElasticQuota", name, "namespace: a" + std::string(meta), spec);
}

// "used cpu=1; InEffect since 0s".
std::string QuotaStatus(const Simulated& run, std::string_view name = "q") {
  const auto& quota = std::get<objects::ElasticQuota>(*run.cluster.Find("ElasticQuota", "a", name));
  std::string text = "used";
  for (const auto& [resource, amount] : quota.used) {
    text += " " + resource + "=" + FormatResource(resource, amount);
  }
  for (const objects::Condition& condition : quota.conditions) {
    text += "; " + condition.type + (condition.holds ? "" : "=False") + " since " +
            FormatDuration(*condition.since - Begin());
  }
  return text;
}

TEST(ElasticQuotas, ShowWhatIsUsed) {
  Simulated run(Node("n1", "cpu: 4") + Quota("q", "min: {cpu: 2}}, status: {used: {cpu: 77}") +
                Pod("p", "1", "annotations: {fairlead.dev/run-duration: 10s}") + Pod("r", "1"));
  run.Until(5);
  EXPECT_EQ(QuotaStatus(run), "used cpu=2; InEffect since 0s");
  run.Until(15);
  EXPECT_EQ(QuotaStatus(run), "used cpu=1; InEffect since 0s");
  run.Submit(Quota("q", "min: {cpu: 2}, max: {cpu: 1}"));
  run.lines.Take();
  EXPECT_THAT(run.Until(20), testing::ElementsAre("15s Warn ElasticQuota a/q MinAboveMax"));
  EXPECT_EQ(QuotaStatus(run), "used cpu=1; InEffect since 0s; MinAboveMax since 15s");
}

TEST(ElasticQuotas, TheSecondOfANamespaceSaysSo) {
  Simulated run(Quota("q", "min: {cpu: 2}"));
  run.Until(5);
  run.Submit(Quota("early", "min: {cpu: 3}", ", creationTimestamp: \"2025-01-01T00:00:00Z\""));
  run.Until(10);
  EXPECT_EQ(QuotaStatus(run, "early"), "used cpu=0; InEffect since 5s");
  EXPECT_EQ(QuotaStatus(run), "used; InEffect=False since 5s");
  ASSERT_TRUE(run.cluster.Delete("ElasticQuota", "a", "early"));
  run.Until(15);
  EXPECT_EQ(QuotaStatus(run), "used cpu=0; InEffect since 10s");
}

TEST(WorkloadConditions, TellALife) {
  Simulated run(Node("n1", "cpu: 8") + Queue("vision", "") + Train("count: 2"));
  const auto shown = [&] {
    std::string text;
    const auto& object = *run.cluster.Find("Workload", "a", "train");
    for (const objects::Condition& each : std::get<objects::Workload>(object).conditions) {
      text += " " + each.type + (each.holds ? "" : "!") + "@" +
              std::to_string((*each.since - Begin()).WholeSeconds()) + " " + each.reason + " " +
              each.message + ";";
    }
    return text;
  };
  run.Until(5);
  EXPECT_EQ(shown(), " Admitted@0 Admitted admitted main: 2; Running@0 MinimumPlaced ;");
  run.Until(200);
  EXPECT_EQ(shown(),
            " Admitted@0 Admitted admitted main: 2; Running!@100 PodsSucceeded ;"
            " Finished@100 PodsSucceeded ;");
}

// Both pods of `once` end at one moment, and it is complete in the same one; `twice` runs one pod
// after the other.
TEST(WorkloadConditions, TellTheEndOfAJob) {
  const auto job = [](std::string_view name, std::string_view counts) {
    return Object("batch/v1", "Job", name, "namespace: a, labels: {fairlead.dev/queue: vision}",
                  "suspend: true, " + std::string(counts) +
                      ", template: " + Template("1", "fairlead.dev/run-duration: 100s"));
  };
  Simulated run(Node("n1", "cpu: 8") + Queue("vision", "preemptMinRuntime: 60s") +
                job("once", "parallelism: 2, completions: 2") +
                job("twice", "parallelism: 1, completions: 2"));
  const auto shown = [&](std::string_view name) {
    const auto& workload =
        std::get<objects::Workload>(*run.cluster.Find("Workload", "a", std::string(name)));
    std::string text =
        workload.start_time ? std::to_string((*workload.start_time - Begin()).WholeSeconds()) : "-";
    for (const objects::Condition& each : workload.conditions) {
      text += "; " + each.type + (each.holds ? "" : "!") + "@" +
              std::to_string((*each.since - Begin()).WholeSeconds()) + " " + each.reason;
    }
    return text;
  };
  run.Until(150);
  EXPECT_EQ(shown("once"),
            "0; Admitted@0 Admitted; Running!@100 JobFinished; Finished@100 JobFinished");
  EXPECT_THAT(shown("twice"), testing::HasSubstr("Running@"));
  run.ToIdle();
  EXPECT_THAT(shown("twice"),
              testing::EndsWith("Running!@200 JobFinished; Finished@200 JobFinished"));
}

TEST(DisruptionTarget, SaysWhyAPodHasToGo) {
  Simulated run(Queue("low", "") + Queue("high", "guaranteed: {cpu: 2}") + Node("n1", "cpu: 2") +
                    Pod("lives", "2", "labels: {fairlead.dev/queue: low}"),
                {.grace = Duration::Seconds(30)});
  run.Until(5);
  const auto shown = [&] {
    const auto& pod = std::get<objects::Pod>(*run.cluster.Find("Pod", "a", "lives"));
    return pod.disruption_target;
  };
  EXPECT_FALSE(shown());
  run.Submit(Pod("owns", "2", "labels: {fairlead.dev/queue: high}"));
  run.Until(10);
  ASSERT_TRUE(shown()) << "it has 30 s to end";
  EXPECT_EQ(shown()->type, "DisruptionTarget");
  EXPECT_EQ(shown()->since, Begin() + Duration::Seconds(5));
  EXPECT_THAT(shown()->message, testing::HasSubstr("Reclaim for a/owns"));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
