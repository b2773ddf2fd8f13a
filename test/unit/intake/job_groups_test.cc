#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/intake.h"
#include "objects/job_rows.h"
#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Jobs that come in groups, of which each is a workload: LeaderWorkerSets, whose pods StatefulSets
// own.

namespace fairlead::intake {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string TemplateOf(std::string_view cpu, std::string_view scheduler = "fairlead") {
  return std::string("{spec: {schedulerName: ")
      .append(scheduler)
      .append(", containers: [{name: c, resources: {requests: {cpu: ")
      .append(cpu)
      .append("}}}]}}");
}

std::string Lws(std::string_view size, std::string_view meta = "", std::string_view more = "",
                std::string_view name = "serve") {
  std::string text =
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {namespace: a, "
      "creationTimestamp: 2026-01-01T00:00:00Z, name: ";
  text.append(name).append(meta.empty() ? "" : ", ").append(meta);
  text.append("}, spec: {replicas: 2, leaderWorkerTemplate: {size: ").append(size);
  text.append(", workerTemplate: ").append(TemplateOf("1")).append("}");
  return text.append(more.empty() ? "" : ", ").append(more) + "}}\n---\n";
}

std::string LabelsOf(std::string_view group, std::string_view index,
                     std::string_view name = "serve") {
  std::string text = "labels: {leaderworkerset.sigs.k8s.io/name: ";
  text.append(name).append(", leaderworkerset.sigs.k8s.io/group-index: \"").append(group);
  text.append("\"");
  if (!index.empty())
    text.append(", leaderworkerset.sigs.k8s.io/worker-index: \"" + std::string(index) + "\"");
  return text + "}";
}

// "serve-0" leads group 0, "serve-0-1" is its first worker. A StatefulSet owns either.
std::string LwsPod(std::string_view group, int index) {
  std::string name = "serve-" + std::string(group);
  if (index > 0) name += "-" + std::to_string(index);
  return Pod(name, LabelsOf(group, std::to_string(index)) +
                       ", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: serve, "
                       "uid: s, controller: true}]");
}

// But for queues.
std::vector<std::string> GroupsIn(World& world) {
  std::vector<std::string> lines = world.Picture();
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("queue "); });
  return lines;
}

class JobGroupsTest : public testing::TestWithParam<Row> {};
TEST_P(JobGroupsTest, Gives) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(GroupsIn(world), testing::ElementsAreArray(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    LeaderWorkerSet, JobGroupsTest,
    testing::Values(
        // Each group is one, by its labels alone; the workers that are to come count.
        Row{"Groups",
            Queue("q") + Lws("3", "labels: {fairlead.dev/queue: q}") + LwsPod("0", 0) +
                LwsPod("0", 1) + LwsPod("1", 0),
            {"pod a/serve-0 pending workload=a/serve-0[0]",
             "pod a/serve-0-1 pending workload=a/serve-0[1]",
             "pod a/serve-1 pending workload=a/serve-1[0]",
             "workload a/serve-0 queue=q silent leader=1/1 expects=cpu:1 worker=2/2 expects=cpu:1",
             std::string("workload a/serve-1 queue=q silent leader=1/1 expects=cpu:1 ") +
                 "worker=2/2 expects=cpu:1"}},
        // No pods, no groups: they come when their pods do.
        Row{"TheObjectAlone", Lws("3"), {}},
        Row{"LeadersOnly",
            Lws("1") + LwsPod("0", 0),
            {"pod a/serve-0 pending workload=a/serve-0[0]",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1"}},
        Row{"SizeZero",
            Lws("0") + LwsPod("0", 0),
            {"pod a/serve-0 pending workload=a/serve-0[0]",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1"}},
        Row{"AWorkerOfAGroupThatHasNone",
            Lws("1") + LwsPod("0", 1),
            {"pod a/serve-0-1 pending solo queue=default hold=WorkloadNotFound",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1"}},
        Row{"ABillion",
            Lws("1000000000") + LwsPod("0", 0),
            {"pod a/serve-0 pending workload=a/serve-0[0]",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1 "
             "worker=999999999/999999999 expects=cpu:1"}},
        Row{"ItsObjectIsMissing",
            LwsPod("0", 0),
            {"pod a/serve-0 pending solo queue=default hold=WorkloadNotFound"}},
        // Labels are anybody's: whoever is beyond the size waits.
        Row{"AForeignPod",
            Lws("2") + LwsPod("0", 0) + LwsPod("0", 1) + Pod("z", LabelsOf("0", "1")),
            {"pod a/serve-0 pending workload=a/serve-0[0]",
             "pod a/serve-0-1 pending workload=a/serve-0[1]",
             "pod a/z pending workload=a/serve-0[1] hold=NotInAdmittedCount",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1 worker=1/1 "
             "expects=cpu:1"}},
        Row{"NamesNoGroup",
            Lws("2") + Pod("p", "labels: {leaderworkerset.sigs.k8s.io/name: serve}"),
            {"pod a/p pending solo queue=default"}},
        Row{"NamesNoIndex",
            Lws("2") + Pod("p", LabelsOf("0", "")),
            {"pod a/p pending solo queue=default hold=WorkloadNotFound",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1 worker=1/1 "
             "expects=cpu:1"}},
        // The pods of a Job are the Job's, whatever their labels say.
        Row{"OfAJob",
            Lws("2") + Job("j", "uid: u", "parallelism: 1") +
                Pod("p", LabelsOf("0", "0") + ", " + OfJob("j")),
            {"pod a/p pending solo queue=default"}},
        // The Job's name is the group's.
        Row{"ItsNameIsTaken",
            Queue("q") + Lws("2") +
                Job("serve-0", "labels: {fairlead.dev/queue: q}",
                    "suspend: true, parallelism: 1, completions: 1") +
                LwsPod("0", 0),
            {"pod a/serve-0 pending solo queue=default hold=WorkloadNotFound",
             "workload a/serve-0 queue=q main=1/1 expects=cpu:2"}},
        // "a-b" 0 and "a" b-0 are one name: the first by its object's counts.
        Row{"TwoOfOneName",
            Lws("1", "", "", "x") + Lws("1", "", "", "x-b") + Pod("p", LabelsOf("b-0", "0", "x")) +
                Pod("r", LabelsOf("0", "0", "x-b")),
            {"pod a/p pending workload=a/x-b-0[0]",
             "pod a/r pending solo queue=default hold=WorkloadNotFound",
             "workload a/x-b-0 queue=default silent leader=1/1 expects=cpu:1"}},
        // Another group that it names counts for nothing: the job is the outermost.
        Row{"NamesAPodGroupToo",
            Lws("1") +
                Pod("p", "annotations: {scheduling.k8s.io/group-name: g}, " + LabelsOf("0", "0")),
            {"pod a/p pending workload=a/serve-0[0]",
             "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1"}}),
    RowName());

// In whatever order they come, and when the object goes or changes.
TEST(JobGroups, FollowTheirObject) {
  World world;
  world.Upsert(LwsPod("0", 0) + LwsPod("0", 1));
  EXPECT_THAT(GroupsIn(world), Contains("pod a/serve-0 pending solo queue=default "
                                        "hold=WorkloadNotFound"));
  world.Upsert(Lws("2"));
  EXPECT_THAT(
      GroupsIn(world),
      ElementsAre("pod a/serve-0 pending workload=a/serve-0[0]",
                  "pod a/serve-0-1 pending workload=a/serve-0[1]",
                  "workload a/serve-0 queue=default silent leader=1/1 expects=cpu:1 worker=1/1 "
                  "expects=cpu:1"));
  // Into another queue, and without workers.
  world.Upsert(Queue("q") + Lws("1", "labels: {fairlead.dev/queue: q}"));
  EXPECT_THAT(GroupsIn(world),
              ElementsAre("pod a/serve-0 pending workload=a/serve-0[0]",
                          "pod a/serve-0-1 pending solo queue=q hold=WorkloadNotFound",
                          "workload a/serve-0 queue=q silent leader=1/1 expects=cpu:1"));
  world.Upsert(Lws("2"));
  EXPECT_THAT(GroupsIn(world), Contains("pod a/serve-0-1 pending workload=a/serve-0[1]"));
  EXPECT_TRUE(world.intake.Remove("LeaderWorkerSet", "a", "serve"));
  EXPECT_THAT(GroupsIn(world),
              ElementsAre("pod a/serve-0 pending solo queue=default hold=WorkloadNotFound",
                          "pod a/serve-0-1 pending solo queue=default hold=WorkloadNotFound"));
  for (const char* pod : {"serve-0", "serve-0-1"})
    EXPECT_TRUE(world.intake.Remove("Pod", "a", pod));
  EXPECT_THAT(GroupsIn(world), ElementsAre());
}

// What their namespace is bound to, and a class that comes later, are the groups' as well.
TEST(JobGroups, FollowTheirNamespaceAndTheirClass) {
  World world;
  world.Upsert(
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {namespace: a, "
      "name: serve}, spec: {leaderWorkerTemplate: {size: 1, workerTemplate: " +
      TemplateOf("1", "fairlead, priorityClassName: high") + "}}}\n---\n" + LwsPod("0", 0));
  EXPECT_THAT(GroupsIn(world), Contains(HasSubstr("workload a/serve-0 queue=default hold=")));
  world.Upsert(Class("high", 7));
  EXPECT_THAT(GroupsIn(world),
              Contains("workload a/serve-0 queue=default priority=7 silent leader=1/1 "
                       "expects=cpu:1"));
  world.Upsert(Queue("q") + NameSpace("a", "q"));
  EXPECT_THAT(GroupsIn(world),
              Contains("workload a/serve-0 queue=q priority=7 silent leader=1/1 expects=cpu:1"));
}

// A template of another scheduler holds all of its pods back, and says where that stands.
TEST(JobGroups, OfAnotherSchedulerWait) {
  World world;
  world.Upsert(
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: "
      "{namespace: a, name: serve}, spec: {leaderWorkerTemplate: {size: 2, leaderTemplate: " +
      TemplateOf("1", "other") + ", workerTemplate: " + TemplateOf("1") + "}}}\n---\n" +
      LwsPod("0", 1));
  EXPECT_THAT(GroupsIn(world), Contains(HasSubstr("workload a/serve-0 queue=default "
                                                  "hold=OtherScheduler")));
  EXPECT_THAT(world.Findings(),
              Contains(HasSubstr("to spec.leaderWorkerTemplate.leaderTemplate.spec")));
}

// What nobody of ours runs is not ours to say anything of.
TEST(JobGroups, OfAnotherSchedulerAltogetherAreNotOurs) {
  World world;
  world.Upsert(
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {namespace: a, "
      "name: serve}, spec: {leaderWorkerTemplate: {size: 2, workerTemplate: " +
      TemplateOf("1", "other") + "}}}\n---\n" + LwsPod("0", 1));
  EXPECT_THAT(GroupsIn(world), ElementsAre("pod a/serve-0-1 pending solo queue=default"));
  EXPECT_THAT(world.Findings(), Not(Contains(HasSubstr("LeaderWorkerSet"))));
}

}  // namespace
}  // namespace fairlead::intake
