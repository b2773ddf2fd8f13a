// Small nodes that a DaemonSet's pod must have, though they are full: very many of them, each
// decided by the engine and by a reference that tries every set of pods (daemon_set_reference.h).
// Both must name the same victims. Besides: where nothing may be done now, the plan says when to
// ask again, exactly; what is decided is decided once; and when those who leave have left, the pod
// has its node.

#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include "engine/audit/audit.h"
#include "state/cluster.h"
#include "unit/base/at.h"
#include "unit/engine/daemon_set_reference.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

using objects::VictimSelection;
using DaemonSetVerdict = DaemonSetReference::Verdict;
using Pod = DaemonSetWorld::Pod;
using Whose = DaemonSetWorld::Whose;

// What one round of a fresh engine says.
struct DaemonSetEngine {
  std::vector<std::size_t> evicted;  // sorted
  int bound = 0, nominated = 0, reserved = 0;
  std::vector<Time> since;  // of what is reserved
  std::optional<Time> next_round;
  std::vector<std::string> decided;
  std::string fault;
};

DaemonSetEngine Ask(const DaemonSetWorld& world, Time now) {
  DaemonSetEngine engine;
  Scheduler scheduler;
  scheduler.Apply(ChangesOf(world));
  const Plan plan = scheduler.Round(now);
  engine.next_round = plan.next_round;
  if (!plan.decisions.empty()) engine.decided = Decided(scheduler, plan);
  const state::PodTable& pods = scheduler.cluster().pods();
  for (const Decision& decision : plan.decisions) {
    const std::string name(pods.name(decision.pod));
    if (decision.type == DecisionType::kEvict) {
      for (std::size_t p = 0; p < world.pods.size(); ++p) {
        if (name == NodePodName(p)) engine.evicted.push_back(p);
      }
      const bool rightly = decision.action == policy::RoomAction::kDaemonSet &&
                           scheduler.cluster().NameOf(decision.beneficiary) == kDaemonSetPod;
      if (!rightly) engine.fault = "evicted for another reason, or for somebody else";
      continue;
    }
    if (name != kDaemonSetPod) engine.fault = "decides about another pod";
    engine.bound += decision.type == DecisionType::kBind ? 1 : 0;
    engine.nominated += decision.type == DecisionType::kNominate ? 1 : 0;
    engine.reserved += decision.type == DecisionType::kReserve ? 1 : 0;
    if (decision.type == DecisionType::kReserve) engine.since.push_back(decision.since);
  }
  std::sort(engine.evicted.begin(), engine.evicted.end());
  const std::vector<std::string> audit = Audit(scheduler, plan);
  if (!audit.empty()) engine.fault = "audit: " + audit.front();
  if (!scheduler.Round(now).decisions.empty()) engine.fault = "a second round decides something";
  return engine;
}

struct DaemonSetTally {
  int worlds = 0, found = 0, none = 0, lapses = 0, early = 0;
};

std::string Listed(const std::vector<std::size_t>& pods) {
  std::string text;
  for (std::size_t p : pods) text += " p" + std::to_string(p);
  return text.empty() ? " nobody" : text;
}

// What is wrong with what was decided, where the reference says `expected`.
std::string Judge(const DaemonSetWorld& world, const DaemonSetReference& reference,
                  const DaemonSetReference::Answer& expected, const DaemonSetEngine& engine) {
  if (!engine.fault.empty()) return engine.fault;
  if (engine.evicted != expected.victims) return "others are evicted";
  const bool binds = expected.verdict == DaemonSetVerdict::kFits;
  if (engine.bound != (binds ? 1 : 0)) return binds ? "it fits" : "bound where it does not fit";
  const bool leaves =
      expected.verdict == DaemonSetVerdict::kComing || expected.verdict == DaemonSetVerdict::kFound;
  if (engine.nominated != (leaves && !world.nominated ? 1 : 0)) return "nominated wrongly";
  const bool waits =
      expected.verdict == DaemonSetVerdict::kYoung || expected.verdict == DaemonSetVerdict::kNone;
  if (engine.reserved != (waits && world.reserved_s == kUnset ? 1 : 0)) return "reserved wrongly";
  if (engine.reserved == 1 && engine.since.front() != At(reference.Since())) {
    return "reserved since another time";
  }
  return "";
}

DaemonSetWorld Without(DaemonSetWorld world, std::vector<std::size_t> pods) {
  for (std::size_t p = 0; p < world.pods.size(); ++p) {
    if (world.pods[p].terminating) pods.push_back(p);
  }
  std::sort(pods.begin(), pods.end());
  for (; !pods.empty(); pods.pop_back()) {
    world.pods.erase(world.pods.begin() + static_cast<std::ptrdiff_t>(pods.back()));
  }
  return world;
}

// What is wrong with what comes of it.
std::string JudgeAfter(const DaemonSetWorld& world, int now,
                       const DaemonSetReference::Answer& answer) {
  DaemonSetWorld leaving = world;
  leaving.nominated = true;
  for (std::size_t p : answer.victims) leaving.pods[p].terminating = true;
  const DaemonSetEngine shown = Ask(leaving, At(now));
  if (!shown.fault.empty()) return "once it is shown: " + shown.fault;
  if (!shown.decided.empty()) return "decided again: " + shown.decided.front();
  const DaemonSetEngine gone = Ask(Without(world, answer.victims), At(now));
  if (!gone.fault.empty()) return "once they are gone: " + gone.fault;
  if (gone.bound != 1) return "it does not get its node";
  return "";
}

// What is wrong with when the plan wants to be asked again, and with what it says then.
std::string JudgeLapse(DaemonSetWorld world, int now, DaemonSetVerdict verdict,
                       const DaemonSetEngine& engine, DaemonSetTally& tally) {
  world.reserved_s = DaemonSetReference(world, now).Since();
  std::optional<int> next;
  for (int moment : DaemonSetReference(world, now).Moments()) {
    const DaemonSetVerdict then = DaemonSetReference(world, moment).Solve().verdict;
    // Victims are looked for once the delay is over, not earlier: there may be none.
    const bool over = verdict == DaemonSetVerdict::kYoung && then != DaemonSetVerdict::kYoung;
    if (!over && then != DaemonSetVerdict::kFound) continue;
    next = moment;
    break;
  }
  if (engine.next_round.has_value() != next.has_value()) {
    return next ? "asks never again" : "asks again for nothing";
  }
  if (!next) return "";
  ++tally.lapses;
  if (*engine.next_round != At(*next)) {
    return "asks again at " + FormatTime(*engine.next_round) + ", not at " + FormatTime(At(*next));
  }
  const DaemonSetEngine before = Ask(world, Time{At(*next).us - 1});
  if (!before.decided.empty()) return "decides before the moment: " + before.decided.front();
  const DaemonSetEngine then = Ask(world, At(*next));
  const DaemonSetReference reference(world, *next);
  const DaemonSetReference::Answer expected = reference.Solve();
  std::string wrong = Judge(world, reference, expected, then);
  if (wrong.empty() && expected.verdict == DaemonSetVerdict::kNone) {
    wrong = JudgeLapse(world, *next, expected.verdict, then, tally);
  }
  return wrong.empty() ? "" : "at the next round: " + wrong;
}

std::string Compare(const DaemonSetWorld& world, DaemonSetTally& tally) {
  const DaemonSetReference reference(world, kNow);
  const DaemonSetReference::Answer expected = reference.Solve();
  const DaemonSetEngine engine = Ask(world, At(kNow));
  ++tally.worlds;
  tally.found += expected.verdict == DaemonSetVerdict::kFound ? 1 : 0;
  tally.none += expected.verdict == DaemonSetVerdict::kNone ? 1 : 0;
  std::string wrong = Judge(world, reference, expected, engine);
  const bool leaves =
      expected.verdict == DaemonSetVerdict::kComing || expected.verdict == DaemonSetVerdict::kFound;
  if (wrong.empty() && leaves) wrong = JudgeAfter(world, kNow, expected);
  const bool waits =
      expected.verdict == DaemonSetVerdict::kYoung || expected.verdict == DaemonSetVerdict::kNone;
  if (wrong.empty() && waits) wrong = JudgeLapse(world, kNow, expected.verdict, engine, tally);
  if (wrong.empty()) return "";
  constexpr const char* kVerdicts[] = {"fits",  "coming",  "young", "none",
                                       "found", "limited", "never"};
  wrong += "\n  expected: " + std::string(kVerdicts[static_cast<int>(expected.verdict)]) +
           Listed(expected.victims) + "\n  engine:";
  for (const std::string& line : engine.decided) wrong += " " + line + ";";
  return wrong + Tell(world);
}

// A smaller world that is wrong as well.
DaemonSetWorld Shrink(DaemonSetWorld world) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    auto drop = [&](auto how) {
      DaemonSetWorld smaller = world;
      DaemonSetTally ignored;
      how(smaller);
      if (Tell(smaller) == Tell(world) || Compare(smaller, ignored).empty()) return;
      world = smaller;
      shrunk = true;
    };
    for (std::size_t p = world.pods.size(); p-- > 0;) {
      drop([p](DaemonSetWorld& w) {
        for (std::size_t r = 0; r < 2; ++r) w.node[r] -= w.pods[p].size[r];
        w.pods.erase(w.pods.begin() + static_cast<std::ptrdiff_t>(p));
      });
    }
    for (std::size_t p = 0; p < world.pods.size(); ++p) {
      auto plain = [&](auto Pod::* field, auto to) {
        drop([&](DaemonSetWorld& w) { w.pods[p].*field = to; });
      };
      plain(&Pod::gang, kUnset);
      plain(&Pod::set, 0);
      plain(&Pod::queue, 0);
      plain(&Pod::priority, 0);
      plain(&Pod::budgets, std::vector<int>{});
      plain(&Pod::opted_out, false);
      plain(&Pod::owns_pods, false);
      plain(&Pod::preemptible, true);
      plain(&Pod::port, false);
      plain(&Pod::terminating, false);
      plain(&Pod::created_s, 0);
      plain(&Pod::scheduled_s, 0);
    }
    for (std::size_t q = 0; q < world.queues.size(); ++q) {
      drop([q](DaemonSetWorld& w) { w.queues[q].preempt_min_s = kUnset; });
    }
    drop([](DaemonSetWorld& w) { w.port = false; });
    drop([](DaemonSetWorld& w) { w.pod_limit = kUnset; });
    drop([](DaemonSetWorld& w) { w.reserved_s = kUnset; });
    drop([](DaemonSetWorld& w) { w.rules.delay_s = 0; });
    drop([](DaemonSetWorld& w) { w.rules.strategies.resize(1); });
  }
  return world;
}

class Comparison {
 public:
  // Whether to go on.
  bool Take(std::uint64_t number, const DaemonSetWorld& world) {
    if (Compare(world, tally_).empty()) return true;
    DaemonSetTally ignored;
    ADD_FAILURE() << "world " << number << ": " << Compare(Shrink(world), ignored);
    return ++wrong_ < 5;
  }
  ~Comparison() {
    testing::Test::RecordProperty("worlds", tally_.worlds);
    testing::Test::RecordProperty("found", tally_.found);
    testing::Test::RecordProperty("none", tally_.none);
    testing::Test::RecordProperty("lapses", tally_.lapses);
  }

 private:
  DaemonSetTally tally_;
  int wrong_ = 0;
};

// All small nodes --------------------------------------------------------------------------------

constexpr int kLow = 0;
constexpr int kEqual = 5;
constexpr int kHigh = 9;

// What a pod of the node may be: size, priority and class; the last ones cannot or may not go.
std::vector<Pod> Kinds() {
  std::vector<Pod> kinds = {
      {.size = {1, 0}},
      {.size = {2, 1}},
      {.size = {4, 2}},
      {.size = {5, 2}},
      {.size = {8, 4}},
      {.size = {0, 1}},
      {.size = {2, 1}, .priority = kEqual},
      {.size = {4, 2}, .priority = kEqual},
      {.size = {2, 1}, .owns_pods = true},
      {.size = {4, 2}, .owns_pods = true},
      {.size = {3, 3}, .priority = kEqual, .owns_pods = true},
      {.size = {2, 1}, .opted_out = true},
      {.size = {4, 2}, .preemptible = false},
      {.size = {4, 2}, .priority = kHigh},
      {.size = {2, 1}, .terminating = true},
      {.size = {2, 1}, .queue = 1},  // protected for a while
      {.size = {3, 1}, .budgets = {0}},
  };
  return kinds;
}
constexpr int kMost = 6;  // pods on the node

// Every choice of up to kMost of `kinds` things, each as often as one likes.
using Choice = std::array<std::uint8_t, kMost>;
void Choose(std::size_t kinds, std::size_t at, Choice choice, std::vector<Choice>& all) {
  if (at == kMost) {
    all.push_back(choice);
    return;
  }
  for (auto kind = at == 0 ? 0 : choice[at - 1]; kind <= static_cast<int>(kinds); ++kind) {
    choice[at] = static_cast<std::uint8_t>(kind);  // kinds: nobody
    Choose(kinds, at + 1, choice, all);
  }
}

struct Configuration {
  DaemonSetWorld::Rules rules;
  Two free{};
  int budget_allows = 1;
};

std::vector<Configuration> Configurations() {
  constexpr auto kSingle = VictimSelection::kSingle;
  constexpr auto kMultiple = VictimSelection::kMultiple;
  return {
      {.rules = {.strategies = {kSingle}, .deviation_percent = 25}},
      {.rules = {.strategies = {kMultiple}}},
      {.rules = {.strategies = {kSingle, kMultiple}, .deviation_percent = 24, .victims = 2}},
      {.rules = {.strategies = {kMultiple, kSingle}, .deviation_percent = 200, .victims = 1}},
      {.rules = {.strategies = {kMultiple}, .victims = 3}, .free = {1, 0}},
      {.rules = {.strategies = {kSingle}, .deviation_percent = 100}, .free = {1, 2}},
      {.rules = {.strategies = {kMultiple}, .respect = false}, .free = {0, 2}, .budget_allows = 2},
      {.rules = {.strategies = {kSingle, kMultiple}, .deviation_percent = 0}, .free = {3, 0}},
      {.rules = {.strategies = {kMultiple, kSingle},
                 .deviation_percent = 50,
                 .victims = 2,
                 .delay_s = 30},
       .budget_allows = 0},
      {.rules = {.strategies = {kMultiple}, .victims = 4, .respect = false}, .budget_allows = 0},
      {.rules = {.strategies = {kSingle}, .deviation_percent = 50, .respect = false},
       .free = {2, 1}},
      {.rules = {.strategies = {kSingle, kMultiple}, .deviation_percent = 25, .victims = 2},
       .free = {2, 1},
       .budget_allows = 2},
  };
}

DaemonSetWorld WorldOf(const std::vector<Pod>& kinds, const Choice& choice,
                       const Configuration& configuration) {
  DaemonSetWorld world;
  world.rules = configuration.rules;
  world.queues = {{}, {.preempt_min_s = 100}};
  world.budgets = {{.status_allowed = configuration.budget_allows}};
  world.node = configuration.free;
  for (std::size_t i = 0; i < kMost; ++i) {
    if (choice[i] == kinds.size()) continue;
    Pod pod = kinds[choice[i]];
    // Some are of one age, some of one age in all.
    const auto n = static_cast<int>(i);
    pod.scheduled_s = kNow - (pod.queue == 0 ? 200 + n % 3 : 40 + n % 3 * 20);
    pod.created_s = 500 + n / 2 % 2;
    world.node = world.node + pod.size;
    world.pods.push_back(pod);
  }
  world.size = {4, 2};
  world.priority = kEqual;
  world.created_s = kNow - 20;
  return world;
}

TEST(DaemonSetWorlds, SmallNodesAreSolved) {
  const std::vector<Pod> kinds = Kinds();
  const std::vector<Configuration> configurations = Configurations();
  std::vector<Choice> choices;
  Choose(kinds.size(), 0, {}, choices);
  // 7919 has no common divisor with the number of choices: every pair of node and configuration
  // comes once.
  const std::uint64_t pairs = choices.size() * configurations.size();
  Comparison comparison;
  for (std::uint64_t i = 0; i < std::min(pairs, Soaked(50'000)); ++i) {
    const std::uint64_t at = i % choices.size();
    const std::uint64_t turn = i / choices.size();
    const Choice& choice = choices[at * 7919 % choices.size()];
    const Configuration& configuration = configurations[(at + turn) % configurations.size()];
    if (!comparison.Take(i, WorldOf(kinds, choice, configuration))) break;
  }
}

// Nodes with everything --------------------------------------------------------------------------

class Roller {
 public:
  explicit Roller(std::uint64_t seed) : random_(static_cast<std::uint32_t>(seed)) {}
  int operator()(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool OneIn(int of) { return (*this)(of) == 0; }

 private:
  std::mt19937 random_;
};

DaemonSetWorld::Rules RandomRules(Roller& roll) {
  constexpr auto kSingle = VictimSelection::kSingle;
  constexpr auto kMultiple = VictimSelection::kMultiple;
  const std::vector<std::vector<VictimSelection>> orders = {
      {kSingle}, {kMultiple}, {kSingle, kMultiple}, {kMultiple, kSingle}};
  constexpr int kPercents[] = {0, 20, 25, 33, 50, 100, 300};
  return {.strategies = orders[static_cast<std::size_t>(roll(4))],
          .deviation_percent = kPercents[roll(7)],
          .victims = roll.OneIn(2) ? 10 : 1 + roll(4),
          .delay_s = roll.OneIn(3) ? 10 * roll(10) : 0,
          .respect = !roll.OneIn(4)};
}

Pod RandomPod(Roller& roll, const DaemonSetWorld& world) {
  Pod pod;
  pod.size = {roll(6), roll(5)};
  pod.priority = roll(4);
  // Often of one age: then the creation counts, then the name.
  pod.scheduled_s = kNow - 20 * roll(6);
  pod.created_s = 800 + 20 * roll(3);
  pod.terminating = roll.OneIn(7);
  pod.opted_out = roll.OneIn(6);
  pod.preemptible = !roll.OneIn(8);
  pod.owns_pods = roll.OneIn(6);
  pod.port = roll.OneIn(6);
  pod.queue = roll(static_cast<int>(world.queues.size()));
  if (roll.OneIn(9)) pod.whose = static_cast<Whose>(1 + roll(3));
  for (int b = 0; b < static_cast<int>(world.budgets.size()); ++b) {
    if (roll.OneIn(3)) pod.budgets.push_back(b);
  }
  if (pod.whose == Whose::kOurs && !world.gangs.empty() && !roll.OneIn(3)) {
    pod.gang = roll(static_cast<int>(world.gangs.size()));
    const auto& sets = world.gangs[static_cast<std::size_t>(pod.gang)].sets;
    pod.set = roll(static_cast<int>(sets.size()));
  }
  return pod;
}

DaemonSetWorld::Budget RandomBudget(Roller& roll) {
  DaemonSetWorld::Budget budget{.elsewhere = roll(3)};
  int* const rules[] = {&budget.status_allowed, &budget.min_available, &budget.max_unavailable};
  *rules[roll(3)] = roll(4);
  return budget;
}

DaemonSetWorld::Gang RandomGang(Roller& roll, int queues) {
  DaemonSetWorld::Gang gang{.queue = roll(queues),
                            .priority = roll(4),
                            .preemptible = !roll.OneIn(6),
                            .anytime = !roll.OneIn(3)};
  for (int sets = 1 + (roll.OneIn(3) ? 1 : 0); sets > 0; --sets) {
    DaemonSetWorld::Gang::Set set{.minimum = roll(4)};
    for (int there = roll(4); there > 0; --there) set.elsewhere_s.push_back(kNow - 20 * roll(6));
    gang.sets.push_back(set);
  }
  return gang;
}

DaemonSetWorld RandomWorldOf(std::uint64_t seed) {
  Roller roll(seed);
  DaemonSetWorld world;
  world.rules = RandomRules(roll);
  world.queues.clear();
  for (int queues = 1 + roll(3); queues > 0; --queues) {
    DaemonSetWorld::Queue queue;
    if (!world.queues.empty() && roll.OneIn(2)) {
      queue.parent = roll(static_cast<int>(world.queues.size()));
    }
    if (roll.OneIn(2)) queue.preempt_min_s = 30 * roll(5);
    world.queues.push_back(queue);
  }
  for (int n = roll(3); n > 0; --n) world.budgets.push_back(RandomBudget(roll));
  for (int n = roll(3); n > 0; --n) {
    world.gangs.push_back(RandomGang(roll, static_cast<int>(world.queues.size())));
  }
  world.node = {roll(3), roll(3)};
  bool port_held = false;
  for (int n = 1 + roll(kMost); n > 0; --n) {
    Pod pod = RandomPod(roll, world);
    pod.port = pod.port && !port_held;
    port_held |= pod.port;
    world.node = world.node + pod.size;
    world.pods.push_back(pod);
  }
  if (roll.OneIn(4)) world.pod_limit = static_cast<int>(world.pods.size()) + roll(2);
  world.size = {roll(6), roll(5)};
  world.priority = roll(4);
  world.created_s = kNow - 10 * roll(6);
  if (roll.OneIn(3)) world.reserved_s = world.created_s + 5 * roll(2);
  world.port = roll.OneIn(3);
  world.never_preempts = roll.OneIn(12);
  world.limited = roll.OneIn(15);
  return world;
}

TEST(DaemonSetWorlds, NodesWithEverythingAreSolved) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= Soaked(15'000); ++seed) {
    if (!comparison.Take(seed, RandomWorldOf(seed))) break;
  }
}

}  // namespace
}  // namespace fairlead::engine
