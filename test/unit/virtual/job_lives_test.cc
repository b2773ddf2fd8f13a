// Whole lives of jobs of every kind in small clusters, drawn by a seed: they wait, are admitted,
// with fewer pods where their row and the cluster are so, are stopped as another queue wants its
// guarantee, get back what they asked, and end.
//
// At every instant who waits is as it was submitted, and who runs has what its Workload admits.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "base/random.h"
#include "engine/audit/audit.h"
#include "jobs/job_kind.h"
#include "unit/engine/soak.h"
#include "unit/jobs/any_job.h"
#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

constexpr int kMostPods = 7;

class LifeAuditor : public drive::Observer {
 public:
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    EXPECT_THAT(engine::Audit(scheduler, plan), testing::IsEmpty());
  }
};

// How often, by kind.
struct LifeTotals {
  std::map<std::string, int> let_go, fewer, stopped, ended;
};

class JobLives {
 public:
  JobLives(std::uint64_t seed, LifeTotals& totals)
      : random_(seed),
        totals_(totals),
        run_(Queue("q", "") + Queue("r", "guaranteed: {cpu: 6}") + Node("n0", "cpu: 6"),
             {.grace = Duration::Seconds(Below(3))}) {
    run_.cluster.AddObserver(&auditor_);
  }

  void Live() {
    std::int64_t now = 0;
    for (int i = 0; i < 3; ++i) {
      Submit(i);
      for (int k = Below(4); k > 0; --k) SubmitOther();
      RunTo(now += 1 + Below(20));
      if (Below(2) == 0) run_.Submit(Node("n" + std::to_string(1 + Below(2)), "cpu: 3"));
      RunTo(now += 1 + Below(20));
    }
    for (int k = Below(7); k > 0; --k) SubmitOther();
    RunTo(now += 1 + Below(30));
    run_.Submit(Node("large", "cpu: 30"));
    while (run_.cluster.Step()) Check();
    for (const auto& [name, job] : submitted_) JudgeEnd(name, job);
  }

 private:
  int Below(int n) { return static_cast<int>(random_.Below(static_cast<std::uint64_t>(n))); }
  std::string UpTo(int seconds) { return std::to_string(1 + Below(seconds)) + "s"; }

  void Submit(int i) {
    const std::vector<const objects::JobRow*> rows = jobs::DrawnRows();
    objects::PodTemplate of;
    of.annotations = {{"fairlead.dev/run-duration", UpTo(60)}};
    of.spec.scheduler_name = "fairlead";
    of.spec.needs.request = {{"cpu", 1000}};
    objects::Object job = jobs::DrawJob(*rows[random_.Below(rows.size())], of, kMostPods, random_);
    objects::Meta& meta = objects::MetaOf(job);
    meta.name = "j" + std::to_string(i);
    meta.name_space = "a";
    meta.labels = {{"fairlead.dev/queue", "q"}};
    submitted_.emplace(meta.name, job);
    ASSERT_TRUE(run_.cluster.Submit({job}));
  }
  void SubmitOther() {
    run_.Submit(Pod("p" + std::to_string(pods_++), "1",
                    "labels: {fairlead.dev/queue: r}, annotations: {fairlead.dev/run-duration: " +
                        UpTo(40) + "}"));
  }

  void RunTo(std::int64_t seconds) {
    const Time until = Begin() + Duration::Seconds(seconds);
    for (;;) {
      const std::optional<Time> next = run_.cluster.NextEventTime();
      if (!next || *next > until) break;
      run_.cluster.Step();
      Check();
    }
    run_.cluster.RunUntil(until);
  }

  const objects::Object& Shown(const std::string& name, const objects::Object& job) const {
    return *run_.cluster.Find(objects::KindOf(job), "a", name);
  }

  void Check() {
    for (const auto& [name, job] : submitted_) {
      const jobs::JobKind& kind = *jobs::KindOf(job);
      const objects::Object& now = Shown(name, job);
      if (kind.is_let_go_by_pods() || kind.IsComplete(now)) continue;
      SCOPED_TRACE(std::string(kind.kind()) + " " + name);
      const bool ran = std::exchange(runs_[name], !kind.IsSuspended(now));
      if (!runs_[name]) {
        EXPECT_EQ(kind.WrittenOf(now), kind.WrittenOf(job)) << "it waits as another than it came";
        totals_.stopped[std::string(kind.kind())] += ran ? 1 : 0;
        continue;
      }
      const objects::Object* workload = run_.cluster.Find("Workload", "a", name);
      ASSERT_NE(workload, nullptr);
      const auto& admission = std::get<objects::Workload>(*workload).admission;
      // A Job with fewer pods left asks for no more than these.
      if (!kind.counts_successes()) {
        EXPECT_EQ(jobs::UnlikeItsAdmission(now, admission), "");
      }
      if (!ran) NoteLetGo(kind, job, admission);
    }
  }

  void NoteLetGo(const jobs::JobKind& kind, const objects::Object& job,
                 const jobs::Assignments& admission) {
    ++totals_.let_go[std::string(kind.kind())];
    bool fewer = false;
    for (const jobs::PodSet& set : kind.PodSets(job)) {
      const std::int32_t count = jobs::CountOf(admission, set.name).value_or(0);
      EXPECT_GE(count, set.min_count) << set.name;
      EXPECT_LE(count, set.count) << set.name;
      fewer |= count < set.count;
    }
    totals_.fewer[std::string(kind.kind())] += fewer ? 1 : 0;
  }

  // There was room for all at last, and time.
  void JudgeEnd(const std::string& name, const objects::Object& job) {
    const jobs::JobKind& kind = *jobs::KindOf(job);
    SCOPED_TRACE(std::string(kind.kind()) + " " + name);
    const objects::JobRow& row = *objects::FindJobRow(kind.kind());
    if (!row.finished.succeeded.empty()) {
      EXPECT_TRUE(kind.IsComplete(Shown(name, job)));
      const objects::Object* workload = run_.cluster.Find("Workload", "a", name);
      ASSERT_NE(workload, nullptr);
      totals_.ended[std::string(kind.kind())] += 1;
    }
    EXPECT_FALSE(kind.IsSuspended(Shown(name, job)));
    for (const objects::Object* each : run_.cluster.List("Pod")) {
      const auto& pod = std::get<objects::Pod>(*each);
      EXPECT_TRUE(pod.finished()) << pod.meta.name << " waits, or runs for ever";
    }
  }

  Random random_;
  LifeTotals& totals_;
  LifeAuditor auditor_;
  Simulated run_;
  std::map<std::string, objects::Object> submitted_;
  std::map<std::string, bool> runs_;
  int pods_ = 0;
};

TEST(RandomJobLives, AreThoseOfTheirRows) {
  LifeTotals totals;
  const engine::Seeds seeds = engine::SeedsOf(150);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    SCOPED_TRACE("FAIRLEAD_SEED=" + std::to_string(seed));
    JobLives(seed, totals).Live();
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  int fewer = 0;
  for (const objects::JobRow* row : jobs::DrawnRows()) {
    SCOPED_TRACE(row->kind);
    fewer += totals.fewer[row->kind];
    if (row->is_let_go_by_pods()) continue;
    EXPECT_GE(totals.let_go[row->kind], engine::Enough(4));
    EXPECT_GE(totals.stopped[row->kind], engine::Enough(4) / 4);
    if (row->finished.succeeded.empty()) continue;
    EXPECT_GE(totals.ended[row->kind], engine::Enough(4));
  }
  EXPECT_GE(fewer, engine::Enough(20));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
