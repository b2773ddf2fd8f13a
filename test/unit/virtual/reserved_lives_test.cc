// Small clusters in which work waits that needs more than what comes free at once, and smaller work
// keeps coming: drawn by a seed, and lived to their end.
//
// Where everybody runs at most as long as he says, what was promised is kept: a reservation moves
// only earlier, and its work starts by then. Where gangs run longer than they say, those that
// started before a promise may break it; those that came after it, on loan or not, may not. Where
// some say nothing, everything ends all the same.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "engine/audit/audit.h"
#include "engine/scheduler.h"
#include "unit/engine/soak.h"
#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

enum class Ends : std::uint8_t { kAreKnown, kAreKnownOfSome, kOverrun, kGangsOverrun };

struct ReservedTotals {
  int promises = 0, moved_earlier = 0, went_ahead = 0, drains = 0, finished = 0;
  int lent = 0, called_in = 0;
};

// What was promised to whom, and what came of it.
class Promises : public drive::Observer {
 public:
  Promises(bool are_kept, ReservedTotals& totals) : are_kept_(are_kept), totals_(totals) {}

  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    EXPECT_THAT(engine::Audit(scheduler, plan), testing::IsEmpty());
  }

  // How long the workload says that it takes; it may take longer.
  void NoteSaid(const std::string& workload, Duration expected) { said_[workload] = expected; }

  void OnEvent(const drive::Event& event) override {
    if (event.type == drive::EventType::kReserve && event.pod.empty()) return NotePromise(event);
    if (event.type == drive::EventType::kLend && event.at) ++totals_.lent;
    if (event.type == drive::EventType::kEvict) {
      ++totals_.called_in;
      End(event.workload, event.time);
      claims_.insert(std::string(event.beneficiary));
    }
    if (event.type == drive::EventType::kNominate) claims_.insert(std::string(event.workload));
    if (event.type == drive::EventType::kComplete) End(event.object, event.time);
    if (event.type == drive::EventType::kFinish) ++totals_.finished;
    if (event.type != drive::EventType::kBind) return;
    const auto promise = promises_.find(std::string(event.workload));
    if (said_.contains(std::string(event.workload))) {
      // Those who were promised something later know of it since it was promised something.
      const Time known = promise == promises_.end() ? event.time : promise->second.since;
      const bool runs = !runs_.empty() && runs_.back().workload == event.workload &&
                        runs_.back().end == Time::Max();
      if (!runs) runs_.push_back({std::string(event.workload), event.time, known});
    }
    if (promise == promises_.end()) {
      totals_.went_ahead += promises_.empty() ? 0 : 1;
      return;
    }
    if (are_kept_ && !IsExcused(promise->second, event.time)) {
      EXPECT_LE(event.time, promise->second.at) << event.workload << " starts late";
    }
    promises_.erase(promise);
    claims_.erase(std::string(event.workload));
  }

 private:
  struct Promise {
    Time at;
    Time made;
    Time since;  // it was promised anything
  };
  // Of one who says how long it takes.
  struct Run {
    std::string workload;
    Time start;
    Time known;
    Time end = Time::Max();
  };

  void End(std::string_view workload, Time now) {
    for (Run& run : runs_) {
      if (run.workload == workload) run.end = std::min(run.end, now);
    }
  }

  // Whether somebody of whom was known when it was made has run longer than he said since.
  bool IsExcused(const Promise& promise, Time now) const {
    return std::ranges::any_of(runs_, [&](const Run& run) {
      return run.known <= promise.made && run.end >= promise.made &&
             run.start + said_.at(run.workload) <= std::min(now, run.end);
    });
  }

  void NotePromise(const drive::Event& event) {
    const std::string workload(event.workload);
    // What only waits for others to have gone has its room by another word.
    if (event.nodes.empty() && claims_.contains(workload)) return;
    if (event.nodes.empty()) {
      const auto promise = promises_.find(workload);
      const bool excused = promise != promises_.end() && IsExcused(promise->second, event.time);
      EXPECT_TRUE(!are_kept_ || excused) << workload << " loses what was kept for it";
      promises_.erase(workload);
      return;
    }
    Promise fresh{.at = event.at.value_or(Time::Max()), .made = event.time, .since = event.time};
    const auto [promise, first] = promises_.try_emplace(workload, fresh);
    fresh.since = promise->second.since;
    if (!event.at) {
      ++totals_.drains;
      promise->second = fresh;
      return;
    }
    ++totals_.promises;
    if (first) return;
    const bool is_later = *event.at > promise->second.at;
    EXPECT_TRUE(!are_kept_ || !is_later || IsExcused(promise->second, event.time))
        << workload << " is put off";
    totals_.moved_earlier += *event.at < promise->second.at ? 1 : 0;
    promise->second = fresh;  // what it rests on by now
  }

  const bool are_kept_;
  ReservedTotals& totals_;
  std::map<std::string, Promise> promises_;
  std::set<std::string> claims_;
  std::map<std::string, Duration> said_;
  std::vector<Run> runs_;  // of these
};

class ReservedLives {
 public:
  ReservedLives(std::uint64_t seed, Ends ends, ReservedTotals& totals)
      : random_(seed),
        ends_(ends),
        promises_(ends == Ends::kAreKnown || ends == Ends::kGangsOverrun, totals),
        totals_(totals) {}

  void Live() {
    std::string world =
        "apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n"
        "backfill: {after: 1m, drainAfter: 5m, maxDrainedPercent: 100}\n---\n";
    const int nodes = 1 + Below(3);
    for (int n = 0; n < nodes; ++n) world += Node(fmt::format("n{}", n), "cpu: 4");
    Simulated run(world, {.grace = Duration()});
    run.cluster.AddObserver(&promises_);
    std::int64_t now = 0;
    const int works = 8 + Below(20);
    const int before = totals_.finished;
    int pods = 0;
    for (int i = 0; i < works; ++i) {
      pods += Submit(run, i, nodes);
      run.Until(now += Below(120));
    }
    run.ToIdle();
    EXPECT_EQ(totals_.finished - before, pods);
  }

 private:
  int Below(int n) { return static_cast<int>(random_.Below(static_cast<std::uint64_t>(n))); }

  // How long it runs, and what it says of that.
  std::string Runs(std::int64_t& deadline) {
    const std::int64_t seconds = 30 + Below(900);
    const std::int64_t said = ends_ == Ends::kOverrun && Below(3) == 0 ? seconds / 2
                              : Below(2) == 0                          ? seconds
                                                                       : seconds * (1 + Below(3));
    const bool silent = ends_ == Ends::kAreKnownOfSome && Below(2) == 0;
    deadline = silent ? 0 : said;
    return fmt::format("{}s", seconds);
  }

  // How many pods it is.
  int Submit(Simulated& run, int i, int nodes) {
    std::int64_t deadline = 0;
    const std::string runs = Runs(deadline);
    if (Below(4) != 0) {
      const std::string limit =
          deadline == 0 ? "" : fmt::format("activeDeadlineSeconds: {}", deadline);
      run.Submit(Pod(fmt::format("p{}", i), std::to_string(1 + Below(4)),
                     fmt::format("annotations: {{fairlead.dev/run-duration: {}}}", runs), limit));
      return 1;
    }
    // Its pods never end before they are told to: what it says is what it takes, but where such
    // work runs longer.
    const int count = 1 + Below(2 * nodes);
    std::string says = runs;
    if (ends_ == Ends::kGangsOverrun) {
      const int seconds = 30 + Below(300);
      says = fmt::format("{}s", seconds);
      promises_.NoteSaid(fmt::format("a/g{}", i), Duration::Seconds(seconds));
    }
    const std::string meta =
        deadline == 0
            ? "namespace: a"
            : fmt::format("namespace: a, annotations: {{fairlead.dev/expected-duration: {}}}",
                          says);
    run.Submit(
        Object("fairlead.dev/v1alpha1", "Workload", fmt::format("g{}", i), meta,
               fmt::format("podSets: [{{name: main, count: {}, template: {}}}]", count,
                           Template("2", fmt::format("fairlead.dev/run-duration: {}", runs)))));
    return count;
  }

  Random random_;
  const Ends ends_;
  Promises promises_;
  ReservedTotals& totals_;
};

ReservedTotals LiveAll(Ends ends, std::uint64_t worlds) {
  ReservedTotals totals;
  const engine::Seeds seeds = engine::SeedsOf(worlds);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    SCOPED_TRACE("FAIRLEAD_SEED=" + std::to_string(seed));
    ReservedLives(seed, ends, totals).Live();
    if (::testing::Test::HasFailure()) break;
  }
  return totals;
}

TEST(ReservedLives, PromisesAreKeptWhereEverybodyEndsInTime) {
  constexpr std::uint64_t kWorlds = 300;
  const ReservedTotals totals = LiveAll(Ends::kAreKnown, kWorlds);
  EXPECT_GT(totals.promises, engine::Enough(kWorlds));
  EXPECT_GT(totals.moved_earlier, engine::Enough(kWorlds / 4));
  EXPECT_GT(totals.went_ahead, engine::Enough(kWorlds / 2));
}

TEST(ReservedLives, NobodyWhoCameLaterPutsAnyOff) {
  constexpr std::uint64_t kWorlds = 400;
  const ReservedTotals totals = LiveAll(Ends::kGangsOverrun, kWorlds);
  EXPECT_GT(totals.promises, engine::Enough(kWorlds));
  EXPECT_GT(totals.lent, engine::Enough(kWorlds / 4));
  EXPECT_GT(totals.called_in, engine::Enough(kWorlds / 16));
}

TEST(ReservedLives, EverythingEndsWhereSomeSayNothing) {
  constexpr std::uint64_t kWorlds = 300;
  const ReservedTotals totals = LiveAll(Ends::kAreKnownOfSome, kWorlds);
  EXPECT_GT(totals.promises, engine::Enough(kWorlds / 2));
  EXPECT_GT(totals.drains, engine::Enough(kWorlds / 4));
}

TEST(ReservedLives, EverythingEndsWhereSomeOverrun) {
  constexpr std::uint64_t kWorlds = 200;
  const ReservedTotals totals = LiveAll(Ends::kOverrun, kWorlds);
  EXPECT_GT(totals.promises, engine::Enough(kWorlds));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
