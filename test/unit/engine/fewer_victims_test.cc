// Jobs that start with fewer pods where others have to make room (semantics.md §8): small worlds
// with several queues, guarantees, limits and work that runs, each decided by the engine and by a
// reference that asks for every count by itself, and tries every set of victims for it
// (room_reference.h).

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/round/round.h"
#include "unit/engine/room_reference.h"
#include "unit/engine/soak.h"

namespace fairlead::engine {
namespace {

using Verdict = RoomReference::Verdict;
using Counts = std::vector<int>;

struct GangSet {
  int count = 1, min_count = 1;
  Two size{};  // of each pod
};

struct VictimsWorld {
  RoomWorld room;  // its preemptor is the job: `pods` are those of the counts that are asked about
  std::vector<GangSet> sets;
};

VictimsWorld VictimsWorldOf(std::uint64_t number) {
  std::mt19937 random(static_cast<unsigned>(number));
  auto roll = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr Two kSizes[] = {{1, 0}, {1, 0}, {2, 0}, {1, 1}};
  VictimsWorld world{.room = RoomWorldOf(number, false), .sets = {}};
  for (int s = 1 + roll(2); s > 0; --s) {
    GangSet set{.count = 1 + roll(4), .min_count = 1, .size = kSizes[roll(4)]};
    set.min_count += roll(set.count);
    world.sets.push_back(set);
  }
  return world;
}

// What becomes of the job: with which counts it starts, and who has to go for it.
struct Outcome {
  Counts counts;  // none: it waits
  std::vector<std::string> evicted;
  bool operator==(const Outcome&) const = default;
  std::string Text() const {
    return fmt::format("counts {}, evicts {}", fmt::join(counts, " "), fmt::join(evicted, " "));
  }
};

using Shares = std::vector<std::array<std::int64_t, 2>>;

class VictimsReference {
 public:
  VictimsReference(const VictimsWorld& world, Shares shares)
      : world_(world), shares_(std::move(shares)) {}

  // All counts after `cut` of the cuts, and then every set in turn grows (§8, proportional, fill).
  Outcome Solve() {
    int cuts = 0;
    for (const GangSet& set : world_.sets) cuts += set.count - set.min_count;
    for (int cut = 0; cut <= cuts; ++cut) {
      Counts counts;
      for (const GangSet& set : world_.sets) {
        counts.push_back(set.count - (cuts == 0 ? 0 : (set.count - set.min_count) * cut / cuts));
      }
      if (!Serves(counts)) continue;
      for (std::size_t k = 0; k < counts.size(); ++k) {
        while (counts[k] < world_.sets[k].count) {
          ++counts[k];
          if (Serves(counts)) continue;
          --counts[k];
          break;
        }
      }
      Serves(counts);
      return {.counts = counts, .evicted = victims_};
    }
    return {};
  }
  bool small() const { return most_units_ <= RoomSearch::kFewUnits; }

 private:
  // In free room, or in room that others make.
  bool Serves(const Counts& counts) {
    RoomWorld asked = world_.room;
    asked.pods.clear();
    for (std::size_t k = 0; k < counts.size(); ++k) {
      asked.pods.insert(asked.pods.end(), static_cast<std::size_t>(counts[k]), world_.sets[k].size);
    }
    const RoomReference reference(asked, shares_, kNow);
    const RoomReference::Answer answer = reference.Solve();
    victims_ = reference.PodsOf(answer.units);
    most_units_ = std::max(most_units_, reference.unit_count());
    return answer.verdict == Verdict::kFits || answer.verdict == Verdict::kFitsLater ||
           answer.verdict == Verdict::kFound;
  }

  const VictimsWorld& world_;
  Shares shares_;
  std::vector<std::string> victims_;
  std::size_t most_units_ = 0;
};

std::vector<state::Change> ChangesOf(const VictimsWorld& world) {
  RoomWorld others = world.room;
  others.pods.assign(1, Two{1, 0});
  std::vector<state::Change> changes = ChangesOf(others);
  changes.pop_back();  // its preemptor
  state::WorkloadChange job{.name = "s/job", .uid = "job"};
  job.traits = {.queue = others.queues[others.queue].name,
                .priority = others.priority,
                .preemptible = others.preemptible,
                .created = Time{} + Duration::Seconds(kNow)};
  for (const GangSet& set : world.sets) {
    objects::PodNeeds needs;
    if (set.size[0] > 0) needs.request.emplace_back("cpu", 1000 * set.size[0]);
    if (set.size[1] > 0) needs.request.emplace_back("nvidia.com/gpu", 1000 * set.size[1]);
    job.pod_sets.push_back(
        {.name = fmt::format("s{}", job.pod_sets.size()),
         .count = set.count,
         .min_count = set.min_count,
         .expected_needs = std::make_shared<const objects::PodNeeds>(std::move(needs))});
  }
  changes.emplace_back(job);
  return changes;
}

Shares SharesOf(const Scheduler& scheduler, const RoomWorld& world) {
  const state::QueueTree& queues = scheduler.cluster().queues();
  Shares shares;
  for (const RoomQueue& queue : world.queues) {
    const state::QueueId q = queues.Find(queue.name);
    shares.push_back({queues.Get(q, state::Figure::kFairShare, state::kCpu),
                      queues.Get(q, state::Figure::kFairShare, state::kGpu)});
  }
  return shares;
}

// Counts that are decided, or all that was asked, where room is held for them.
Outcome OutcomeOf(const Scheduler& scheduler, const Plan& plan) {
  Outcome outcome;
  const state::Cluster& cluster = scheduler.cluster();
  for (const Decision& decision : plan.decisions) {
    if (decision.type != DecisionType::kEvict) continue;
    outcome.evicted.emplace_back(cluster.pods().name(decision.pod));
  }
  std::sort(outcome.evicted.begin(), outcome.evicted.end());
  bool any = false;
  for (const state::PodSet& set :
       cluster.workloads().gang(state::FindWorkload(cluster, "s/job")).sets) {
    const auto held = std::count_if(set.pods.begin(), set.pods.end(),
                                    [&](state::PodId p) { return cluster.pods()[p].counts(); });
    outcome.counts.push_back(static_cast<int>(held));
    any |= held > 0;
  }
  if (!any) outcome.counts.clear();
  return outcome;
}

std::string Text(const VictimsWorld& world) {
  std::string text = Tell(world.room) + "\n  job:";
  for (const GangSet& set : world.sets) {
    text += fmt::format(" {}..{} of {}/{}", set.min_count, set.count, set.size[0], set.size[1]);
  }
  return text;
}

TEST(FewerPods, WithTheVictimsThatServeThem) {
  int reduced = 0;
  int with_victims = 0;
  int refused = 0;
  const std::uint64_t worlds = Soaked(4'000);
  for (std::uint64_t number = 1; number <= worlds; ++number) {
    const VictimsWorld world = VictimsWorldOf(number);
    if (world.room.nodes.empty()) continue;
    Scheduler scheduler;
    scheduler.Apply(ChangesOf(world));
    scheduler.Settle();
    VictimsReference reference(world, SharesOf(scheduler, world.room));
    const Outcome expected = reference.Solve();
    if (!reference.small()) continue;
    const Outcome decided = OutcomeOf(scheduler, scheduler.Round(Time{} + Duration::Seconds(kNow)));
    ASSERT_EQ(decided, expected) << "world " << number << ": engine " << decided.Text()
                                 << ", reference " << expected.Text() << Text(world);
    refused += expected.counts.empty() ? 1 : 0;
    bool fewer = false;
    for (std::size_t k = 0; k < expected.counts.size(); ++k) {
      fewer |= expected.counts[k] < world.sets[k].count;
    }
    reduced += fewer ? 1 : 0;
    with_victims += fewer && !expected.evicted.empty() ? 1 : 0;
  }
  EXPECT_GT(reduced, worlds / 40);
  EXPECT_GT(with_victims, worlds / 130);
  EXPECT_GT(refused, worlds / 40);
}

}  // namespace
}  // namespace fairlead::engine
