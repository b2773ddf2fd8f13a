// Small worlds in which others may have to make room: very many of them, each decided by the engine
// and by a reference that tries every set of victims (room_reference.h). In worlds of up to 8 units
// the answer must be the same and must be called proven. In larger ones it must be the same where
// it is called proven; else nobody may go for nothing.

#include <algorithm>

#include <gmock/gmock.h>

#include "engine/explain/what_if.h"
#include "engine/room/make_room.h"
#include "state/cluster.h"
#include "unit/base/at.h"
#include "unit/engine/room_reference.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

using Verdict = RoomReference::Verdict;

// What the engine says, asked for room alone and in a whole round.
struct RoomEngine {
  RoomAnswer answer;
  std::vector<std::string> asked;    // the pods that it would evict, sorted
  std::vector<std::string> evicted;  // those that the round does evict
  std::vector<std::string> decided;
  std::optional<Time> next_round;
  bool placed = false;    // the preemptor, in free room
  bool promised = false;  // or later
  std::vector<std::array<std::int64_t, 2>> fair_shares;
};

RoomEngine Ask(const RoomWorld& world) {
  RoomEngine engine;
  Scheduler scheduler;
  scheduler.Apply(ChangesOf(world));
  scheduler.Settle();
  const state::Cluster& cluster = scheduler.cluster();
  const state::QueueTree& queues = cluster.queues();
  for (const RoomQueue& queue : world.queues) {
    const state::QueueId q = queues.Find(queue.name);
    engine.fair_shares.push_back({queues.Get(q, state::Figure::kFairShare, state::kCpu),
                                  queues.Get(q, state::Figure::kFairShare, state::kGpu)});
  }
  {
    const WhatIf what_if(scheduler);
    MakeRoom room(what_if.cluster(), what_if.placer(), nullptr);
    room.Start(At(kNow));
    state::Trial trial(what_if.cluster());
    engine.answer = room.Find(StepOf(cluster, world), trial);
    for (const VictimUnit& unit : engine.answer.victims) {
      for (state::PodId p : unit.pods) engine.asked.emplace_back(cluster.pods().name(p));
    }
  }
  const Plan plan = scheduler.Round(At(kNow));
  engine.next_round = plan.next_round;
  engine.decided = Decided(scheduler, plan);
  for (const Decision& decision : plan.decisions) {
    if (decision.type == DecisionType::kEvict) {
      engine.evicted.emplace_back(cluster.pods().name(decision.pod));
    }
    engine.placed |= decision.type == DecisionType::kBind;
    engine.promised |= decision.type == DecisionType::kNominate;
  }
  std::sort(engine.asked.begin(), engine.asked.end());
  std::sort(engine.evicted.begin(), engine.evicted.end());
  return engine;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text.empty() ? " nobody" : text;
}

struct RoomTally {
  int worlds = 0, found = 0, none = 0, unproven = 0, dearer = 0, missed = 0;
};

// What is wrong with the engine's victims; nothing where they are those of the reference.
std::string Differs(const RoomReference& reference, const RoomReference::Answer& expected,
                    const RoomEngine& engine, RoomTally& tally) {
  const auto units = reference.UnitsOf(engine.asked);
  if (!units) return "no whole units";
  if (*units == expected.units) return "";
  std::string fault = reference.Fault(*units);
  if (!fault.empty()) return fault;
  const RoomReference::Cost cost = reference.CostOf(*units);
  if (!engine.answer.least_proven) {
    ++tally.dearer;
    return "";
  }
  return cost == expected.cost ? "others of the same cost come first"
                               : "cheaper ones would have served, or an earlier field";
}

std::string Compare(const RoomWorld& world, bool small, RoomTally& tally) {
  const RoomEngine engine = Ask(world);
  const RoomReference reference(world, engine.fair_shares, kNow);
  small = small && reference.unit_count() <= RoomSearch::kFewUnits;
  if (reference.unit_count() > 16) return "";
  const RoomReference::Answer expected = reference.Solve();
  ++tally.worlds;
  const std::string got = "\n  expected:" + Listed(reference.PodsOf(expected.units)) +
                          "\n  engine asks:" + Listed(engine.asked) +
                          "\n  evicts:" + Listed(engine.evicted) + "\n  ";
  auto wrong = [&](const std::string& what) {
    std::string text = what + got;
    for (const std::string& line : engine.decided) text += line + "; ";
    return text + Tell(world);
  };
  if (expected.verdict == Verdict::kFits) {
    return engine.placed && engine.evicted.empty() ? "" : wrong("it fits into free room");
  }
  if (expected.verdict == Verdict::kFitsLater) {
    const bool waits = engine.promised && !engine.placed && engine.evicted.empty();
    return waits ? "" : wrong("a limit is passed until others have left: it waits with a promise");
  }
  if (engine.asked != engine.evicted) return wrong("a round decides otherwise");
  const bool found = engine.answer.verdict == RoomAnswer::Verdict::kFound;
  if (expected.verdict == Verdict::kComing) {
    return engine.answer.verdict == RoomAnswer::Verdict::kComing ? "" : wrong("room is coming");
  }
  if (engine.placed) return wrong("placed before others have left");
  if (found != engine.promised) return wrong("found, and not promised");
  if (!found) {
    if (small && !engine.answer.proven) return wrong("refused without a proof");
    if (expected.verdict == Verdict::kFound) {
      if (engine.answer.proven) return wrong("somebody could make room");
      ++tally.missed;
      return "";
    }
    ++tally.none;
    tally.unproven += engine.answer.proven ? 0 : 1;
    // It must be asked again when a protection lapses, where that helps.
    for (auto lapse = reference.NextLapse(); lapse && small;) {
      const RoomReference then(world, engine.fair_shares, *lapse);
      if (then.Solve().verdict == Verdict::kFound) {
        const bool asks_again = engine.next_round && *engine.next_round <= At(*lapse);
        return asks_again ? "" : wrong("the next round comes too late, for a lapse");
      }
      lapse = then.NextLapse();
    }
    for (const int later : {1, 9, 30, 60, 100, 200, 500, 2000}) {
      if (!small || !world.ceiling) break;
      const RoomReference then(world, engine.fair_shares, kNow + later);
      if (then.Solve().verdict != Verdict::kFound) continue;
      const bool asks_again = engine.next_round && *engine.next_round <= At(kNow + later);
      return asks_again ? "" : wrong("the next round comes too late, for what may be lost");
    }
    return "";
  }
  ++tally.found;
  tally.unproven += engine.answer.least_proven ? 0 : 1;
  if (small && !engine.answer.least_proven) return wrong("the least, not proven");
  if (expected.verdict != Verdict::kFound) return wrong("nobody may make room");
  const std::string differs = Differs(reference, expected, engine, tally);
  return differs.empty() ? "" : wrong(differs);
}

// Whether it is still wrong without what `drop` takes away.
template <typename Drop>
bool Shrinks(RoomWorld& world, bool small, Drop drop) {
  RoomWorld smaller = world;
  RoomTally ignored;
  drop(smaller);
  if (smaller.pods.empty() || Compare(smaller, small, ignored).empty()) return false;
  world = smaller;
  return true;
}

// A smaller world that is wrong as well.
RoomWorld Shrink(RoomWorld world, bool small) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    auto drop = [&](auto how) { shrunk = Shrinks(world, small, how) || shrunk; };
    for (std::size_t v = world.victims.size(); v-- > 0;) {
      drop([v](RoomWorld& w) { w.victims.erase(w.victims.begin() + static_cast<int>(v)); });
    }
    for (std::size_t p = world.pods.size(); p-- > 0;) {
      drop([p](RoomWorld& w) { w.pods.erase(w.pods.begin() + static_cast<int>(p)); });
    }
    for (std::size_t q = 0; q < world.queues.size(); ++q) {
      const RoomQueue old = world.queues[q];
      auto drop_of_queue = [&](auto RoomQueue::* field, auto to) {
        if (world.queues[q].*field != to) drop([&](RoomWorld& w) { w.queues[q].*field = to; });
      };
      drop_of_queue(&RoomQueue::guaranteed, Two{kUnset, kUnset});
      drop_of_queue(&RoomQueue::limit, Two{kUnset, kUnset});
      drop_of_queue(&RoomQueue::reclaim_min_s, kUnset);
      drop_of_queue(&RoomQueue::preempt_min_s, kUnset);
      drop_of_queue(&RoomQueue::weight, 1);
      drop_of_queue(&RoomQueue::lend, 100);
    }
    if (world.budget_allows != kUnset) drop([](RoomWorld& w) { w.budget_allows = kUnset; });
    if (world.ceiling) drop([](RoomWorld& w) { w.ceiling.reset(); });
    if (world.lend != 100) drop([](RoomWorld& w) { w.lend = 100; });
    if (world.repeat_s > 0) drop([](RoomWorld& w) { w.repeat_s = 0; });
    if (world.budgets_yield) drop([](RoomWorld& w) { w.budgets_yield = false; });
    if (!world.preemptible) drop([](RoomWorld& w) { w.preemptible = true; });
    for (std::size_t v = 0; v < world.victims.size(); ++v) {
      const RoomVictim& victim = world.victims[v];
      if (victim.priority > 0) drop([v](RoomWorld& w) { w.victims[v].priority = 0; });
      if (victim.surplus > 0) drop([v](RoomWorld& w) { w.victims[v].surplus = 0; });
      if (victim.pods.size() > 1)
        drop([v](RoomWorld& w) {
          w.victims[v].pods.pop_back();
          w.victims[v].surplus = std::max(0, w.victims[v].surplus - 1);
        });
    }
  }
  return world;
}

// The world of that number with a budget of every second workload, which yields on borrowed room;
// without nodes where the world has no budget.
RoomWorld YieldingWorldOf(std::uint64_t number) {
  RoomWorld world = RoomWorldOf(number, false);
  if (world.budget_allows == kUnset) return {};
  world.budgets_yield = true;
  for (std::size_t v = 0; v < world.victims.size(); ++v) {
    world.victims[v].budget |= (number + v) % 2 == 0;
  }
  return world;
}

// The world of that number, in which others may lose so much, some make checkpoints, and some were
// stopped before.
RoomWorld BoundedWorldOf(std::uint64_t number, bool large) {
  constexpr int kGraces[] = {0, 60, 150, 400};
  constexpr int kPercents[] = {0, 50, 250};
  constexpr int kDeadlines[] = {kUnset, 100, 160};
  constexpr int kWaits[] = {0, 50, 130, 170};
  constexpr int kRepeats[] = {0, 60, 110};
  RoomWorld world = RoomWorldOf(number, large);
  std::uint64_t left = number;
  const auto from = [&left](const auto& menu) {
    const int value = menu[left % std::size(menu)];
    left /= std::size(menu);
    return value;
  };
  world.ceiling = RoomCeiling{};
  world.ceiling->grace_s = from(kGraces);
  world.ceiling->waited_percent = from(kPercents);
  world.ceiling->deadline_s = from(kDeadlines);
  world.waited_s = from(kWaits);
  world.repeat_s = from(kRepeats);
  for (RoomVictim& victim : world.victims) {
    left = left * 6364136223846793005U + 1442695040888963407U;
    victim.checkpoint_s = (left >> 33U) % 4 == 0 ? 40 : kUnset;
    victim.stops = world.repeat_s > 0 ? static_cast<int>((left >> 40U) % 3) : 0;
  }
  return world;
}

// The world of that number, in which what is idle is lent in part.
RoomWorld LendingWorldOf(std::uint64_t number, bool large) {
  constexpr int kLend[] = {100, 90, 50, 0};
  RoomWorld world = RoomWorldOf(number, large);
  world.lend = kLend[number % 4];
  for (RoomQueue& queue : world.queues) queue.lend = kLend[(number /= 4) % 4];
  return world;
}

template <typename Make>
void CompareAll(std::uint64_t worlds, bool large, Make make) {
  RoomTally tally;
  int wrong = 0;
  for (std::uint64_t number = 1; number <= Soaked(worlds) && wrong < 5; ++number) {
    const RoomWorld world = make(number);
    if (world.nodes.empty()) continue;
    if (Compare(world, !large, tally).empty()) continue;
    ++wrong;
    ADD_FAILURE() << "world " << number << ": " << Compare(Shrink(world, !large), !large, tally);
  }
  testing::Test::RecordProperty("worlds", tally.worlds);
}

TEST(RoomWorlds, SmallOnesAreSolved) {
  CompareAll(100'000, false, [](std::uint64_t number) { return RoomWorldOf(number, false); });
}

TEST(RoomWorlds, LargerOnesAreHonest) {
  CompareAll(5'000, true, [](std::uint64_t number) { return RoomWorldOf(number, true); });
}

TEST(RoomWorlds, LossesAreBounded) {
  CompareAll(100'000, false, [](std::uint64_t number) { return BoundedWorldOf(number, false); });
}

TEST(RoomWorlds, LossesAreBoundedInLargerOnes) {
  CompareAll(5'000, true, [](std::uint64_t number) { return BoundedWorldOf(number, true); });
}

TEST(RoomWorlds, WhatIsIdleIsLentInPart) {
  CompareAll(50'000, false, [](std::uint64_t number) { return LendingWorldOf(number, false); });
}

TEST(RoomWorlds, WhatIsIdleIsLentInPartInLargerOnes) {
  CompareAll(2'000, true, [](std::uint64_t number) { return LendingWorldOf(number, true); });
}

TEST(RoomWorlds, BudgetsYieldOnBorrowedRoom) { CompareAll(50'000, false, YieldingWorldOf); }

}  // namespace
}  // namespace fairlead::engine
