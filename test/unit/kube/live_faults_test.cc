// Live schedulers under seeded schedules of faults, of the network and their own: requests that are
// lost, refused, or carried out without an answer; watches that break off, or fall silent; versions
// that are compacted; processes that are killed and started again, with and without a lease.
//
// At every moment no node is over what it has. Once the faults are over everybody runs who can, and
// who starts anew has nothing to add.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "kube/backoff.h"
#include "kube/json.h"
#include "unit/kube/live_world.h"

namespace fairlead::kube {
namespace {

constexpr int kSchedules = 1000;  // of the ten thousand that `make soak` runs
constexpr int kNodes = 4, kCpus = 4;

int Schedules() {
  const char* soak = std::getenv("FAIRLEAD_SOAK");
  return soak == nullptr ? kSchedules : 10 * kSchedules;
}

struct Totals {
  std::uint64_t bindings = 0, kills = 0, jobs_started = 0;
};

class Story {
 public:
  explicit Story(std::uint64_t seed)
      : seed_(seed), random_(seed), faults_(Faults::Some(random_, 120)), lease_(seed % 3 == 0) {
    world_.loud = std::getenv("FAIRLEAD_SEED") != nullptr;
    for (int n = 0; n < kNodes; ++n) world_.AddNode("n" + std::to_string(n), kCpus);
    world_.AddQueue("default", 0);
    world_.AddQueue("sure", kNodes * kCpus / 2);
    Restart();
  }

  void Tell(Totals& totals) {
    for (int step = 0; step < 40; ++step) {
      Change();
      world_.Run(random_.Between({}, Duration::Seconds(step % 8 == 0 ? 40 : 3)));
      if (process_->lost) Replace();
      if (::testing::Test::HasFatalFailure()) return;
    }
    faults_ = {};
    process_->loop->faults = {};
    for (int i = 0; i < 10; ++i) {
      world_.Run(Duration::Seconds(50));
      if (process_->lost) Replace();
    }
    Judge();
    totals.bindings += world_.api.bindings();
    totals.kills += kills_;
    for (const auto& [key, job] : world_.api.All("jobs")) {
      totals.jobs_started += At(job.at("spec"), "suspend") == nullptr ? 1 : 0;
    }
  }

 private:
  void Restart() {
    process_ = &world_.Start(seed_ * 1000 + ++started_, lease_);
    process_->loop->faults = faults_;
  }

  void Replace() {
    world_.Kill(*process_);
    world_.Run(faults_.slowest);
    Restart();
  }

  void Change() {
    const std::string name = "p" + std::to_string(random_.Below(20));
    switch (random_.Below(12)) {
      case 0:
        if (world_.Pod("team/" + name) != nullptr) world_.api.Erase("pods", "team/" + name);
        break;
      case 1:
        world_.api.Compact();
        break;
      case 2: {
        const std::string job = "j" + std::to_string(random_.Below(3));
        if (world_.api.Find("jobs", "team/" + job) == nullptr) {
          world_.AddJob(job, 3 + static_cast<int>(random_.Below(4)),
                        {{"fairlead.dev/min-parallelism", "2"}});
        }
        break;
      }
      case 3:
        if (random_.Below(2) == 0) {
          ++kills_;
          world_.Kill(*process_);
          // What it had sent arrives before its successor reads: nothing fences a binding.
          world_.Run(faults_.slowest);
          world_.Run(random_.Between({}, Duration::Seconds(20)));
          Restart();
        }
        break;
      default:
        if (world_.Pod("team/" + name) != nullptr) break;
        world_.AddPod(
            name, 1 + static_cast<int>(random_.Below(2)),
            {{"labels", {{"fairlead.dev/queue", random_.Below(2) == 0 ? "sure" : "default"}}}});
    }
  }

  // What is free on each node holds nobody who waits, and a newcomer writes no binding.
  void Judge() {
    ASSERT_EQ(process_->scheduler->state(), LiveScheduler::State::kDeciding);
    const std::uint64_t bindings = world_.api.bindings();
    const std::size_t pods = world_.api.All("pods").size();
    const std::uint64_t version = VersionOfPods();
    Replace();
    world_.Run(Duration::Seconds(120));
    ASSERT_EQ(world_.api.bindings(), bindings) << "a newcomer binds what the old one did not";
    ASSERT_EQ(world_.api.All("pods").size(), pods) << "a newcomer evicts what the old one did not";
    ASSERT_EQ(VersionOfPods(), version) << "a newcomer writes to a pod";
    for (const auto& [key, workload] : world_.api.All("workloads")) {
      JudgeWorkload(key, workload);
    }
  }

  // The newest version of any pod.
  std::uint64_t VersionOfPods() {
    std::uint64_t newest = 0;
    for (const auto& [key, pod] : world_.api.All("pods")) {
      newest = std::max<std::uint64_t>(newest,
                                       std::stoull(TextAt(pod.at("metadata"), "resourceVersion")));
    }
    return newest;
  }

  // A job runs if and only if its Workload says that it is admitted.
  void JudgeWorkload(const std::string& key, const boost::json::object& workload) {
    const boost::json::object* job = world_.api.Find("jobs", key);
    if (job == nullptr) return;
    const boost::json::value* status = workload.if_contains("status");
    const bool admitted = status != nullptr && At(*status, "admission") != nullptr;
    const boost::json::value* suspend = At(job->at("spec"), "suspend");
    const bool runs = suspend == nullptr || !suspend->as_bool();
    ASSERT_EQ(runs, admitted) << key;
  }

  const std::uint64_t seed_;
  Random random_;
  Faults faults_;
  const bool lease_;
  LiveWorld world_;
  LiveWorld::Process* process_ = nullptr;
  std::uint64_t started_ = 0, kills_ = 0;
};

TEST(LiveFaults, NothingIsLostAndNoNodeIsOverbooked) {
  Totals totals;
  const char* only = std::getenv("FAIRLEAD_SEED");
  const int first = only == nullptr ? 1 : std::atoi(only);
  const int last = only == nullptr ? Schedules() : first;
  for (int seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRLEAD_SEED=" + std::to_string(seed));
    Story(static_cast<std::uint64_t>(seed)).Tell(totals);
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  if (only != nullptr) return;
  // The schedules do what they are for.
  const auto schedules = static_cast<std::uint64_t>(last);
  EXPECT_GT(totals.bindings, 8 * schedules);
  EXPECT_GT(totals.kills, schedules / 2);
  EXPECT_GT(totals.jobs_started, schedules / 4);
}

}  // namespace
}  // namespace fairlead::kube
