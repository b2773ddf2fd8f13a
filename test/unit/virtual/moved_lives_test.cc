// Small clusters in which what is free gets scattered, and work moves so that larger work has room
// (time.md §6): drawn by a seed, and lived to their end.
//
// Nodes stay and controllers make pods again at once, so that: whoever moves runs again as soon as
// those are gone in whose places he lands, the work for which he moved starts then, nobody moves
// again within his cooldown, no budget is overdrawn, and everything comes to its end.

#include <cstdint>
#include <map>
#include <string>
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

constexpr Duration kCooldown = Duration::Seconds(200);

struct MovedTotals {
  int moves = 0, pods = 0, landed = 0, started = 0, finished = 0;
};

// Who moved for whom, and what came of it.
class MovesSeen : public drive::Observer {
 public:
  MovesSeen(Duration grace, MovedTotals& totals) : grace_(grace), totals_(totals) {}

  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    EXPECT_THAT(engine::Audit(scheduler, plan), testing::IsEmpty());
  }

  void OnEvent(const drive::Event& event) override {
    ExpectInTime(event.time);
    const std::string workload(event.workload);
    if (event.type == drive::EventType::kFinish) ++totals_.finished;
    if (event.type == drive::EventType::kEvict && event.action == "Consolidate") {
      return NoteMove(event);
    }
    if (event.type != drive::EventType::kBind) return;
    if (const auto away = away_.find(workload); away != away_.end()) {
      ++totals_.landed;
      if (--away->second.pods == 0) away_.erase(away);
    }
    if (waits_.erase(workload) > 0) ++totals_.started;
  }

  void AtEnd() const {
    for (const auto& [name, away] : away_) ADD_FAILURE() << name << " has moved to nowhere";
    for (const auto& [name, since] : waits_) ADD_FAILURE() << name << " has room in vain";
  }

 private:
  struct Away {
    Time since;
    int pods = 0;
  };

  void NoteMove(const drive::Event& event) {
    const std::string workload(event.workload);
    const auto moved = moved_.find(workload);
    if (moved != moved_.end() && moved->second != event.time) {
      EXPECT_GE(event.time, moved->second + kCooldown) << workload << " moves again";
    }
    totals_.moves += moved == moved_.end() || moved->second != event.time ? 1 : 0;
    ++totals_.pods;
    moved_[workload] = event.time;
    Away& away = away_[workload];
    away.since = event.time;
    ++away.pods;
    waits_.emplace(event.beneficiary, event.time);
  }

  // What leaves is gone by then, and what comes again is there.
  void ExpectInTime(Time now) const {
    const Duration most = grace_ + grace_ + Duration::Seconds(1);
    for (const auto& [name, away] : away_) {
      EXPECT_LE(now, away.since + most) << name << " does not come back";
    }
    for (const auto& [name, since] : waits_) {
      EXPECT_LE(now, since + most) << name << " does not start";
    }
  }

  const Duration grace_;
  MovedTotals& totals_;
  std::map<std::string, Time> moved_, waits_;
  std::map<std::string, Away> away_;
};

class MovedLives {
 public:
  MovedLives(std::uint64_t seed, MovedTotals& totals)
      : random_(seed),
        grace_(Duration::Seconds(Below(3) == 0 ? 0 : 1 + Below(20))),
        seen_(grace_, totals),
        totals_(totals) {}

  void Live() {
    std::string world = fmt::format(
        "apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n"
        "consolidation: {{enabled: true, cooldown: {}}}\nbackfill: {{reservations: {}}}\n---\n",
        FormatDuration(kCooldown), Below(2) == 0 ? 0 : 8);
    const int nodes = 2 + Below(3);
    for (int n = 0; n < nodes; ++n) world += Node(fmt::format("n{}", n), "cpu: 4");
    if (Below(2) == 0) {
      world += Object("policy/v1", "PodDisruptionBudget", "some", "namespace: a",
                      "maxUnavailable: 1, selector: {matchLabels: {some: \"1\"}}");
    }
    Simulated run(world, {.grace = grace_});
    run.cluster.AddObserver(&seen_);
    std::int64_t now = 0;
    const int works = 10 + Below(25);
    const int before = totals_.finished;
    int pods = 0;
    for (int i = 0; i < works; ++i) {
      pods += Submit(run, i, nodes);
      run.Until(now += Below(100));
    }
    run.ToIdle();
    seen_.AtEnd();
    EXPECT_GE(totals_.finished - before, pods);
  }

 private:
  int Below(int n) { return static_cast<int>(random_.Below(static_cast<std::uint64_t>(n))); }

  int Submit(Simulated& run, int i, int nodes) {
    const bool large = Below(4) == 0;
    const int count = large ? 1 + Below(nodes - 1) : 1 + Below(2);
    const std::string stays = Below(6) == 0 ? ", annotations: {fairlead.dev/move: \"false\"}" : "";
    const std::string cpu = large ? "4" : std::to_string(1 + Below(2));
    run.Submit(
        Object("fairlead.dev/v1alpha1", "Workload", fmt::format("w{}", i), "namespace: a" + stays,
               fmt::format(
                   "podSets: [{{name: main, count: {}, template: {}}}]", count,
                   Template(cpu, fmt::format("fairlead.dev/run-duration: {}s", 30 + Below(900))))));
    return count;
  }

  Random random_;
  const Duration grace_;
  MovesSeen seen_;
  MovedTotals& totals_;
};

TEST(MovedLives, WhoMovesGoesOnAndForWhomHeMovesStarts) {
  constexpr std::uint64_t kWorlds = 300;
  MovedTotals totals;
  const engine::Seeds seeds = engine::SeedsOf(kWorlds);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    SCOPED_TRACE("FAIRLEAD_SEED=" + std::to_string(seed));
    MovedLives(seed, totals).Live();
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(totals.moves, engine::Enough(kWorlds / 4));
  EXPECT_EQ(totals.landed, totals.pods);
  RecordProperty("moves", totals.moves);
}

}  // namespace
}  // namespace fairlead::virtual_cluster
