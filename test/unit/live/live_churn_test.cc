// A cluster in which pods come and go, for hours: what `run` holds is what is there, not what was.

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "history/feed.h"
#include "objects/key.h"
#include "unit/engine/soak.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

constexpr int kPodsASecond = 50, kNodesOfChurn = 40, kSecondsOfAPod = 20;

// What the history keeps of workloads; what it writes down goes nowhere.
class History : public drive::Observer {
 public:
  explicit History(Time began)
      : feed_(began, [](const history::Records&) {}, [] { return Duration(); }) {}

  void Of(const engine::Scheduler& scheduler) { scheduler_ = &scheduler; }
  void OnObject(const drive::ObjectNews& news) override {
    if (news.object != nullptr) return feed_.Object(*news.object);
    feed_.Gone(news.kind, objects::JoinKey(news.name_space, news.name));
  }
  void OnChanges(Time now, std::span<const state::Change> changes) override {
    feed_.Changes(now, *scheduler_, changes);
  }
  void OnRound(const engine::Scheduler& scheduler, const engine::Plan& plan) override {
    feed_.Decided();
    feed_.Tick(plan.now, scheduler);
  }
  void OnDecisions(Time now, const engine::DecisionReports& decisions) override {
    feed_.Decisions(now, decisions);
  }

 private:
  history::Feed feed_;
  const engine::Scheduler* scheduler_ = nullptr;
};

std::size_t HeldBytes() { return mallinfo2().uordblks; }

// Every second so many pods are made, each second's by an owner of their own, of which they would
// rather share no node, and with a budget of theirs; what is bound runs; what is old enough has
// ended and goes.
class ChurnWorld {
 public:
  ChurnWorld() {
    ServeKinds(api);
    loop.keeps_sent = false;
    LiveScheduler::Options options;
    options.identity = "replica-1";
    scheduler = std::make_unique<LiveScheduler>(loop, options, LiveScheduler::Callbacks{});
    history.Of(scheduler->scheduler());
    scheduler->AddObserver(&history);
    for (int n = 0; n < kNodesOfChurn; ++n) {
      api.Put("nodes", {{"metadata", {{"name", fmt::format("n{}", n)}}},
                        {"status",
                         {{"allocatable", {{"cpu", "64"}, {"pods", "110"}}},
                          {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
    }
    scheduler->Start();
  }

  // The most bytes that were held: what nobody asks any more goes now and then, all at once.
  std::size_t Run(int seconds) {
    std::size_t most = 0;
    for (int i = 0; i < seconds; ++i) {
      Make();
      clock.RunFor(Duration::Seconds(1));
      if (second_ % 5 != 0) continue;
      Sweep();
      most = std::max(most, HeldBytes());
    }
    return most;
  }

  kube::VirtualClock clock;
  kube::FakeApi api;
  kube::FakeLoop loop{clock, api, 1};
  History history{kube::FakeLoop::WallAt(clock.now())};
  std::unique_ptr<LiveScheduler> scheduler;
  std::uint64_t ended = 0;

 private:
  void Make() {
    ++second_;
    const std::string owner = fmt::format("set-{}", second_);
    const json::object selector{{"matchLabels", {{"app", owner}}}};
    api.Put("poddisruptionbudgets",
            {{"metadata", {{"name", owner}, {"namespace", fmt::format("team-{}", second_ % 7)}}},
             {"spec", {{"maxUnavailable", 1}, {"selector", selector}}}});
    const json::object apart{{"podAntiAffinity",
                              {{"preferredDuringSchedulingIgnoredDuringExecution",
                                json::array{{{"weight", 1},
                                             {"podAffinityTerm",
                                              {{"topologyKey", "kubernetes.io/hostname"},
                                               {"labelSelector", selector}}}}}}}}};
    for (int i = 0; i < kPodsASecond; ++i) {
      const std::string name = fmt::format("{}-{}", owner, i);
      json::object owned{{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}, {"name", owner}};
      owned["uid"] = owner;
      owned["controller"] = true;
      json::object meta{{"name", name}, {"namespace", fmt::format("team-{}", second_ % 7)}};
      meta["creationTimestamp"] = FormatTime(kube::FakeLoop::WallAt(clock.now()));
      meta["labels"] = json::object{{"app", owner}};
      meta["ownerReferences"] = json::array{std::move(owned)};
      json::object requests{{"cpu", fmt::format("{}m", 500 + i)}};
      json::object container{{"name", "c"}, {"resources", {{"requests", std::move(requests)}}}};
      api.Put("pods", {{"metadata", std::move(meta)},
                       {"spec",
                        {{"schedulerName", "fairlead"},
                         {"affinity", apart},
                         {"containers", json::array{std::move(container)}}}}});
      made_.push_back({.second = second_, .key = fmt::format("team-{}/{}", second_ % 7, name)});
    }
    while (!made_.empty() && made_.front().second + kSecondsOfAPod <= second_) {
      const json::object* pod = api.Find("pods", made_.front().key);
      if (pod != nullptr && !NodeIn(*pod).empty()) {
        json::object over = *pod;
        over["status"].as_object()["phase"] = "Succeeded";
        api.Put("pods", std::move(over));
        ++ended;
      }
      api.Erase("pods", made_.front().key);
      made_.pop_front();
    }
    if (const int gone = second_ - kSecondsOfAPod; gone > 0) {
      api.Erase("poddisruptionbudgets", fmt::format("team-{0}/set-{1}", gone % 7, gone));
    }
  }

  // What a server does by itself: events are kept for a while, and so is what happened.
  void Sweep() {
    std::vector<std::string> events;
    for (const auto& [key, event] : api.All("events")) events.push_back(key);
    for (const std::string& key : events) api.Erase("events", key);
    api.ForgetHistory();
  }

  struct Made {
    int second = 0;
    std::string key;
  };
  std::deque<Made> made_;
  int second_ = 0;
};

std::size_t OpenDescriptors() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

// In `make test` some minutes; with FAIRLEAD_SOAK so many hours, a day at most: then it is as after
// the first hour (of a single one: as after ten minutes).
TEST(LiveChurn, MemoryIsThatOfWhatIsThere) {
  if (engine::kSanitized) GTEST_SKIP() << "memory is another's to count";
  const char* soak = std::getenv("FAIRLEAD_SOAK");
  const int hours = soak == nullptr ? 0 : std::min(24, std::atoi(soak));
  const int minutes = hours == 0 ? 7 : 60 * hours;
  const int settled = hours == 0 ? 3 : hours == 1 ? 10 : 60;
  ChurnWorld world;
  const std::size_t bytes = world.Run(60 * settled), descriptors = OpenDescriptors();
  const std::uint64_t ended = world.ended;
  const std::size_t later = world.Run(60 * (minutes - settled));
  // In the beginning it depends on when what nobody asks any more has gone.
  EXPECT_LT(later, bytes + bytes / (hours > 1 ? 50 : 6) + (1 << 18));
  EXPECT_EQ(OpenDescriptors(), descriptors);
  // They did come, run and go.
  EXPECT_GT(world.ended, ended + 50ULL * kPodsASecond * (minutes - settled));
  EXPECT_LT(world.scheduler->scheduler().cluster().pods().count(), 2'000u);
  RecordProperty("bytes_settled", static_cast<int>(bytes));
  RecordProperty("bytes_at_the_end", static_cast<int>(later));
}

}  // namespace
}  // namespace fairlead::live
