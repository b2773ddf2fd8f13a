// A cluster is recorded, and the work that is read from the record is run again: under the same
// configuration it is the same story, under another one it is not.

#include "trace/record_workload.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "account/bookkeeper.h"
#include "account/figures.h"
#include "account/fold.h"
#include "account/ledger.h"
#include "intake/intake.h"
#include "live/record_writer.h"
#include "objects/write/writer.h"
#include "trace/record.h"
#include "trace/run.h"
#include "unit/base/scratch_dir.h"
#include "unit/live/live_world.h"
#include "virtual/cluster.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

using drive::EventType;
using objects::Object;
using testing::ElementsAre;
using testing::IsEmpty;
using virtual_cluster::VirtualCluster;
using Lines = std::vector<std::string>;

constexpr std::string_view kRunDuration = "fairlead.dev/run-duration";

template <typename T>
void ForgetDuration(T& labelled) {
  std::erase_if(labelled.annotations, [](const auto& each) { return each.first == kRunDuration; });
}

// Hands a virtual cluster to a recorder, as a real one is handed to it. How long work runs is
// nothing that a real cluster would say: it is taken off.
class Bridge : public drive::Observer {
 public:
  Bridge(const VirtualCluster& cluster, RecordWriter& recorder)
      : cluster_(cluster), recorder_(recorder) {}

  void OnObject(const drive::ObjectNews& news) override {
    if (news.object == nullptr) return recorder_.OnObject(news);
    const auto* configuration = std::get_if<objects::SchedulerConfiguration>(news.object);
    if (configuration != nullptr) return recorder_.OnConfiguration(news.time, *configuration);
    Object object = *news.object;
    objects::Meta& meta = objects::MetaOf(object);
    ForgetDuration(meta);
    if (auto* job = std::get_if<objects::Job>(&object)) ForgetDuration(job->pod_template);
    if (auto* workload = std::get_if<objects::Workload>(&object)) {
      for (objects::PodSet& set : workload->pod_sets) {
        if (set.pod_template) ForgetDuration(*set.pod_template);
      }
    }
    drive::ObjectNews said = news;
    const std::string json = json::serialize(objects::ToJson(object));
    said.api_version = objects::ApiVersionOf(object);
    said.json = json;
    recorder_.OnObject(said);
  }
  void OnChanges(Time now, std::span<const state::Change> changes) override {
    recorder_.OnChanges(now, changes);
  }
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    recorder_.OnRound(scheduler, plan);
  }
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override {
    recorder_.OnDecisions(now, decisions);
  }

  // As who begins to watch: all is listed, and nothing is to be decided.
  void ShowAll() {
    recorder_.OnConfiguration(cluster_.Now(), cluster_.intake().configuration());
    for (const char* kind : {"Pod", "Node", "Queue", "Workload", "Job"}) {
      for (const Object* object : cluster_.List(kind)) {
        OnObject(drive::NewsOf(cluster_.Now(), *object));
      }
    }
    engine::Plan nothing;
    nothing.now = cluster_.Now();
    OnRound(cluster_.scheduler(), nothing);
  }

 private:
  const VirtualCluster& cluster_;
  RecordWriter& recorder_;
};

// What happened to pods and jobs, a line each.
class StoryTeller : public drive::Observer {
 public:
  void OnEvent(const drive::Event& event) override {
    const bool counts = event.type == EventType::kBind || event.type == EventType::kEvict ||
                        event.type == EventType::kFinish || event.type == EventType::kComplete;
    if (!counts) return;
    lines.push_back(fmt::format("{} {} {}{} {}", FormatTime(event.time).substr(11, 8),
                                ToString(event.type), event.pod,
                                event.pod.empty() ? event.object : "", event.node));
  }
  Lines Of(std::string_view word) const {
    Lines found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
                 [&](const std::string& line) { return line.find(word) != std::string::npos; });
    return found;
  }
  Lines lines;
};

constexpr Time kStart{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

std::vector<Object> Read(std::string_view yaml) {
  objects::Manifest manifest;
  objects::ReadText(yaml, "cluster.yaml", intake::AllDecoders(), manifest);
  for (const objects::Fault& fault : manifest.faults) ADD_FAILURE() << fault.ToString();
  return std::move(manifest.objects);
}

constexpr std::string_view kNodesAndQueues = R"(
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", pods: "110"}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", pods: "110"}}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: a}
spec: {guaranteed: {cpu: "4"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: b}
spec: {guaranteed: {cpu: "4"}}
---
)";

std::string JobOf(std::string_view name, std::string_view queue, std::string_view arrives,
                  std::string_view runs, int pods) {
  return fmt::format(R"(
apiVersion: batch/v1
kind: Job
metadata:
  name: {0}
  namespace: team
  labels: {{fairlead.dev/queue: {1}}}
  annotations: {{fairlead.dev/arrives-at: {2}}}
spec:
  suspend: true
  parallelism: {4}
  completions: {4}
  template:
    metadata: {{annotations: {{fairlead.dev/run-duration: {3}}}}}
    spec:
      schedulerName: fairlead
      containers: [{{name: c, resources: {{requests: {{cpu: "1"}}}}}}]
---
)",
                     name, queue, arrives, runs, pods);
}

std::string PodOf(std::string_view name, std::string_view metadata, std::string_view spec) {
  return fmt::format(R"(
apiVersion: v1
kind: Pod
metadata: {{name: {}, namespace: team, {}}}
spec: {{{}, containers: [{{name: c, resources: {{requests: {{cpu: "1"}}}}}}]}}
---
)",
                     name, metadata, spec);
}

// A job borrows, and gives back when the owner of the room comes; a gang; pods of nobody; one of
// another scheduler; a node that comes.
std::string Busy() {
  return std::string(kNodesAndQueues) + JobOf("borrows", "b", "0s", "1h", 8) +
         JobOf("owner", "a", "10m", "20m", 4) + JobOf("small", "b", "15m", "7m30s", 1) +
         PodOf("alone",
               "labels: {fairlead.dev/queue: a}, annotations: "
               "{fairlead.dev/arrives-at: 12m, fairlead.dev/run-duration: 90.5s}",
               "schedulerName: fairlead") +
         PodOf("agent",
               "annotations: {fairlead.dev/arrives-at: 50m, fairlead.dev/run-duration: 3h}",
               "schedulerName: other, nodeName: n1") +
         R"(
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: gang, namespace: team, annotations: {fairlead.dev/arrives-at: 40m}}
spec:
  queueName: a
  podSets:
  - name: worker
    count: 3
    template:
      metadata: {annotations: {fairlead.dev/run-duration: 25m}}
      spec: {containers: [{name: c, resources: {requests: {cpu: "2"}}}]}
---
apiVersion: v1
kind: Node
metadata: {name: n3, annotations: {fairlead.dev/arrives-at: 45m}}
status: {allocatable: {cpu: "4", pods: "110"}}
---
)";
}

class RecordWorkloadTest : public ::testing::Test {
 protected:
  // Runs it, to its end or `until`, and records it from `from` on: what is there then, and all that
  // happens. The teller knows what happened from then on.
  struct Span {
    Duration from{}, until = Duration::Max();
  };
  StoryTeller Record(const std::string& yaml, Span span) {
    std::filesystem::remove(directory_ + "/record.jsonl");
    VirtualCluster cluster({.start = kStart});
    auto recorder = RecordWriter::Make(directory_, [](const std::string& why) { FAIL() << why; });
    StoryTeller teller;
    if (!recorder) ADD_FAILURE() << recorder.error().message;
    Bridge bridge(cluster, **recorder);
    EXPECT_TRUE(cluster.Submit(Read(yaml)));
    if (span.from > Duration{}) {
      cluster.RunUntil(kStart + span.from);
      bridge.ShowAll();
    }
    cluster.AddObserver(&bridge);
    cluster.AddObserver(&teller);
    cluster.RunToIdle(kStart + span.until);
    return teller;
  }
  StoryTeller Record(const std::string& yaml) { return Record(yaml, {}); }

  trace::RecordedWorkload Workload() const {
    auto recorded = trace::ReadRecordedWorkload(directory_);
    if (recorded) return std::move(*recorded);
    ADD_FAILURE() << recorded.error().message;
    return {};
  }

  // What was recorded, with `instead` of what it names.
  StoryTeller Again(const std::string& instead = "") const {
    trace::RecordedWorkload recorded = Workload();
    std::vector<Object> objects = Read(instead);
    for (auto* from : {&recorded.objects, &recorded.changes}) {
      for (Object& object : *from) {
        const bool replaced = std::any_of(objects.begin(), objects.end(), [&](const Object& other) {
          return other.index() == object.index() &&
                 objects::MetaOf(other).Key() == objects::MetaOf(object).Key();
        });
        if (!replaced) objects.push_back(std::move(object));
      }
    }
    VirtualCluster cluster({.start = recorded.start});
    StoryTeller teller;
    cluster.AddObserver(&teller);
    const auto submitted = cluster.Submit(std::move(objects));
    if (!submitted) {
      for (const objects::Fault& fault : submitted.error()) ADD_FAILURE() << fault.ToString();
      return teller;
    }
    cluster.RunToIdle();
    return teller;
  }

  const ScratchDir scratch_;
  const std::string directory_ = scratch_.path();
};

TEST_F(RecordWorkloadTest, IsTheSameStoryUnderTheSameConfiguration) {
  const StoryTeller first = Record(Busy());
  ASSERT_EQ(first.Of("Evict").size(), 8U);
  ASSERT_EQ(first.Of("Complete").size(), 4U);
  EXPECT_EQ(Again().lines, first.lines);
  EXPECT_THAT(Workload().warnings, IsEmpty());
}

TEST_F(RecordWorkloadTest, IsAnotherStoryUnderAnotherConfiguration) {
  const StoryTeller first = Record(Busy());
  const StoryTeller other = Again(
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, reclaim: {enabled: "
      "false}}");
  EXPECT_THAT(other.Of("Evict"), IsEmpty());
  // The owner waits until a node comes; all that ended ends.
  EXPECT_EQ(first.Of("Bind team/owner-0"), Lines{"00:10:00 Bind team/owner-0 n1"});
  EXPECT_EQ(other.Of("Bind team/owner-0"), Lines{"00:45:00 Bind team/owner-0 n3"});
  EXPECT_EQ(other.Of("Complete").size(), first.Of("Complete").size());
}

// A Job numbers its pods on and on, by those that went before anybody watched, too.
Lines Unnumbered(Lines lines) {
  for (std::string& line : lines)
    line = std::regex_replace(line, std::regex("borrows-[0-9]+"), "borrows-#");
  return lines;
}

// Who begins to watch in the middle sees who runs since when: the rest of the story is the same.
TEST_F(RecordWorkloadTest, BeginsInTheMiddle) {
  const StoryTeller whole = Record(Busy());
  ASSERT_GT(whole.lines.size(), 30U);
  for (std::int64_t minute = 1; minute < 90; minute += 4) {
    SCOPED_TRACE(minute);
    const StoryTeller rest = Record(Busy(), {.from = Duration::Seconds(60 * minute)});
    EXPECT_EQ(Unnumbered(Again().lines), Unnumbered(rest.lines));
    EXPECT_THAT(Workload().warnings, IsEmpty());
    const auto replay = trace::ReplayRecord(directory_, nullptr);
    ASSERT_TRUE(replay) << replay.error().message;
    EXPECT_EQ(replay->differing, 0);
  }
}

TEST_F(RecordWorkloadTest, WhatWasOverAtTheStartIsNoWork) {
  Record(std::string(kNodesAndQueues) + JobOf("early", "a", "0s", "10m", 2) +
             JobOf("late", "b", "30m", "10m", 1) +
             PodOf("endless", "labels: {fairlead.dev/queue: a}", "schedulerName: fairlead"),
         {.from = Duration::Seconds(1200)});
  Lines names;
  for (const Object& object : Workload().objects) names.push_back(objects::MetaOf(object).Key());
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("", "n1", "n2", "a", "b", "team/late", "team/endless"));
  EXPECT_THAT(Workload().warnings,
              ElementsAre(testing::HasSubstr("1 job or pod was not over when the record ends")));
}

TEST_F(RecordWorkloadTest, GuessesWhatItDidNotSee) {
  // At its end one runs for 40 minutes, and `never` still waits.
  Record(std::string(kNodesAndQueues) + JobOf("quick", "a", "0s", "10m", 1) +
             JobOf("runs", "b", "20m", "5h", 8) + JobOf("never", "b", "30m", "5m", 1),
         {.until = Duration::Seconds(3600)});
  const trace::RecordedWorkload recorded = Workload();
  std::map<std::string, std::string> lasts;
  for (const Object& object : recorded.objects) {
    const auto* job = std::get_if<objects::Job>(&object);
    if (job == nullptr) continue;
    const std::string* found = objects::FindLabel(job->pod_template.annotations, kRunDuration);
    lasts[job->meta.name] = found == nullptr ? "" : *found;
  }
  // The last thing that was recorded is that `never` came, at 30 minutes.
  EXPECT_EQ(lasts, (std::map<std::string, std::string>{
                       {"quick", "600s"}, {"runs", "600s"}, {"never", "600s"}}));
  EXPECT_THAT(
      recorded.warnings,
      ElementsAre(testing::HasSubstr("1 job or pod was not over when the record ends"),
                  testing::HasSubstr("1 job or pod never ran: taken to last for the median")));
}

// Of a report on the record itself: what happened, as the virtual cluster told it.
TEST_F(RecordWorkloadTest, TheRecordsLedgerIsThatOfWhatHappened) {
  VirtualCluster cluster({.start = kStart});
  auto recorder = RecordWriter::Make(directory_, [](const std::string& why) { FAIL() << why; });
  ASSERT_TRUE(recorder) << recorder.error().message;
  Bridge bridge(cluster, **recorder);
  account::Fold fold, replayed_fold;
  account::Bookkeeper watched(fold, kStart), replayed(replayed_fold);
  cluster.AddObserver(&bridge);
  cluster.AddObserver(&fold);
  ASSERT_TRUE(cluster.Submit(Read(Busy())));
  cluster.RunToIdle();

  const auto replay = trace::ReplayRecord(directory_, &replayed_fold);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_EQ(replay->differing, 0);
  EXPECT_EQ(replay->end, cluster.Now());
  const auto shown = [](const account::Ledger& ledger) {
    Lines lines;
    for (const account::Figure& figure : FiguresOf(ledger)) {
      lines.push_back(fmt::format("{} {} {:.6f}", figure.name, figure.of, figure.value));
    }
    return lines;
  };
  const Lines expected = shown(watched.Take(cluster.Now()));
  EXPECT_EQ(shown(replayed.Take(replay->end)), expected);
  EXPECT_THAT(expected, testing::Contains("evictions  8.000000"));
}

// The same of a live scheduler: who arrives when, what is made anew and what is not, a node that
// comes, a pod that ends, one that is deleted and comes again.
TEST_F(RecordWorkloadTest, ReadsALiveClustersRecord) {
  LiveWorld world;
  auto recorder = RecordWriter::Make(directory_, [](const std::string& why) { FAIL() << why; });
  ASSERT_TRUE(recorder) << recorder.error().message;
  world.AddNode("n1", 3);
  world.AddQueue("default", 0);
  LiveWorld::Process& process = world.Start(7, /*with_lease=*/false, recorder->get());
  world.Run(Duration::Seconds(5));
  world.AddJob("j", 2);
  world.AddWorkload("gang", {.count = 1, .min_count = 1, .has_template = true});
  world.Run(Duration::Seconds(10));
  world.AddPod("p", 1);
  world.AddNode("n2", 2);
  world.Run(Duration::Seconds(10));
  ASSERT_EQ(world.Bound(), 4);
  json::object ended = *world.Pod("team/j-0");
  ended["status"].as_object()["phase"] = "Succeeded";
  world.api.Put("pods", std::move(ended));
  world.Delete("pods", "team/p");
  world.Run(Duration::Seconds(5));
  world.AddPod("p", 1);
  world.Run(Duration::Seconds(10));
  world.Kill(process);

  const trace::RecordedWorkload recorded = Workload();
  Lines found;
  for (const Object& object : recorded.objects) {
    const objects::Meta& meta = objects::MetaOf(object);
    const std::string* arrives = objects::FindLabel(meta.annotations, "fairlead.dev/arrives-at");
    const std::string from = arrives == nullptr ? "0" : arrives->substr(0, arrives->find('.'));
    found.push_back(fmt::format("{} {} {}", objects::KindOf(object), meta.Key(), from));
  }
  std::sort(found.begin(), found.end());
  EXPECT_THAT(found, ElementsAre("Job team/j 4", "Node n1 0", "Node n2 14", "Pod team/p 14",
                                 "Pod team/p-again-2 29", "Queue default 0",
                                 "SchedulerConfiguration  0", "Workload team/gang 4"));
  const StoryTeller again = Again();
  EXPECT_EQ(again.Of("Bind").size(), 5U);
  EXPECT_EQ(again.Of("Finish").size(), 5U);
}

}  // namespace
}  // namespace fairlead::live
