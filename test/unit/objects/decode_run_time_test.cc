#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "objects/stop_note.h"
#include "objects/write/writer.h"
#include "unit/objects/read.h"

// How long work may run: of a Queue and of a Workload; and the note that it was stopped at that.

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

constexpr Duration kHour = Duration::Seconds(3600);

TEST(DecodeRunTime, WhatAQueueSaysIsWrittenAsItIsRead) {
  const auto queue = ReadOne<Queue>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: q}
spec: {maxRunTime: 1h, defaultRunTime: 30m}
)");
  EXPECT_EQ(queue.max_run_time, kHour);
  EXPECT_EQ(queue.default_run_time, Duration::Seconds(1800));
  auto again = ReadOne<Queue>(boost::json::serialize(ToJson(queue)));
  again.meta.source = queue.meta.source;
  EXPECT_EQ(again, queue);
}

TEST(DecodeRunTime, WhatAWorkloadSaysIsWrittenAsItIsRead) {
  const auto workload = ReadOne<Workload>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: w, namespace: a}
spec: {maxRunTime: 1h, onRunTimeLimit: Requeue, podSets: [{count: 1}]}
)");
  EXPECT_EQ(workload.max_run_time, kHour);
  EXPECT_EQ(workload.on_run_time_limit, OnRunTimeLimit::kRequeue);
  auto again = ReadOne<Workload>(boost::json::serialize(ToJson(workload)));
  again.meta.source = workload.meta.source;
  EXPECT_EQ(again, workload);
}

TEST(DecodeRunTime, NothingIsNoTime) {
  EXPECT_EQ(FaultsOf("{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, spec: "
                     "{maxRunTime: 0s, defaultRunTime: soon}}"),
            (Strings{"in.yaml:1: Queue q: spec.maxRunTime: found \"0s\", expected a duration above "
                     "0 such as 24h",
                     "in.yaml:1: Queue q: spec.defaultRunTime: found \"soon\", expected a duration "
                     "such as 1h30m, 45s or 0s"}));
  EXPECT_EQ(FaultsOf("{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {name: w}, "
                     "spec: {onRunTimeLimit: Never, podSets: [{count: 1}]}}"),
            (Strings{"in.yaml:1: Workload default/w: spec.onRunTimeLimit: found \"Never\", "
                     "expected Stop or Requeue"}));
}

TEST(StopNote, IsReadAsItIsWritten) {
  const StopNote note{.why = "ran 1h, its limit of queue lab (spec x)", .spec = "0123456789abcdef"};
  EXPECT_EQ(StopNoteIn(ToText(note)), note);
  EXPECT_EQ(StopNoteIn("by hand"), (StopNote{.why = "by hand", .spec = ""}));
  Workload workload;
  EXPECT_EQ(StopNoteOf(workload), std::nullopt);
  workload.conditions = {{.type = "Evicted",
                          .holds = true,
                          .reason = "RunTimeLimit",
                          .message = "it ran 1h",
                          .since = Time{7}}};
  EXPECT_EQ(WaitsAgainSince(workload), Time{7});
  workload.conditions.push_back({.type = "Stopped",
                                 .holds = true,
                                 .reason = "RunTimeLimit",
                                 .message = ToText(note),
                                 .since = Time{7}});
  EXPECT_EQ(StopNoteOf(workload), note);
  EXPECT_EQ(WaitsAgainSince(workload), std::nullopt);
}

}  // namespace
}  // namespace fairlead::objects
