#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/time.h"
#include "drive/observer.h"
#include "live/record_writer.h"
#include "objects/read/json_fields.h"
#include "objects/write/writer.h"
#include "trace/record.h"
#include "trace/record_workload.h"
#include "unit/base/scratch_dir.h"
#include "unit/live/live_world.h"
#include "virtual/run.h"
#include "virtual/world.h"

// One story, told four times: by `run` over an API server in memory, which records it; replayed
// from the record; simulated, as the work that the record says was asked for; and as `up` has it,
// where the same work is submitted when it comes. They differ in clock and carrier, and in nothing
// else: the writes are the same, in the same order.

namespace fairlead::live {
namespace {

namespace json = boost::json;
using Lines = std::vector<std::string>;

// Pods that a job or template makes have names of whoever made them: they count by their workload.
std::string Who(const std::string& pod, const std::string& workload) {
  return workload.empty() ? pod : workload;
}

std::string StoryLine(const effects::Write& write) {
  struct Visitor {
    std::string operator()(const effects::BindPod& bind) const {
      return fmt::format("bind {} {}", Who(bind.pod, bind.workload), bind.node);
    }
    std::string operator()(const effects::EvictPod& evict) const {
      return fmt::format("evict {} {} {} {}", Who(evict.pod, evict.workload), evict.node,
                         evict.action, evict.by_stop);
    }
    std::string operator()(const effects::NominatePod& nominate) const {
      return fmt::format("nominate {} {}", Who(nominate.pod, nominate.workload), nominate.node);
    }
    std::string operator()(const effects::ReserveNode& reserve) const {
      return fmt::format("reserve {} {}", reserve.pod, reserve.node);
    }
    std::string operator()(const effects::AdmitWorkload& admit) const {
      std::string line = "admit " + admit.workload;
      for (const auto& set : admit.pod_sets) line += fmt::format(" {}={}", set.name, set.count);
      return line;
    }
    std::string operator()(const effects::StopWorkload& stop) const {
      return "stop " + stop.workload;
    }
    std::string operator()(const effects::SetStartTime& set) const {
      return fmt::format("{} {}", set.start ? "start" : "start no more", set.workload);
    }
    std::string operator()(const effects::SetProtection& set) const {
      return fmt::format("protection {} {} {}", set.workload, set.preempt.has_value(),
                         set.reclaim.has_value());
    }
    std::string operator()(const effects::SetBroken& set) const {
      return fmt::format("{} {}", set.since ? "broken" : "broken no more", set.workload);
    }
    std::string operator()(const effects::SetInactive& set) const {
      return fmt::format("{} {}", set.inactive ? "inactive" : "active again", set.workload);
    }
    std::string operator()(const effects::SetUngated& set) const { return "ungated " + set.pod; }
    std::string operator()(const effects::SetReservation& set) const {
      return fmt::format("reservation {} {}", set.workload,
                         set.reservation ? objects::TextOf(*set.reservation) : "none");
    }
    std::string operator()(const effects::SetLandings& set) const {
      return fmt::format("landings {} {}", set.workload, objects::TextOf(set.landings));
    }
    std::string operator()(const effects::SetMoved& set) const { return "moved " + set.workload; }
    std::string operator()(const effects::SetLoan& set) const {
      return fmt::format("loan {} {}", set.workload,
                         set.loan ? objects::TextOf(*set.loan) : "none");
    }
    std::string operator()(const effects::FinishWorkload& finish) const {
      return "finish " + finish.workload;
    }
    std::string operator()(const effects::SetQuotaStatus& set) const {
      std::string line = "quota " + set.quota;
      for (const auto& [name, amount] : set.used) line += fmt::format(" {}={}", name, amount);
      return line;
    }
    std::string operator()(const effects::SetGroupCondition& set) const {
      return fmt::format("group {} {} {}", set.group, set.condition.type, set.condition.reason);
    }
    std::string operator()(const effects::Warn& warn) const {
      return fmt::format("warn {} {} {}", warn.kind, warn.object, warn.reason);
    }
  };
  return std::visit(Visitor{}, write);
}

// A cpu of a flavor that is not there.
json::array GroupsOfNoFlavor() {
  const json::array cpu{json::object{{"name", "cpu"}, {"nominalQuota", "1"}}};
  const json::array flavors{json::object{{"name", "none"}, {"resources", cpu}}};
  return {json::object{{"coveredResources", json::array{"cpu"}}, {"flavors", flavors}}};
}

// What was said of objects of a kind, as `kubectl describe` finds it.
Lines SaidOf(LiveWorld& world, std::string_view kind) {
  Lines lines;
  for (const auto& [key, event] : world.api.All("events")) {
    const json::value& regards = event.at("involvedObject");
    if (objects::TextAt(regards, "kind") != kind) continue;
    EXPECT_NE(objects::TextAt(regards, "uid"), "");
    lines.push_back(fmt::format("{} {} {}", objects::TextAt(regards, "apiVersion"),
                                objects::TextAt(regards, "name"),
                                objects::TextAt(event, "reason")));
  }
  return lines;
}

// "gang {"podSetAssignments":…} Admitted=True (admitted worker: 2), …": what the status of a
// Workload says, without its times.
std::string ShownOf(const json::value& workload) {
  const json::value& status = workload.at("status");
  std::string text = objects::TextAt(workload.at("metadata"), "name");
  if (const json::value* admission = objects::At(status, "admission")) {
    text += " " + json::serialize(admission->at("podSetAssignments"));
  }
  for (const json::value& each : status.at("conditions").as_array()) {
    text += fmt::format(" {}={} ({} {})", objects::TextAt(each, "type"),
                        objects::TextAt(each, "status"), objects::TextAt(each, "reason"),
                        objects::TextAt(each, "message"));
  }
  return text;
}

class WriteLines : public drive::Observer {
 public:
  void OnWrite(Time now, const effects::Write& write) override {
    timed.push_back(fmt::format("{} {}", FormatTime(now), StoryLine(write)));
    const auto* set = std::get_if<effects::SetProtection>(&write);
    if (set == nullptr || set->preempt || set->reclaim) lines.push_back(StoryLine(write));
  }
  Lines lines, timed;
};

// Beside the one that is looked at: the record.
class Both : public drive::Observer {
 public:
  Both(drive::Observer& first, drive::Observer& second) : first_(first), second_(second) {}
  void OnConfiguration(Time now, const objects::SchedulerConfiguration& of) override {
    first_.OnConfiguration(now, of);
    second_.OnConfiguration(now, of);
  }
  void OnObject(const drive::ObjectNews& news) override {
    first_.OnObject(news);
    second_.OnObject(news);
  }
  void OnChanges(Time now, std::span<const state::Change> changes) override {
    first_.OnChanges(now, changes);
    second_.OnChanges(now, changes);
  }
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    first_.OnRound(scheduler, plan);
    second_.OnRound(scheduler, plan);
  }
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override {
    first_.OnDecisions(now, decisions);
    second_.OnDecisions(now, decisions);
  }
  void OnWrite(Time now, const effects::Write& write) override {
    first_.OnWrite(now, write);
    second_.OnWrite(now, write);
  }

 private:
  drive::Observer& first_;
  drive::Observer& second_;
};

class SameStoryTest : public testing::Test {
 protected:
  // A gang; a pod under a quota and a job that borrow, and give way one after the other to the
  // room's owner. (Where several pods of one workload go, the order is that of their names, which
  // are their maker's, and they are gone when their kubelets say so.)
  Lines Live() {
    LiveWorld world;
    auto recorder = RecordWriter::Make(directory_, [](const std::string& why) { FAIL() << why; });
    EXPECT_TRUE(recorder) << recorder.error().message;
    Both both(watched_, **recorder);
    world.AddNode("n1", 2);
    world.AddNode("n2", 2);
    world.AddQueue("default", 0);
    world.AddQueue("owner", 3);
    world.api.Put("elasticquotas", {{"metadata", {{"name", "quota"}, {"namespace", "batch"}}},
                                    {"spec", {{"max", {{"cpu", "2"}}}}}});
    world.api.Serve({"kueue.x-k8s.io/v1beta1", "ClusterQueue", "clusterqueues", false});
    world.api.Put(
        "clusterqueues",
        {{"metadata", {{"name", "kueues"}}},
         {"spec",
          {{"namespaceSelector", json::object()}, {"resourceGroups", GroupsOfNoFlavor()}}}});
    LiveWorld::Process& process = world.Start(7, /*with_lease=*/false, &both);
    world.Run(Duration::Seconds(5));
    world.AddWorkload("gang", {.count = 2, .min_count = 2, .has_template = true});
    world.Run(Duration::Seconds(10));
    world.AddPod("q", 1, {}, "batch");
    world.Run(Duration::Seconds(10));
    world.AddJob("borrows", 1);
    world.Run(Duration::Seconds(10));
    for (const char* name : {"a", "b"}) {
      world.AddPod(name, 1, {{"labels", {{"fairlead.dev/queue", "owner"}}}});
      world.Run(Duration::Seconds(10));
    }
    world.Kill(process);
    for (const auto& [key, workload] : world.api.All("workloads")) {
      shown_.push_back(ShownOf(workload));
    }
    EXPECT_THAT(watched_.lines, testing::Contains("warn ClusterQueue kueues FlavorNotFound"));
    EXPECT_EQ(SaidOf(world, "ClusterQueue"), Lines{"kueue.x-k8s.io/v1beta1 kueues FlavorNotFound"});
    return watched_.lines;
  }

  ScratchDir scratch_;
  const std::string directory_ = scratch_.path() + "/record";
  WriteLines watched_;
  Lines shown_;  // of Workloads, at the end
};

TEST_F(SameStoryTest, Replayed) {
  const Lines live = Live();
  EXPECT_GT(live.size(), 10U);
  WriteLines again;
  const auto replay = trace::ReplayRecord(directory_, &again);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_EQ(replay->differing, 0);
  EXPECT_EQ(again.timed, watched_.timed);
}

// What a record says was asked for. Nothing in it ends: in LiveWorld pods do not.
std::vector<objects::Object> WorkIn(trace::RecordedWorkload recorded) {
  for (objects::Object& object : recorded.objects) {
    virtual_cluster::DropLabel(objects::MetaOf(object).annotations, virtual_cluster::kRunDuration);
    if (auto* job = std::get_if<objects::Job>(&object)) {
      virtual_cluster::DropLabel(job->pod_template.annotations, virtual_cluster::kRunDuration);
    }
    auto* workload = std::get_if<objects::Workload>(&object);
    if (workload == nullptr) continue;
    for (objects::PodSet& set : workload->pod_sets) {
      if (!set.pod_template) continue;
      virtual_cluster::DropLabel(set.pod_template->annotations, virtual_cluster::kRunDuration);
    }
  }
  return std::move(recorded.objects);
}

TEST_F(SameStoryTest, Simulated) {
  const Lines live = Live();
  const auto recorded = trace::ReadRecordedWorkload(directory_);
  ASSERT_TRUE(recorded) << recorded.error().message;
  WriteLines again;
  const auto run = virtual_cluster::Run(WorkIn(*recorded), {.options = {.start = recorded->start},
                                                            .until = recorded->end,
                                                            .observers = {&again},
                                                            .on_submitted = nullptr,
                                                            .on_instant = nullptr});
  ASSERT_TRUE(run);
  EXPECT_EQ(again.lines, live);
}

TEST_F(SameStoryTest, SubmittedWhenItComes) {
  const Lines live = Live();
  const auto recorded = trace::ReadRecordedWorkload(directory_);
  ASSERT_TRUE(recorded) << recorded.error().message;
  std::map<Time, std::vector<objects::Object>> by_time;
  for (objects::Object& object : WorkIn(*recorded)) {
    objects::Labels& annotations = objects::MetaOf(object).annotations;
    const std::string* after = objects::FindLabel(annotations, virtual_cluster::kArrivesAt);
    const Time at = recorded->start + (after == nullptr ? Duration() : *ParseDuration(*after));
    virtual_cluster::DropLabel(annotations, virtual_cluster::kArrivesAt);
    by_time[at].push_back(std::move(object));
  }
  WriteLines again;
  virtual_cluster::VirtualCluster cluster({.start = recorded->start});
  cluster.AddObserver(&again);
  for (auto& [at, objects] : by_time) {
    cluster.RunUntil(at);
    ASSERT_TRUE(cluster.Submit(std::move(objects)));
    cluster.RunUntil(at);
  }
  cluster.RunUntil(recorded->end);
  EXPECT_EQ(again.lines, live);
  Lines shown;
  for (const objects::Object* workload : cluster.List("Workload")) {
    shown.push_back(ShownOf(objects::ToJson(*workload)));
  }
  EXPECT_THAT(shown, testing::SizeIs(2));
  EXPECT_EQ(shown, shown_);
}

}  // namespace
}  // namespace fairlead::live
