#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "objects/stop_note.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// How long work may run, by itself and by its queue; and what was stopped at that is kept out until
// it is edited.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "a/w 3600 queue lab", "a/w 600", "a/w 60 (Kubernetes)", "a/w hold=Stopped": what is told of
// limits.
class Limits {
 public:
  void Upsert(std::string_view yaml) {
    for (const objects::Object& object : Read(yaml)) intake.Upsert(object, Time{});
  }
  std::vector<std::string> Take() {
    std::vector<std::string> lines;
    for (const state::Change& change : intake.TakeChanges()) {
      if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
        lines.push_back(Line(workload->name, workload->traits));
      } else if (const auto* pod = std::get_if<state::PodChange>(&change); pod && pod->solo) {
        lines.push_back(Line(std::string(pod->name), *pod->solo));
      }
    }
    return lines;
  }
  intake::Intake intake;

 private:
  static std::string Line(const std::string& name, const state::WorkloadTraits& traits) {
    using By = state::OwnLimit::By;
    std::string line = name;
    const state::RunTime& run_time = *traits.run_time;
    if (run_time.limit) line += " " + std::to_string(run_time.limit->WholeSeconds());
    if (const state::RareOwnLimit& own = run_time.own_limit) {
      if (own->after != *run_time.limit) line += "/" + std::to_string(own->after.WholeSeconds());
      if (own->by == By::kQueue) line += " queue " + own->queue;
      if (own->by == By::kQueueDefault) line += " default of " + own->queue;
    } else if (run_time.limit) {
      line += " (Kubernetes)";
    }
    if (run_time.waits_again) line += " again";
    if (traits.hold) line += " hold=" + std::string(ToString(traits.hold->code));
    return line;
  }
};

std::string InQueue(std::string_view spec) {
  return Workload("w", "queueName: low, podSets: [{count: 1}], " + std::string(spec));
}

TEST(RunTimeLimits, TheQueueCapsWhatIsNamedAndSaysItWhereNothingIs) {
  Limits limits;
  limits.Upsert(Queue("top", "maxRunTime: 2h, defaultRunTime: 30m") + Queue("low", "parent: top") +
                InQueue("maxRunTime: 1h"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 3600"));
  limits.Upsert(InQueue("maxRunTime: 3h, onRunTimeLimit: Requeue"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 7200 queue top again"));
  limits.Upsert(InQueue("expectedDuration: 5h"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 1800 default of top"));
  limits.Upsert(Queue("top", "maxRunTime: 10m, defaultRunTime: 30m"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 600 queue top")) << "a default is cut to the cap";
  limits.Upsert(Queue("low", "parent: top, maxRunTime: 4h, defaultRunTime: 1h"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 3600 default of low")) << "the first upwards";
  limits.Upsert(Queue("low", "maxRunTime: 4h"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 14400 queue low")) << "it moved";
  limits.Upsert(Queue("low", "parent: top"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 600 queue top"));
  ASSERT_TRUE(limits.intake.Remove("Queue", "", "top"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w"));
  limits.Upsert(Queue("other", "maxRunTime: 1m"));
  EXPECT_THAT(limits.Take(), IsEmpty());
}

TEST(RunTimeLimits, DeadlinesAreNamedByTheWorkAndKeptByKubernetes) {
  Limits limits;
  const std::string job = "labels: {fairlead.dev/queue: q}, uid: u";
  limits.Upsert(Queue("q", "defaultRunTime: 30m") +
                Job("j", job, "suspend: true, activeDeadlineSeconds: 600"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j 600 (Kubernetes)"));
  limits.Upsert(Queue("q", "defaultRunTime: 30m, maxRunTime: 1h"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j 600/3600 queue q"));
  limits.Upsert(Queue("q", "maxRunTime: 5m"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j 300 queue q"));
}

TEST(RunTimeLimits, PodsHaveThemButThoseThatStayWithTheirNodes) {
  Limits limits;
  limits.Upsert(Queue("q", "maxRunTime: 1h") + NameSpace("a", "q") + DaemonSet("ds", "u") +
                Pod("p") + Pod("named", "annotations: {fairlead.dev/max-run-time: 5m}") +
                Pod("ds-1", OfDaemonSet("ds", "u")) +
                Pod("static",
                    "annotations: {kubernetes.io/config.mirror: x}, ownerReferences: "
                    "[{apiVersion: v1, kind: Node, name: n, uid: n, controller: true}]"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/ds-1", "a/named 300", "a/p 3600 queue q", "a/static"));
}

std::string Stopped(std::string_view spec) {
  return "{conditions: [{type: Stopped, status: \"True\", reason: RunTimeLimit, message: \"ran 1h, "
         "its limit (spec " +
         std::string(spec) + ")\"}]}";
}

TEST(RunTimeLimits, WhatWasStoppedIsKeptOutUntilItIsEdited) {
  Limits limits;
  const auto asks = [](std::string_view spec, std::string_view status = "") {
    return Workload("w", spec, status);
  };
  const std::string spec = "maxRunTime: 1h, podSets: [{count: 2}]";
  limits.Upsert(asks(spec));
  limits.Take();
  const std::string digest = limits.intake.AskedSpecOf("a/w");
  ASSERT_EQ(digest.size(), 16U);
  limits.Upsert(asks(spec, Stopped(digest)));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 3600 hold=Stopped"));
  limits.Upsert(asks(spec + ", active: false", Stopped(digest)));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 3600 hold=Stopped"));
  limits.Upsert(asks("maxRunTime: 2h, podSets: [{count: 2}]", Stopped(digest)));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 7200"));
  limits.Upsert(asks("maxRunTime: 1h, podSets: [{count: 3}]", Stopped(digest)));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 3600"));
  limits.Upsert(asks(spec, Stopped(digest)));
  EXPECT_THAT(limits.Take(), ElementsAre("a/w 3600 hold=Stopped"));
}

// What Fairlead writes of it is no edit: that it runs, and with how many pods.
TEST(RunTimeLimits, AJobAsksTheSameWhileItRunsAndWhenItIsStopped) {
  Limits limits;
  const std::string meta =
      "uid: u, labels: {fairlead.dev/queue: q}, annotations: {fairlead.dev/min-parallelism: \"2\"}";
  limits.Upsert(Queue("q") + Job("j", meta, "suspend: true, parallelism: 4, completions: 8"));
  limits.Take();
  const std::string waits = limits.intake.AskedSpecOf("a/j");
  const std::string of_job =
      "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: j, "
      "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]}, "
      "spec: {queueName: q, podSets: [{name: main, count: 4, minCount: 2}]}, status: ";
  limits.Upsert(of_job + "{admission: {podSetAssignments: [{name: main, count: 3}]}}}\n---\n" +
                Job("j", meta, "suspend: false, parallelism: 3, completions: 8"));
  limits.Take();
  EXPECT_EQ(limits.intake.AskedSpecOf("a/j"), waits);
  limits.Upsert(of_job + Stopped(waits) + "}\n---\n" +
                Job("j", meta, "suspend: true, parallelism: 4, completions: 8"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j hold=Stopped"));
  limits.Upsert(Job("j", meta, "suspend: true, parallelism: 5, completions: 8"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j"));
  limits.Upsert(Job("j", meta, "suspend: true, parallelism: 4, completions: 8"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j hold=Stopped"));
}

TEST(RunTimeLimits, PodsOfAJobAreKeptOutByItsAnnotation) {
  Limits limits;
  const auto job = [](std::string_view note) {
    return Job("j", "uid: u, annotations: {fairlead.dev/max-run-time: 1h" + std::string(note) + "}",
               "parallelism: 1");
  };
  limits.Upsert(job("") + Pod("j-1", OfJob("j")));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j-1 3600"));
  const std::string note = ToText(objects::StopNote{
      .why = "ran 1h, its limit", .spec = limits.intake.AskedSpecOfJobOf("a/j-1")});
  limits.Upsert(job(", fairlead.dev/stopped: \"" + note + "\""));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j-1 3600 hold=Stopped"));
  limits.Upsert(
      Job("j",
          "uid: u, annotations: {fairlead.dev/max-run-time: 2h, fairlead.dev/stopped: \"" + note +
              "\"}",
          "parallelism: 1"));
  EXPECT_THAT(limits.Take(), ElementsAre("a/j-1 7200"));
}

// Its place among those that wait is that of one which came then.
TEST(RunTimeLimits, WhoWaitsAgainCameWhenItWasStopped) {
  Intake intake;
  for (const objects::Object& object :
       Read(Workload("w", "podSets: [{count: 1}]",
                     "{conditions: [{type: Evicted, status: \"True\", reason: RunTimeLimit, "
                     "lastTransitionTime: \"2026-01-02T00:00:00Z\"}]}"))) {
    intake.Upsert(object, Time{});
  }
  for (const state::Change& change : intake.TakeChanges()) {
    const auto* workload = std::get_if<state::WorkloadChange>(&change);
    if (workload == nullptr) continue;
    EXPECT_EQ(workload->traits.created, *ParseTime("2026-01-02T00:00:00Z"));
    EXPECT_FALSE(workload->traits.hold.has_value());
  }
}

TEST(RunTimeLimits, FindingsNameWhatIsMadeAgainForEver) {
  World world;
  const std::string of_set =
      "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r, controller: "
      "true}]";
  world.Upsert(Queue("q", "defaultRunTime: 2h, maxRunTime: 1h") + NameSpace("a", "q") +
               Pod("web", of_set) +
               Pod("own", of_set + ", annotations: {fairlead.dev/max-run-time: soon}") + Pod("p"));
  EXPECT_THAT(
      world.Findings(),
      ElementsAre("Pod a/own: ReplacedAtLimit: the maxRunTime of queue q stops it each time that "
                  "it has run 3600s, and its ReplicaSet makes it again: another queue is for what "
                  "runs for ever",
                  "Pod a/own: RunTimeLimitInvalid: its fairlead.dev/max-run-time is \"soon\", "
                  "expected a duration above 0 such as 1h30m; it is passed over",
                  "Pod a/web: ReplacedAtLimit: the maxRunTime of queue q stops it each time that "
                  "it has run 3600s, and its ReplicaSet makes it again: another queue is for what "
                  "runs for ever",
                  "Queue q: DefaultRunTimeAboveCap: its defaultRunTime of 7200s is cut to its "
                  "maxRunTime of 3600s"));
}

}  // namespace
}  // namespace fairlead::intake
