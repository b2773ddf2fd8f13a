#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/job_kind.h"
#include "jobs/queued_job.h"

// What a kind of job asks, and what admission and its end make of it.

namespace fairlead::jobs {
namespace {

using objects::Object;

objects::Job Job(std::int32_t parallelism, std::optional<std::int32_t> completions,
                 objects::Labels annotations = {}) {
  objects::Job job;
  job.meta.name = "j";
  job.meta.annotations = std::move(annotations);
  job.suspend = true;
  job.parallelism = parallelism;
  job.completions = completions;
  return job;
}

objects::JobObject MpiJob(std::int32_t workers, std::optional<std::int32_t> min_available) {
  objects::JobObject job(*objects::FindJobRow("MPIJob"));
  job.suspend = true;
  for (const objects::JobRow::PodSet& set : job.row->pod_sets) {
    job.pod_sets.push_back({.row = &set, .name = set.name});
  }
  job.pod_sets[0].counts = {1};
  job.pod_sets[1].counts = {workers};
  job.pod_sets[1].min = min_available;
  return job;
}

// "main 20 min 10 left 20"
std::string Sets(const Object& job) {
  std::string text;
  for (const PodSet& set : jobs::KindOf(job)->PodSets(job)) {
    text += (text.empty() ? "" : ", ") + std::string(set.name) + " " + std::to_string(set.count) +
            " min " + std::to_string(set.min_count) + " left " + std::to_string(set.left);
  }
  return text;
}

const objects::Labels kMin10 = {{"fairlead.dev/min-parallelism", "10"}};
const objects::Labels kFollows = {{"fairlead.dev/completions-equal-parallelism", "true"},
                                  {"fairlead.dev/min-parallelism", "10"}};

TEST(BatchJobs, AskForWhatRunsAtOnce) {
  EXPECT_EQ(Sets(Job(20, 30, kMin10)), "main 20 min 10 left 20");
  EXPECT_EQ(Sets(Job(30, 20, kMin10)), "main 20 min 10 left 20");
  EXPECT_EQ(Sets(Job(20, 30, {{"kueue.x-k8s.io/job-min-parallelism", "7"}})),
            "main 20 min 7 left 20");
  // Ours before Kueue's.
  EXPECT_EQ(Sets(Job(20, 30,
                     {{"fairlead.dev/min-parallelism", "9"},
                      {"kueue.x-k8s.io/job-min-parallelism", "7"}})),
            "main 20 min 9 left 20");
  EXPECT_EQ(Sets(Job(20, std::nullopt)), "main 20 min 20 left 20");
  // Kubernetes' own behind both.
  objects::Job gang = Job(20, 30);
  gang.gang_min = 8;
  EXPECT_EQ(Sets(gang), "main 20 min 8 left 20");
  gang.meta.annotations = kMin10;
  EXPECT_EQ(Sets(gang), "main 20 min 10 left 20");
  objects::Job late = Job(20, 30, kMin10);
  late.succeeded = 25;
  EXPECT_EQ(Sets(late), "main 20 min 10 left 5");
  late.complete = true;
  EXPECT_EQ(Sets(late), "main 20 min 10 left 0");
}

TEST(BatchJobs, AreNotCutOnceIndexesAreDone) {
  objects::Job job = Job(20, 20, kFollows);
  job.indexed = true;
  EXPECT_EQ(Sets(job), "main 20 min 10 left 20");
  job.succeeded = 3;
  EXPECT_EQ(Sets(job), "main 20 min 20 left 17");
}

TEST(BatchJobs, RunAndGetBackWhatTheyAsked) {
  struct Row {
    objects::Labels annotations;
    std::int32_t parallelism;
    std::optional<std::int32_t> completions;
    std::int32_t admitted;
    std::int32_t runs;
    std::optional<std::int32_t> runs_completions;
  };
  const Row rows[] = {
      {kMin10, 20, 30, 15, 15, 30},   {kFollows, 20, 20, 15, 15, 15},
      {kFollows, 20, 20, 20, 20, 20}, {kMin10, 20, std::nullopt, 11, 11, std::nullopt},
      {{}, 30, 20, 20, 30, 20},  // whole: nothing is written
  };
  for (const Row& row : rows) {
    objects::Job asked = Job(row.parallelism, row.completions, row.annotations);
    asked.indexed = true;
    Object job = asked;
    const Assignments admitted = {{.name = "main", .count = row.admitted}};
    const Assignments wanted = {
        {.name = "main", .count = jobs::KindOf(job)->PodSets(job).front().count}};
    jobs::KindOf(job)->RunWith(job, admitted);
    EXPECT_EQ(std::get<objects::Job>(job).parallelism, row.runs);
    EXPECT_EQ(std::get<objects::Job>(job).completions, row.runs_completions);
    EXPECT_FALSE(std::get<objects::Job>(job).suspend);
    EXPECT_EQ(EditOf(jobs::KindOf(job)->PodSets(job), admitted), "");
    jobs::KindOf(job)->Restore(job, admitted, wanted);
    EXPECT_EQ(std::get<objects::Job>(job), asked);
  }
}

TEST(BatchJobs, KeepWhatTheirUsersEdited) {
  Object job = Job(20, std::nullopt, kMin10);
  const Assignments admitted = {{.name = "main", .count = 15}};
  jobs::KindOf(job)->RunWith(job, admitted);
  std::get<objects::Job>(job).parallelism = 40;
  EXPECT_EQ(EditOf(jobs::KindOf(job)->PodSets(job), admitted),
            "main asks for 40 pods and is admitted with 15");
  jobs::KindOf(job)->Restore(job, admitted, {{.name = "main", .count = 20}});
  EXPECT_EQ(std::get<objects::Job>(job).parallelism, 40);
  EXPECT_TRUE(std::get<objects::Job>(job).suspend);
}

TEST(MpiJobs, CutTheirWorkers) {
  EXPECT_EQ(Sets(MpiJob(6, 2)), "launcher 1 min 1 left 1, worker 6 min 2 left 6");
  // The operator's own default, which counts the launcher: all of them.
  EXPECT_EQ(Sets(MpiJob(6, 7)), "launcher 1 min 1 left 1, worker 6 min 6 left 6");
  EXPECT_EQ(Sets(MpiJob(6, std::nullopt)), "launcher 1 min 1 left 1, worker 6 min 6 left 6");
  EXPECT_EQ(Sets(MpiJob(0, std::nullopt)), "launcher 1 min 1 left 1");
  for (const std::int32_t wrong : {-1, 0, 8}) {
    const Object job = MpiJob(6, wrong);
    EXPECT_EQ(Sets(job), "launcher 1 min 1 left 1, worker 6 min 6 left 6");
    EXPECT_EQ(jobs::KindOf(job)->FaultOfMinimum(job),
              "its minAvailable is " + std::to_string(wrong) +
                  ", expected a number of workers above 0 and below its 6; it is admitted whole or "
                  "not at all");
  }
  const objects::JobObject asked = MpiJob(6, 2);
  Object job = asked;
  const Assignments admitted = {{.name = "launcher", .count = 1}, {.name = "worker", .count = 4}};
  jobs::KindOf(job)->RunWith(job, admitted);
  EXPECT_EQ(std::get<objects::JobObject>(job).pod_sets[1].count(), 4);
  jobs::KindOf(job)->Restore(job, admitted,
                             {{.name = "launcher", .count = 1}, {.name = "worker", .count = 6}});
  EXPECT_EQ(std::get<objects::JobObject>(job), asked);
}

TEST(MpiJobs, OfAllThePodsThereCanBe) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(Sets(MpiJob(kMost, kMost)),
            "launcher 1 min 1 left 1, worker 2147483647 min 2147483647 left 2147483647");
}

// A RayJob is let go, and its Workload was deleted: its submitter, a Job of the same name, is not
// what is to be stopped in its place.
TEST(JobsOfAName, WhatAnotherMadeComesLast) {
  Object ray = objects::JobObject(*objects::FindJobRow("RayJob"));
  objects::Job job = Job(1, 1);
  job.meta.owners = {
      {.api_version = "ray.io/v1", .kind = "RayJob", .name = "j", .uid = "u", .controller = true}};
  Object submitter = job;
  const FindJob both = [&](std::string_view kind) {
    return kind == "Job" ? &submitter : kind == "RayJob" ? &ray : nullptr;
  };
  EXPECT_EQ(ChooseJob(nullptr, both), FindKind("RayJob"));
  const FindJob submitter_alone = [&](std::string_view kind) {
    return kind == "Job" ? &submitter : nullptr;
  };
  EXPECT_EQ(ChooseJob(nullptr, submitter_alone), FindKind("Job"));
}

TEST(JobsOfPods, AreFoundByTheirOwner) {
  objects::Meta pod;
  const objects::OwnerReference launcher_job = {.api_version = "batch/v1",
                                                .kind = "Job",
                                                .name = "m-launcher",
                                                .uid = "u",
                                                .controller = true};
  EXPECT_EQ(FindJobOfPod(pod, &launcher_job).name, "m-launcher");
  pod.labels = {{"training.kubeflow.org/job-name", "m"},
                {"training.kubeflow.org/job-role", "launcher"}};
  const JobOfPod found = FindJobOfPod(pod, &launcher_job);
  EXPECT_EQ(found.kind, FindKind("MPIJob"));
  EXPECT_EQ(found.name, "m");
  EXPECT_EQ(found.pod_set, "launcher");
  const objects::OwnerReference of_another{
      .api_version = "example.org/v1", .kind = "Job", .name = "x", .uid = {}};
  EXPECT_EQ(FindJobOfPod(pod, &of_another).kind, nullptr);
}

TEST(JobsOfPods, OfAComponentAreFoundByTheLabelOfWhatMadeIt) {
  objects::Meta pod;
  pod.name = "eye";
  pod.labels = {{"ray.io/group", "small"}, {"workload.codeflare.dev/appwrapper", "w"}};
  const JobOfPod by_itself = FindJobOfPod(pod, nullptr);
  EXPECT_EQ(by_itself.kind, FindKind("AppWrapper"));
  EXPECT_EQ(by_itself.name, "w");
  EXPECT_EQ(by_itself.component, "eye");

  const objects::OwnerReference cluster{
      .api_version = "ray.io/v1", .kind = "RayCluster", .name = "tune-x7k2", .uid = "u"};
  const JobOfPod of_cluster = FindJobOfPod(pod, &cluster);
  EXPECT_EQ(of_cluster.kind, FindKind("AppWrapper"));
  EXPECT_EQ(of_cluster.component, "tune-x7k2");
  EXPECT_EQ(of_cluster.pod_set, "small");

  const objects::OwnerReference replicas{
      .api_version = "apps/v1", .kind = "ReplicaSet", .name = "web-5d8f", .uid = "u"};
  EXPECT_EQ(FindJobOfPod(pod, &replicas).component, "web-5d8f");

  pod.labels.emplace(pod.labels.begin(), "fairlead.dev/pod-set", "w-3");
  EXPECT_EQ(FindJobOfPod(pod, &cluster).pod_set, "w-3");
  EXPECT_EQ(FindJobOfPod(pod, &cluster).component, "");
}

TEST(JobsOfPods, OfAComponentSayItsPodSet) {
  const std::vector<std::string_view> sets = {
      "tune/head", "tune/small", "tune-late/small", "web/", "job/main", "two/", "two/"};
  const auto found = [&](std::string_view said) {
    const std::optional<std::size_t> at = FindOfComponent(sets, said);
    return at ? std::string(sets[*at]) : std::string("none");
  };
  EXPECT_EQ(found("tune/head"), "tune/head");
  EXPECT_EQ(found("tune-x7k2/small"), "tune/small") << "a cluster that a RayJob made";
  EXPECT_EQ(found("tune-late-x7k2/small"), "tune-late/small") << "the longest name counts";
  EXPECT_EQ(found("web-5d8f/"), "web/");
  EXPECT_EQ(found("job/"), "job/main") << "its only pod set";
  EXPECT_EQ(found("tune/"), "none") << "of which one?";
  EXPECT_EQ(found("two/"), "none");
  EXPECT_EQ(found("tuned/head"), "none");
  EXPECT_EQ(found("tune/large"), "none");
}

}  // namespace
}  // namespace fairlead::jobs
