// A simulation goes from moment to moment: ends, then submissions, then a decision. Worked, on 4
// processors (test/unit/bench/policies_test.cc has it):
//
//   job  submitted  processors  runs     first come  EASY  conservative  greedy
//   A    0          2           10       0           0     0             0
//   B    1          3           10       10          10    10            10
//   C    2          4           10       20          33    20            33
//   D    3          1           30       30          3     30            3
//
// At 3 B is the head, surely fits at 10, and leaves one processor over: EASY gives that to D, which
// C, further behind, pays for. Conservatively C has had [20, 30) since it came, and D would be in
// it.

#include "bench/backfill/policies.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <set>
#include <utility>

#include "base/check.h"
#include "bench/backfill/profile.h"

namespace fairlead::bench {
namespace {

using Index = std::size_t;  // into the log's jobs
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

class PolicyRun {
 public:
  explicit PolicyRun(const Log& log)
      : log_(log), free_(log.processors()), starts_(log.jobs.size(), -1) {}
  virtual ~PolicyRun() = default;

  std::vector<std::int64_t> Run() {
    Index next = 0;
    while (next < log_.jobs.size() || !ends_.empty() || !waiting_.empty()) {
      const std::int64_t arrival = next < log_.jobs.size() ? log_.jobs[next].submit : kNever;
      const std::int64_t end = ends_.empty() ? kNever : ends_.top().first;
      now_ = std::min({arrival, end, NextOfItsOwn()});
      CHECK(now_ != kNever);
      while (!ends_.empty() && ends_.top().first == now_) {
        const Index job = ends_.top().second;
        ends_.pop();
        free_ += log_.jobs[job].processors;
        OnEnd(job);
      }
      for (; next < log_.jobs.size() && log_.jobs[next].submit == now_; ++next) {
        CHECK(log_.jobs[next].processors <= log_.processors());
        waiting_.push_back(next);
        OnSubmit(next);
      }
      Decide();
    }
    return std::move(starts_);
  }

 protected:
  virtual void OnSubmit(Index /*job*/) {}
  virtual void OnEnd(Index /*job*/) {}
  virtual void Decide() = 0;
  // When it wants to decide, whatever happens.
  virtual std::int64_t NextOfItsOwn() const { return kNever; }

  const LogJob& Job(Index job) const { return log_.jobs[job]; }
  std::int64_t now() const { return now_; }
  std::int64_t free() const { return free_; }
  std::int64_t StartOf(Index job) const { return starts_[job]; }
  const std::vector<Index>& waiting() const { return waiting_; }

  // Starts those who wait for whom may_start(job) is true and who fit, in order.
  template <typename MayStart>
  void StartWaiting(MayStart may_start) {
    auto stays = waiting_.begin();
    for (const Index job : waiting_) {
      if (Job(job).processors <= free_ && may_start(job)) {
        starts_[job] = now_;
        free_ -= Job(job).processors;
        ends_.emplace(now_ + Job(job).run, job);
        OnStart(job);
      } else {
        *stays++ = job;
      }
    }
    waiting_.erase(stays, waiting_.end());
  }
  // In order, until one does not fit.
  void StartHeads() {
    std::int64_t room = free_;
    std::size_t fitting = 0, asked = 0;
    for (const Index job : waiting_) {
      room -= Job(job).processors;
      if (room < 0) break;
      ++fitting;
    }
    if (fitting > 0) StartWaiting([&](Index) { return asked++ < fitting; });
  }
  virtual void OnStart(Index /*job*/) {}

 private:
  using End = std::pair<std::int64_t, Index>;

  const Log& log_;
  std::int64_t now_ = 0, free_;
  std::vector<std::int64_t> starts_;
  std::vector<Index> waiting_;  // in the order of their submission
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

class Greedy : public PolicyRun {
 public:
  using PolicyRun::PolicyRun;

 private:
  void Decide() override {
    StartWaiting([](Index) { return true; });
  }
};

class Fcfs : public PolicyRun {
 public:
  using PolicyRun::PolicyRun;

 private:
  void Decide() override { StartHeads(); }
};

class Easy : public PolicyRun {
 public:
  using PolicyRun::PolicyRun;

 private:
  void OnStart(Index job) override { sure_ends_.emplace(now() + Job(job).limit, job); }
  void OnEnd(Index job) override { sure_ends_.erase({StartOf(job) + Job(job).limit, job}); }

  void Decide() override {
    // 1. In order, as long as they fit.
    StartHeads();
    if (waiting().empty() || free() == 0) return;
    // 2. The reservation of the first that does not: when it surely fits, and what it leaves over.
    const Index head = waiting().front();
    std::int64_t shadow = now(), at_shadow = free();
    for (const auto& [end, job] : sure_ends_) {
      if (at_shadow >= Job(head).processors && end > shadow) break;
      at_shadow += Job(job).processors;
      shadow = end;
    }
    std::int64_t extra = at_shadow - Job(head).processors;
    // 3. Whoever is gone by then, or takes only of what is left over.
    StartWaiting([&](Index job) {
      if (job == head) return false;
      if (now() + Job(job).limit <= shadow) return true;
      if (Job(job).processors > extra) return false;
      extra -= Job(job).processors;
      return true;
    });
  }

  std::set<std::pair<std::int64_t, Index>> sure_ends_;  // of those that run, by their limits
};

class Conservative : public PolicyRun {
 public:
  explicit Conservative(const Log& log)
      : PolicyRun(log), profile_(0, log.processors()), planned_(log.jobs.size(), kNever) {}

 private:
  void OnSubmit(Index job) override {
    profile_.Forget(now());
    if (compress_) Compress();
    Plan(job);
  }
  void OnEnd(Index job) override {
    const std::int64_t sure = StartOf(job) + Job(job).limit;
    if (sure <= now()) return;
    profile_.Forget(now());
    profile_.Give(now(), sure, Job(job).processors);
    compress_ = true;
  }
  std::int64_t NextOfItsOwn() const override {
    std::int64_t next = kNever;
    for (const Index job : waiting()) next = std::min(next, planned_[job]);
    return next;
  }
  void Decide() override {
    profile_.Forget(now());
    if (compress_) Compress();
    StartWaiting([&](Index job) { return planned_[job] <= now(); });
  }

  void Plan(Index job) {
    planned_[job] = profile_.Earliest(now(), Job(job).limit, Job(job).processors);
    profile_.Take(planned_[job], planned_[job] + Job(job).limit, Job(job).processors);
  }
  void Compress() {
    compress_ = false;
    std::vector<Index> order;
    for (const Index job : waiting()) {
      if (planned_[job] != kNever) order.push_back(job);
    }
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      return std::pair(planned_[a], a) < std::pair(planned_[b], b);
    });
    for (const Index job : order) {
      const std::int64_t before = planned_[job];
      profile_.Give(before, before + Job(job).limit, Job(job).processors);
      Plan(job);
      CHECK(planned_[job] <= before);
    }
  }

  Profile profile_;
  std::vector<std::int64_t> planned_;
  bool compress_ = false;  // room came free before it was due
};

std::unique_ptr<PolicyRun> RunOf(Policy policy, const Log& log) {
  switch (policy) {
    case Policy::kFcfs:
      return std::make_unique<Fcfs>(log);
    case Policy::kEasy:
      return std::make_unique<Easy>(log);
    case Policy::kConservative:
      return std::make_unique<Conservative>(log);
    case Policy::kGreedy:
      break;
  }
  return std::make_unique<Greedy>(log);
}

}  // namespace

std::string_view NameOf(Policy policy) {
  switch (policy) {
    case Policy::kFcfs:
      return "first come";
    case Policy::kEasy:
      return "EASY";
    case Policy::kConservative:
      return "conservative";
    case Policy::kGreedy:
      break;
  }
  return "greedy";
}

std::vector<std::int64_t> StartsOf(Policy policy, const Log& log) {
  return RunOf(policy, log)->Run();
}

}  // namespace fairlead::bench
