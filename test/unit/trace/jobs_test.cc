// Readers of traces that know jobs: Philly and SWF.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/file.h"
#include "base/wide_int.h"
#include "engine/explain/report.h"
#include "intake/intake.h"
#include "trace/philly.h"
#include "trace/run.h"
#include "trace/swf.h"
#include "unit/base/scratch_dir.h"

namespace fairlead::trace {
namespace {

using objects::Object;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

template <typename T>
std::vector<T> All(const objects::Manifest& manifest) {
  std::vector<T> all;
  for (const Object& object : manifest.objects) {
    if (const auto* one = std::get_if<T>(&object)) all.push_back(*one);
  }
  return all;
}

std::vector<std::string> Messages(const objects::Manifest& manifest) {
  std::vector<std::string> lines;
  for (const objects::Fault& fault : manifest.faults) {
    lines.push_back(fault.file + ":" + std::to_string(fault.line) + ": " + fault.field + ": " +
                    fault.message);
  }
  return lines;
}

const Machine kMachine{.nodes = 4, .per_node = 8, .resource = "nvidia.com/gpu"};
constexpr std::string_view kJobs =
    "timestamp,duration,num_gpus,gpu_time,cluster\n"
    "2017-10-09 07:01:55,66.0,1,66.0,a\n"
    "2017-10-09 07:00:00,2.5,12,30.0,b\n"
    "2017-10-09 07:00:30,10,16,160.0,late\n";

objects::Manifest Philly(std::string_view jobs, std::string_view tenants = "vc,node num\n") {
  objects::Manifest manifest;
  ReadPhilly(jobs, "jobs.csv", tenants, "vc.csv", kMachine, manifest);
  return manifest;
}

TEST(Philly, RowsAreSortedByTime) {
  const objects::Manifest manifest = Philly(kJobs);
  ASSERT_THAT(Messages(manifest), IsEmpty());
  const auto gangs = All<objects::Workload>(manifest);
  const auto jobs = All<objects::Job>(manifest);
  ASSERT_THAT(gangs, SizeIs(2));
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(gangs[0].meta.name, "job-000001");
  EXPECT_EQ(gangs[0].queue_name, "b");
  // 12 GPUs: a whole node and half of one.
  ASSERT_THAT(gangs[0].pod_sets, SizeIs(2));
  EXPECT_EQ(gangs[0].pod_sets[0].count, 1);
  EXPECT_EQ(gangs[0].pod_sets[1].pod_template->spec.needs.request,
            (objects::ResourceList{{"nvidia.com/gpu", 4'000}}));
  EXPECT_EQ(*objects::FindLabel(gangs[0].pod_sets[0].pod_template->annotations,
                                "fairlead.dev/run-duration"),
            "2.5s");
  EXPECT_EQ(gangs[1].pod_sets[0].count, 2);
  EXPECT_EQ(jobs[0].meta.name, "job-000003");
  EXPECT_EQ(*objects::FindLabel(jobs[0].meta.annotations, "fairlead.dev/arrives-at"), "115s");
  EXPECT_EQ(All<objects::Node>(manifest)[0].meta.creation_time, *ParseTime("2017-10-09T07:00:00Z"));
}

// 32 GPUs in parts of 3 : 2 : 2: 13.7, 9.1 and 9.1 are 13, 9, 9; the one left goes to the largest
// rest.
TEST(Philly, GuaranteesAddUp) {
  const auto queues = All<objects::Queue>(Philly(kJobs, "vc,node num\na,3\nb,2\nc,2\n"));
  std::vector<std::string> told;
  for (const objects::Queue& queue : queues) {
    told.push_back(queue.meta.name + " " +
                   std::to_string(objects::AmountOf(queue.guaranteed, "nvidia.com/gpu") / 1000));
  }
  EXPECT_THAT(told, ElementsAre("a 14", "b 9", "c 9", "late 0"));
}

TEST(Philly, FaultsNameTheirLine) {
  EXPECT_THAT(
      Messages(Philly("timestamp,duration,num_gpus,gpu_time,cluster\n"
                      "yesterday,1,1,1,a\n"
                      "2017-10-09 07:00:00,-1,1,1,a\n"
                      "2017-10-09 07:00:00,1.x,1,1,a\n"
                      "2017-10-09 07:00:00,1,0,1,\n"
                      "2017-10-09 07:00:00,1\n")),
      ElementsAre(
          "jobs.csv:2: timestamp: found \"yesterday\", expected a time such as 2017-10-09 "
          "07:01:55",
          "jobs.csv:3: duration: found \"-1\", expected seconds, not negative, such as 66.0",
          "jobs.csv:4: duration: found \"1.x\", expected seconds, not negative, such as "
          "66.0",
          "jobs.csv:5: num_gpus: found \"0\", expected a whole number 1..100000",
          "jobs.csv:5: cluster: is empty, expected a name",
          "jobs.csv:6: : has 2 fields, expected 5 as in the header"));
  EXPECT_THAT(Messages(Philly(kJobs, "vc,node num\na,1\na,2\n")),
              ElementsAre("vc.csv:3: vc: \"a\" is there twice, expected unique names"));
  EXPECT_THAT(Messages(Philly("a,b\n1,2\n")), SizeIs(4));
}

TEST(Philly, EverythingRunsToItsEnd) {
  const auto result = fairlead::trace::Run(Philly(kJobs, "vc,node num\na,1\n").objects, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->metrics.finished, 5);
  EXPECT_TRUE(result->idle);
}

constexpr std::string_view kSwf =
    "; Version: 2.2\n"
    ";  MaxNodes:  4 (since 1996)\n"
    "; MaxProcs: 16\n"
    "; UnixStartTime: 86400\n"
    "\n"
    "1 0 5 60 4 -1 -1 2 -1 -1 1 1 1 1 3 -1 -1 -1\n"
    "  2 10 0 30.00 10 -1 -1 -1 -1 -1 1 1 1 1 -1 -1 -1 -1\r\n"
    "3 20 -1 -1 4 -1 -1 4 -1 -1 5 1 1 1 3 -1 -1 -1\n"
    "4 20 -1 0 -1 -1 -1 -1 -1 -1 5 1 1 1 3 -1 -1 -1\n";

objects::Manifest Swf(std::string_view text, const Machine& machine = {}) {
  objects::Manifest manifest;
  ReadSwf(text, "log.swf", machine, manifest);
  return manifest;
}

TEST(Swf, ReadsHeaderAndJobs) {
  const objects::Manifest manifest = Swf(kSwf);
  ASSERT_THAT(Messages(manifest), IsEmpty());
  const auto nodes = All<objects::Node>(manifest);
  ASSERT_THAT(nodes, SizeIs(4));
  EXPECT_EQ(objects::AmountOf(nodes[0].allocatable, "cpu"), 4'000);
  EXPECT_EQ(nodes[0].meta.creation_time, Time{86'400'000'000});
  // Jobs 3 and 4 never ran.
  const auto jobs = All<objects::Job>(manifest);
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(jobs[0].meta.name, "job-1");
  EXPECT_EQ(jobs[0].pod_template.spec.needs.request, (objects::ResourceList{{"cpu", 2'000}}));
  EXPECT_EQ(*objects::FindLabel(jobs[0].pod_template.labels, "fairlead.dev/queue"), "queue-3");
  // Requested is unknown: what it was allocated, 10 cores on nodes of 4.
  const auto gangs = All<objects::Workload>(manifest);
  ASSERT_THAT(gangs, SizeIs(1));
  EXPECT_EQ(gangs[0].queue_name, "");
  EXPECT_EQ(gangs[0].pod_sets[0].count, 2);
  EXPECT_EQ(gangs[0].pod_sets[1].pod_template->spec.needs.request,
            (objects::ResourceList{{"cpu", 2'000}}));
}

// Requested times of an hour, of half a minute for a job that ran a whole one, and of a day for a
// gang.
TEST(Swf, TheRequestedTimeIsItsLimit) {
  const objects::Manifest manifest =
      Swf("; MaxNodes: 4\n; MaxProcs: 16\n"
          "1 0 5 60 4 -1 -1 2 3600 -1 1 1 1 1 3 -1 -1 -1\n"
          "2 0 5 60 4 -1 -1 2 30 -1 1 1 1 1 3 -1 -1 -1\n"
          "3 0 5 60 8 -1 -1 8 86400 -1 1 1 1 1 3 -1 -1 -1\n"
          "4 0 5 60 4 -1 -1 2 -1 -1 1 1 1 1 3 -1 -1 -1\n");
  ASSERT_THAT(Messages(manifest), IsEmpty());
  std::vector<std::string> said;
  for (const objects::Job& job : All<objects::Job>(manifest)) {
    const std::string* limit =
        objects::FindLabel(job.pod_template.annotations, "fairlead.dev/max-run-time");
    said.push_back(limit == nullptr ? "none" : *limit);
  }
  EXPECT_THAT(said, ElementsAre("3600s", "60s", "none"));
  const auto gangs = All<objects::Workload>(manifest);
  ASSERT_THAT(gangs, SizeIs(1));
  EXPECT_EQ(*objects::FindLabel(gangs[0].meta.annotations, "fairlead.dev/max-run-time"), "86400s");
}

TEST(Swf, TheMachineMayBeAnother) {
  const auto nodes = All<objects::Node>(Swf(kSwf, {.nodes = 2, .per_node = 32, .resource = ""}));
  ASSERT_THAT(nodes, SizeIs(2));
  EXPECT_EQ(objects::AmountOf(nodes[0].allocatable, "cpu"), 32'000);
}

TEST(Swf, FaultsNameTheirLine) {
  EXPECT_THAT(
      Messages(Swf("; MaxProcs: 4\n"
                   "1 0 5 60 4\n"
                   "x 0 5 60 4 -1 -1 2 -1 -1 1 1 1 1 3 -1 -1 -1\n"
                   "2 0 5 60 4 -1 -1 2 -1 -1 1 1 1 1 3 -1 -1 -1\n"
                   "2 0 5 60 4 -1 -1 2 -1 -1 1 1 1 1 3 -1 -1 -1\n")),
      ElementsAre("log.swf:2: : has 5 fields, expected 18",
                  "log.swf:3: : field 1 is \"x\", expected a whole number 0..9007199254740992",
                  "log.swf:5: : job 2 is there twice, expected unique numbers"));
  EXPECT_THAT(Messages(Swf("1 0 5 60 4 -1 -1 2 -1 -1 1 1 1 1 3 -1 -1 -1\n")),
              ElementsAre("log.swf:1: : says neither MaxNodes nor MaxProcs, expected one, or "
                          "--nodes"));
}

// Many of one moment, gangs among them, of some queues, some that never ran; `in_order`: by
// submission.
std::string RandomSwf(std::uint64_t seed, bool in_order) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t most) { return random() % most; };
  std::string text = "; MaxNodes: 4\n; MaxProcs: 16\n";
  std::uint64_t second = 0;
  for (int i = 1; i <= 300; ++i) {
    text += fmt::format("{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 1 1 1 {5} -1 -1 -1\n", 3 * i,
                        in_order ? second : below(1000), below(40) == 0 ? -1 : 60, 1 + below(12),
                        30 + below(90), below(3));
    second += below(3) * below(9);
  }
  return text;
}

std::vector<std::string> Told(JobRows& rows, const JobList& list) {
  std::vector<std::string> told;
  while (const TraceJob* job = rows.Next()) {
    told.push_back(fmt::format("{} {} {} {} {} {} {}", list.NameOf(*job), job->line,
                               FormatDuration(job->arrives), FormatDuration(job->runs),
                               FormatDuration(job->limit.value_or(Duration())), job->amount,
                               list.queues[job->queue]));
  }
  return told;
}

TEST(Swf, AFileGivesWhatItsTextDoes) {
  const ScratchDir folder;
  const std::string path = folder.path() + "/log.swf";
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const bool in_order = seed % 2 == 1;
    const std::string text = RandomSwf(seed, in_order);
    ASSERT_TRUE(WriteFile(path, text));
    objects::Manifest of_text, of_file;
    JobList there, in_file;
    ReadSwf(text, path, {}, of_text, there);
    ReadSwfFile(path, {}, of_file, in_file);
    ASSERT_THAT(Messages(of_file), IsEmpty());
    EXPECT_EQ(of_file.objects, of_text.objects);
    EXPECT_EQ(in_file.in_file != nullptr, in_order);
    EXPECT_EQ(in_file.JobCount(), there.JobCount());
    EXPECT_EQ(in_file.PodCount(), there.PodCount());
    const std::vector<std::string> expected = Told(*there.Rows(), there);
    EXPECT_THAT(expected, SizeIs(testing::Ge(270U)));
    EXPECT_EQ(Told(*in_file.Rows(), in_file), expected);
    EXPECT_EQ(Told(*in_file.Rows(), in_file), expected);  // as often as somebody asks
  }
}

TEST(Swf, AFileThatChangesIsRefused) {
  const ScratchDir folder;
  const std::string path = folder.path() + "/log.swf";
  const std::string text = RandomSwf(1, true);
  const std::string texts[] = {text.substr(0, text.size() / 2),
                               text + "1000 5000 -1 60 1 -1 -1 1 90 -1 1 1 1 1 1 -1 -1 -1\n",
                               text + "1000 1 -1 60 1 -1 -1 1 90 -1 1 1 1 1 1 -1 -1 -1\n",
                               text + "1000 5000 -1 60 1 -1 -1 1 90 -1 1 1 1 1 77 -1 -1 -1\n",
                               text + "what is this\n"};
  for (const std::string& changed : texts) {
    ASSERT_TRUE(WriteFile(path, text));
    objects::Manifest manifest;
    auto jobs = std::make_shared<JobList>();
    ReadSwfFile(path, {}, manifest, *jobs);
    ASSERT_NE(jobs->in_file, nullptr);
    ASSERT_TRUE(WriteFile(path, changed));
    RunOptions options{.start = intake::NewestTime(manifest.objects)};
    options.jobs = std::move(jobs);
    const auto result = fairlead::trace::Run(std::move(manifest.objects), options);
    ASSERT_FALSE(result) << changed.substr(changed.size() - 60);
    EXPECT_EQ(result.error().front().ToString(), path + ": was changed while it was read");
  }
}

// As Philly's columns say it: many of one moment, the first at once, gangs, tenants that are sure
// of something and others that borrow it, so that work is stopped and comes back.
std::string RandomPhilly(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t most) { return random() % most; };
  std::string text = "timestamp,duration,num_gpus,cluster\n";
  std::uint64_t second = 0;
  for (int i = 0; i < 400; ++i) {
    text += fmt::format("2017-10-09 {:02}:{:02}:{:02},{}.5,{},{}\n", 7 + second / 3600,
                        second / 60 % 60, second % 60, below(900), 1 + below(i % 5 == 0 ? 20 : 8),
                        below(2) == 0 ? "a" : "b");
    if (i > 3) second += below(3) * below(40);
  }
  return text;
}

struct RunAs {
  bool one_by_one = false, forgets = false;
};
// Of four nodes of 8 GPUs three are a's.
JobList JobsOf(const std::string& text, objects::Manifest& into) {
  JobList jobs;
  ReadPhilly(text, "jobs.csv", "vc,node num\na,3\n", "vc.csv", kMachine, into, jobs);
  return jobs;
}
RunResult RunOf(const std::string& text, RunAs as) {
  objects::Manifest manifest;
  JobList jobs = JobsOf(text, manifest);
  RunOptions options{.start = intake::NewestTime(manifest.objects),
                     .keep_cluster = true,
                     .forget_ended = as.forgets};
  if (as.one_by_one) {
    options.jobs = std::make_shared<const JobList>(std::move(jobs));
  } else {
    AppendJobs(jobs, manifest);
  }
  auto result = Run(std::move(manifest.objects), options);
  return result ? std::move(*result) : RunResult{};
}

TEST(Jobs, ThatComeOneByOneAndAreForgottenFareAsThoseThatAreThere) {
  std::int64_t evictions = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = RandomPhilly(seed);
    const RunResult there = RunOf(text, {});
    ASSERT_EQ(there.metrics.pending + there.metrics.running, 0);
    ASSERT_GE(there.metrics.finished, 400);
    for (const RunAs as : {RunAs{.one_by_one = true}, RunAs{.one_by_one = true, .forgets = true},
                           RunAs{.forgets = true}}) {
      const RunResult result = RunOf(text, as);
      EXPECT_EQ(result.digest, there.digest);
      EXPECT_EQ(result.metrics.finished, there.metrics.finished);
      EXPECT_EQ(result.metrics.waiting.mean, there.metrics.waiting.mean);
      EXPECT_EQ(result.metrics.completion.p95, there.metrics.completion.p95);
      const auto workloads = there.cluster->FinalWorkloads().size();
      EXPECT_EQ(result.cluster->FinalWorkloads().size() +
                    static_cast<std::size_t>(result.cluster->forgotten_workloads()),
                workloads);
      // What ended last is told, and nothing happens after it.
      if (as.forgets) {
        EXPECT_LE(result.cluster->List("Pod").size(), 20U);
      }
    }
    evictions += there.metrics.evictions;
  }
  EXPECT_GT(evictions, 40);
}

// Jobs whose limits are as long as their runs, on kubelets that take their time to begin: each is
// stopped at its limit, and its job is kept out. A cluster that forgets tells of a job only then.
TEST(Jobs, ThatAreStoppedAtTheirLimitFareAsThoseThatAreTold) {
  std::string text = "; MaxNodes: 2\n; MaxProcs: 8\n";
  for (int i = 1; i <= 60; ++i) {
    text += fmt::format("{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 1 1 1 1 -1 -1 -1\n", i, i * 7,
                        60 + i % 11, 1 + i % 6, i % 3 == 0 ? 1000 : 1);
  }
  std::vector<std::string> digests;
  for (const RunAs as : {RunAs{}, RunAs{.one_by_one = true, .forgets = true}}) {
    objects::Manifest manifest;
    auto jobs = std::make_shared<JobList>();
    ReadSwf(text, "log.swf", {}, manifest, *jobs);
    RunOptions options{.start = intake::NewestTime(manifest.objects),
                       .delays = {.start = Duration::Seconds(45)},
                       .until = Duration::Seconds(86'400),
                       .keep_cluster = true,
                       .forget_ended = as.forgets};
    if (!as.one_by_one) AppendJobs(*jobs, manifest);
    if (as.one_by_one) options.jobs = std::move(jobs);
    const auto result = fairlead::trace::Run(std::move(manifest.objects), options);
    ASSERT_TRUE(result);
    EXPECT_GE(result->metrics.evictions, 30);
    digests.push_back(result->digest);
    const auto left = result->cluster->List("Job");
    std::int64_t kept_out = 0;
    for (const objects::Object* job : left) {
      const objects::Meta& meta = objects::MetaOf(*job);
      kept_out += objects::FindLabel(meta.annotations, "fairlead.dev/stopped") != nullptr ? 1 : 0;
    }
    EXPECT_EQ(kept_out, 20);  // the rest are gangs, or end in time
  }
  EXPECT_EQ(digests[0], digests[1]);
}

// Usage as time.md §7 says it, from a ledger's rows: at each whole minute what was used by then
// decays, and what pods held in that minute is added, in thousandths of GPUs × seconds.
WideInt UsageOf(const account::Ledger& ledger, std::string_view queue, Duration half_life,
                Time until) {
  constexpr std::int64_t kMinute = 60'000'000;
  const auto gpu = static_cast<std::size_t>(std::ranges::find(ledger.resources, "nvidia.com/gpu") -
                                            ledger.resources.begin());
  const auto left = static_cast<WideInt>(
      std::llround(std::ldexp(std::exp2(-60.0 * 1e6 / static_cast<double>(half_life.us)), 40)));
  std::map<std::int64_t, WideInt> held;  // by minute, in thousandths × µs
  for (const account::Stay& stay : ledger.stays) {
    if (ledger.Name(stay.queue) != queue) continue;
    const std::int64_t end = std::min(stay.end, ledger.end).us;
    for (std::int64_t at = stay.begin.us; at < end;) {
      const std::int64_t minute = at / kMinute;
      const std::int64_t to = std::min(end, (minute + 1) * kMinute);
      held[minute] += static_cast<WideInt>(ledger.Amount(stay.amounts, gpu)) * (to - at);
      at = to;
    }
  }
  WideInt used = 0;
  for (std::int64_t minute = ledger.start.us / kMinute; minute < until.us / kMinute; ++minute) {
    used = (used * left + (WideInt{1} << 39)) >> 40;
    used += held[minute] / 1'000'000;
  }
  return used;
}

TEST(Jobs, QueuesUsedWhatTheLedgerSays) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const Duration half_life = seed % 2 == 0 ? Duration::Seconds(60) : Duration::Seconds(3600);
    objects::Manifest manifest;
    AppendJobs(JobsOf(RandomPhilly(seed), manifest), manifest);
    RunOptions options{.start = intake::NewestTime(manifest.objects),
                       .configuration = objects::SchedulerConfiguration{},
                       .until = Duration::Seconds(4000 + 777 * static_cast<std::int64_t>(seed)),
                       .keep_ledger = true,
                       .keep_cluster = true};
    options.configuration->usage = {.half_life = half_life, .influence_milli = 500};
    const auto result = fairlead::trace::Run(std::move(manifest.objects), options);
    ASSERT_TRUE(result);
    for (const engine::QueueReport& queue : engine::ReportQueues(result->cluster->scheduler())) {
      if (queue.name != "a" && queue.name != "b") continue;
      ASSERT_TRUE(queue.usage_at);
      const WideInt expected = UsageOf(*result->ledger, queue.name, half_life, *queue.usage_at);
      std::string said = "none";
      for (const auto& [name, amount] : queue.usage) {
        if (name == "nvidia.com/gpu") said = amount;
      }
      EXPECT_EQ(said, FormatWide(expected, 3)) << queue.name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 10);
}

TEST(Philly, TheWholeTraceIsRead) {
  const char* set = std::getenv("FAIRLEAD_DATA");
  const std::filesystem::path folder =
      (set != nullptr ? std::filesystem::path(set)
                      : std::filesystem::path(__FILE__).parent_path() / "../../../../shared/data") /
      "philly";
  if (!std::filesystem::exists(folder / "philly.csv")) GTEST_SKIP() << "no " << folder;
  objects::Manifest manifest;
  JobList jobs;
  ReadPhillyFiles(folder / "philly.csv", folder / "philly_vc.csv",
                  {.nodes = 64, .per_node = 8, .resource = "nvidia.com/gpu"}, manifest, jobs);
  AppendJobs(jobs, manifest);
  EXPECT_THAT(Messages(manifest), IsEmpty());
  EXPECT_THAT(All<objects::Job>(manifest), SizeIs(81'958));
  EXPECT_THAT(All<objects::Workload>(manifest), SizeIs(289));
  std::int64_t guaranteed = 0;
  for (const objects::Queue& queue : All<objects::Queue>(manifest)) {
    guaranteed += objects::AmountOf(queue.guaranteed, "nvidia.com/gpu");
  }
  EXPECT_EQ(guaranteed, 512'000);
}

}  // namespace
}  // namespace fairlead::trace
