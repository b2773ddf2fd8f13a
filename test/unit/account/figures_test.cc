#include "account/figures.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "account/bookkeeper.h"
#include "account/fold.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "virtual/cluster.h"

namespace fairlead::account {
namespace {

// Runs a manifest to its end and keeps its books.
Ledger LedgerOf(std::string_view yaml, Duration until = Duration::Seconds(7200)) {
  objects::Manifest manifest;
  objects::ReadText(yaml, "test.yaml", intake::AllDecoders(), manifest);
  EXPECT_TRUE(manifest.faults.empty());
  const Time start = intake::NewestTime(manifest.objects);
  virtual_cluster::VirtualCluster cluster({.start = start});
  Fold fold;
  Bookkeeper books(fold, start);
  cluster.AddObserver(&fold);
  EXPECT_TRUE(cluster.Submit(std::move(manifest.objects)).has_value());
  cluster.RunUntil(start + until);
  return books.Take(cluster.Now());
}

std::optional<double> ValueOf(const std::vector<Figure>& figures, std::string_view name,
                              std::string_view of = "") {
  for (const Figure& figure : figures) {
    if (figure.name == name && figure.of == of) return figure.value;
  }
  return std::nullopt;
}

constexpr std::string_view kQueues = R"(
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: a}
spec: {guaranteed: {cpu: "2"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: b}
spec: {guaranteed: {cpu: "2"}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", pods: "110"}}
)";

std::string Pod(std::string_view name, std::string_view queue, std::string_view cpu,
                std::string_view arrives, std::string_view runs) {
  return fmt::format(R"(---
apiVersion: v1
kind: Pod
metadata:
  name: {0}
  namespace: lab
  labels: {{fairlead.dev/queue: {1}}}
  annotations: {{fairlead.dev/arrives-at: {3}, fairlead.dev/run-duration: {4}}}
spec:
  schedulerName: fairlead
  containers: [{{name: main, resources: {{requests: {{cpu: "{2}"}}}}}}]
)",
                     name, queue, cpu, arrives, runs);
}

// One node of 4 cores; first takes all for 100 s, second waits for 60 of them, and runs for 50 s.
TEST(Figures, WaitingCompletionAndUse) {
  const Ledger ledger = LedgerOf(std::string(kQueues) + Pod("first", "a", "4", "0s", "100s") +
                                     Pod("second", "a", "2", "40s", "50s"),
                                 Duration::Seconds(200));
  const auto figures = FiguresOf(ledger);
  EXPECT_EQ(ValueOf(figures, "workloads.finished"), 2);
  EXPECT_EQ(ValueOf(figures, "waiting.max"), 60);
  EXPECT_EQ(ValueOf(figures, "waiting.mean", "queue a"), 30);
  EXPECT_EQ(ValueOf(figures, "completion.max"), 110);  // 60 + 50
  EXPECT_EQ(ValueOf(figures, "slowdown.max"), 110.0 / 50);
  EXPECT_EQ(ValueOf(figures, "makespan"), 150);
  // 4 × 100 + 2 × 50 of 4 × 200 core seconds.
  EXPECT_EQ(ValueOf(figures, "utilisation", "resource cpu"), 62.5);
  EXPECT_EQ(ValueOf(figures, "evictions"), 0);
}

// b has borrowed a's half when a comes: two of b's four pods give way at once, 100 s lost each.
TEST(Figures, EvictionsLoseWork) {
  std::string yaml(kQueues);
  for (const char* name : {"b1", "b2", "b3", "b4"}) yaml += Pod(name, "b", "1", "0s", "1h");
  yaml += Pod("a1", "a", "2", "100s", "1h");
  const Ledger ledger = LedgerOf(yaml, Duration::Seconds(200));
  const auto figures = FiguresOf(ledger);
  EXPECT_EQ(ValueOf(figures, "evictions", "action Reclaim"), 2);
  EXPECT_DOUBLE_EQ(ValueOf(figures, "lost", "resource cpu").value_or(-1), 200.0 / 3600);
  EXPECT_EQ(ValueOf(figures, "utilisation", "resource cpu"), 100);
  EXPECT_EQ(ValueOf(figures, "goodput", "resource cpu"), 75);
  // The guarantee was lacking for no time: reclaimed at the instant at which it was asked for.
  EXPECT_EQ(ValueOf(figures, "guarantee.missing"), 0);
  EXPECT_EQ(ValueOf(figures, "reclaim.count"), 0);
}

// Protected for 10 minutes, b's pods make a wait: 500 s without the 2 cores that it is guaranteed.
TEST(Figures, GuaranteesMissedWhileVictimsAreProtected) {
  std::string yaml(kQueues);
  constexpr std::string_view kSpec = R"(spec: {guaranteed: {cpu: "2"}})";
  yaml.replace(yaml.rfind(kSpec), kSpec.size(),
               R"(spec: {guaranteed: {cpu: "2"}, reclaimMinRuntime: 10m})");
  for (const char* name : {"b1", "b2", "b3", "b4"}) yaml += Pod(name, "b", "1", "0s", "1h");
  yaml += Pod("a1", "a", "2", "100s", "1h");
  const auto figures = FiguresOf(LedgerOf(yaml, Duration::Seconds(1000)));
  EXPECT_EQ(ValueOf(figures, "reclaim.count"), 1);
  EXPECT_EQ(ValueOf(figures, "reclaim.max"), 500);
  EXPECT_EQ(ValueOf(figures, "guarantee.late.count"), 1);
  EXPECT_EQ(ValueOf(figures, "guarantee.late.max"), 500);
  EXPECT_DOUBLE_EQ(ValueOf(figures, "guarantee.missing", "queue a").value_or(-1), 2.0 * 500 / 3600);
  // Until a comes only b asks; then for 500 s x = 0 and 2: 4 / (2 × 4); then all is fair.
  EXPECT_DOUBLE_EQ(ValueOf(figures, "fairness.jain").value_or(-1), (500 * 0.5 + 400 * 1.0) / 900);
}

// a is guaranteed 2 cores, has 1 of them until 300 s, and asks for 2 more from 100 s on: 1 is
// missing, and nobody is late until then. For 400 s b's pods are protected.
TEST(Figures, NobodyIsLateForWhatIsBeyondTheGuarantee) {
  std::string yaml(kQueues);
  constexpr std::string_view kSpec = R"(spec: {guaranteed: {cpu: "2"}})";
  yaml.replace(yaml.rfind(kSpec), kSpec.size(),
               R"(spec: {guaranteed: {cpu: "2"}, reclaimMinRuntime: 700s})");
  yaml += Pod("a0", "a", "1", "0s", "300s");
  for (const char* name : {"b1", "b2", "b3"}) yaml += Pod(name, "b", "1", "0s", "1h");
  yaml += Pod("a1", "a", "2", "100s", "1h");
  const auto figures = FiguresOf(LedgerOf(yaml, Duration::Seconds(1000)));
  EXPECT_EQ(ValueOf(figures, "reclaim.max"), 600);
  EXPECT_EQ(ValueOf(figures, "guarantee.late.count"), 1);
  EXPECT_EQ(ValueOf(figures, "guarantee.late.max"), 400);
}

// A job whose pod takes 3 cores for 300 s, and gives way for 100 s after the first 100.
std::string StoppedJob(std::string_view more_annotations) {
  return std::string(kQueues) +
         fmt::format(R"(---
apiVersion: batch/v1
kind: Job
metadata: {{name: job, namespace: lab}}
spec:
  completions: 1
  parallelism: 1
  template:
    metadata:
      labels: {{fairlead.dev/queue: b}}
      annotations: {{fairlead.dev/run-duration: 300s{}}}
    spec:
      schedulerName: fairlead
      restartPolicy: Never
      containers: [{{name: main, resources: {{requests: {{cpu: "3"}}}}}}]
)",
                     more_annotations) +
         Pod("a1", "a", "2", "100s", "100s");
}

// The pod is made again: one workload, which starts once and ends when the second pod has run its
// 300 s.
TEST(Figures, WhatIsMadeAgainIsTheSameWork) {
  const auto figures = FiguresOf(LedgerOf(StoppedJob(""), Duration::Seconds(1000)));
  EXPECT_EQ(ValueOf(figures, "workloads.submitted"), 2);
  EXPECT_EQ(ValueOf(figures, "workloads.finished"), 2);
  EXPECT_EQ(ValueOf(figures, "evictions"), 1);
  EXPECT_EQ(ValueOf(figures, "waiting.max"), 0);
  EXPECT_EQ(ValueOf(figures, "completion.max", "queue b"), 500);  // 100, lost; 100 waiting; 300
  EXPECT_EQ(ValueOf(figures, "delay.max", "queue b"), 200);
  EXPECT_EQ(ValueOf(figures, "delay.max", "queue a"), 0);
  EXPECT_DOUBLE_EQ(ValueOf(figures, "lost", "resource cpu").value_or(-1), 300.0 / 3600);
}

// Of its 100 s three checkpoints save 90: it goes on there, and 210 s are left.
TEST(Figures, CheckpointsSaveWork) {
  const auto figures = FiguresOf(
      LedgerOf(StoppedJob(", fairlead.dev/checkpoint-every: 30s"), Duration::Seconds(1000)));
  EXPECT_EQ(ValueOf(figures, "completion.max", "queue b"), 410);
  EXPECT_EQ(ValueOf(figures, "delay.max", "queue b"), 110);
  EXPECT_DOUBLE_EQ(ValueOf(figures, "lost", "resource cpu").value_or(-1), 30.0 / 3600);
  // Of 3 × (100 + 210) + 2 × 100 core seconds.
  EXPECT_DOUBLE_EQ(ValueOf(figures, "lost.percent", "age under 1h").value_or(-1),
                   100.0 * 30 / 1130);
}

TEST(Figures, SizesAreClassesOfGpus) {
  Ledger ledger;
  ledger.resources = {"cpu", "nvidia.com/gpu"};
  const auto of = [&](std::int64_t milli) {
    WorkloadRow row;
    row.size = ledger.Add({1000, milli});
    return SizeClassOf(ledger, row);
  };
  EXPECT_EQ(of(0), "no GPU");
  EXPECT_EQ(of(250), "part of a GPU");
  EXPECT_EQ(of(1000), "1 GPU");
  EXPECT_EQ(of(2000), "2 GPUs");
  EXPECT_EQ(of(3000), "3-4 GPUs");
  EXPECT_EQ(of(8000), "5-8 GPUs");
  EXPECT_EQ(of(9000), "9-16 GPUs");
}

}  // namespace
}  // namespace fairlead::account
