// Small worlds: up to three nodes, up to four jobs in two queues, all of them (by a fixed stride),
// each placed by the engine and judged by a placer of its own kind, written from semantics §2 and
// §3 alone: it keeps no order of nodes and no groups, and finds whether a gang fits by trying every
// arrangement. Where the rule names one node, the engine must have taken it; where a gang of two
// shapes has several arrangements, any that is one will do.

#include <array>
#include <optional>

#include <gmock/gmock.h>

#include "state/cluster.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

// A job: `pods` are the CPUs of each; the first `minimum` of them start together, the others come
// one by one.
struct Job {
  std::vector<int> pods;
  std::size_t minimum;
};

const Job kMenu[] = {
    {{}, 0},            // no job
    {{1}, 1},           // a pod
    {{2}, 1},           // a larger one
    {{1, 1}, 2},        // gangs
    {{2, 2}, 2},        //
    {{1, 1, 1}, 3},     //
    {{1, 2}, 2},        // of two shapes
    {{1, 2, 2}, 3},     //
    {{2, 1, 1}, 3},     //
    {{1, 1, 1}, 1},     // elastic
    {{1, 1, 1, 1}, 2},  //
};
constexpr int kJobs = std::size(kMenu);
constexpr int kSizes[] = {0, 1, 2, 3, 4};   // CPUs of a node; 0: there is none
constexpr int kCpuLimits[] = {1000, 3, 2};  // CPUs of queue a

struct SmallWorld {
  std::array<int, 3> nodes;
  std::array<int, 4> jobs;    // index of kMenu
  std::array<int, 4> queues;  // 0: a, 1: b
  int limit;                  // of a
  bool binpack;
};

std::string JobName(std::size_t j) { return "s/j" + std::to_string(j); }
std::string PodName(std::size_t j, std::size_t i) { return JobName(j) + "p" + std::to_string(i); }

// The reference
// ------------------------------------------------------------------------------------

class SmallReference {
 public:
  explicit SmallReference(const SmallWorld& world) : world_(world), free_(world.nodes) {
    for (std::size_t j = 0; j < 4; ++j) {
      left_[j] = kMenu[world.jobs[j]].pods;
      waits_[j] = !left_[j].empty();
      for (int cpu : left_[j]) {
        const bool fits_somewhere =
            std::any_of(free_.begin(), free_.end(), [&](int f) { return f >= cpu; });
        if (fits_somewhere) requested_[world.queues[j]] += cpu;
      }
    }
    // §2: two queues of equal weight. Twice the amounts, so that halves are whole.
    const int capacity = 2 * (free_[0] + free_[1] + free_[2]);
    const int a = 2 * std::min(requested_[0], world.limit);
    const int b = 2 * requested_[1];
    share_[0] = std::min(a, std::max(capacity / 2, capacity - b));
    share_[1] = std::min(b, std::max(capacity / 2, capacity - a));
    // Turns are judged by work that could start in the state as the round finds it.
    for (std::size_t j = 0; j < 4; ++j) waits_[j] = waits_[j] && CanStart(j);
  }

  // Goes through the world as the rules say; `binds` are the engine's, in its order: job, pod,
  // node.
  struct Bind {
    std::size_t job, pod;
    int node;
  };
  std::string Judge(const std::vector<Bind>& binds) {
    std::size_t at = 0;
    while (true) {
      const std::optional<std::size_t> j = Next();
      if (!j) break;
      const std::vector<int> step = StepOf(*j);
      const int q = world_.queues[*j];
      if (!CanStart(*j)) {
        waits_[*j] = false;
        continue;
      }
      if (at + step.size() > binds.size())
        return "job " + std::to_string(*j) + " could start and did not";
      const bool alike =
          std::all_of(step.begin(), step.end(), [&](int cpu) { return cpu == step[0]; });
      for (std::size_t i = 0; i < step.size(); ++i, ++at) {
        const Bind& bind = binds[at];
        if (bind.job != *j) return "it was the turn of job " + std::to_string(*j);
        const int cpu = kMenu[world_.jobs[*j]].pods[bind.pod];
        if (alike && bind.node != Best(cpu))
          return "not the best node for job " + std::to_string(*j);
        free_[bind.node] -= cpu;
        if (free_[bind.node] < 0) return "no room for job " + std::to_string(*j);
      }
      allocated_[q] += Asked(*j);
      left_[*j].erase(left_[*j].begin(),
                      left_[*j].begin() + static_cast<std::ptrdiff_t>(step.size()));
      started_[*j] = true;
      waits_[*j] = !left_[*j].empty();
    }
    return at == binds.size() ? "" : "something started that could not";
  }

  int share(int queue) const { return share_[queue]; }  // in halves of a CPU
  bool placed(std::size_t j) const { return started_[j]; }

 private:
  std::vector<int> StepOf(std::size_t j) const {
    if (started_[j]) return {left_[j][0]};
    const auto count = static_cast<std::ptrdiff_t>(kMenu[world_.jobs[j]].minimum);
    return {left_[j].begin(), left_[j].begin() + count};
  }

  int Asked(std::size_t j) const {
    int sum = 0;
    for (int cpu : StepOf(j)) sum += cpu;
    return sum;
  }

  bool CanStart(std::size_t j) const {
    const bool within = world_.queues[j] == 1 || allocated_[0] + Asked(j) <= world_.limit;
    return within && Fits(StepOf(j), free_);
  }

  // §3 within a queue: below its minimum first, then creation.
  std::optional<std::size_t> First(int queue) const {
    for (const bool above : {false, true}) {
      for (std::size_t j = 0; j < 4; ++j) {
        if (waits_[j] && world_.queues[j] == queue && started_[j] == above) return j;
      }
    }
    return std::nullopt;
  }

  // §3 between queues: below the share, then the smaller share with this workload, then a.
  std::optional<std::size_t> Next() const {
    const auto a = First(0);
    const auto b = First(1);
    if (!a || !b) return a ? a : b;
    const bool a_below = 2 * allocated_[0] < share_[0];
    const bool b_below = 2 * allocated_[1] < share_[1];
    if (a_below != b_below) return a_below ? a : b;
    if (share_[0] == 0 || share_[1] == 0) return share_[0] == 0 && share_[1] != 0 ? b : a;
    const int x = (allocated_[0] + Asked(*a)) * share_[1];
    const int y = (allocated_[1] + Asked(*b)) * share_[0];
    return y < x ? b : a;
  }

  bool Fits(const std::vector<int>& pods, std::array<int, 3> free) const {
    if (pods.empty()) return true;
    const std::vector<int> rest(pods.begin() + 1, pods.end());
    for (std::size_t n = 0; n < 3; ++n) {
      if (free[n] < pods[0]) continue;
      free[n] -= pods[0];
      if (Fits(rest, free)) return true;
      free[n] += pods[0];
    }
    return false;
  }

  // Spread: the largest part that is free; binpack: the least that is free; then the name.
  int Best(int cpu) const {
    int best = -1;
    for (int n = 0; n < 3; ++n) {
      if (free_[n] < cpu) continue;
      const bool better = best < 0 || (world_.binpack ? free_[n] < free_[best]
                                                      : free_[n] * world_.nodes[best] >
                                                            free_[best] * world_.nodes[n]);
      if (better) best = n;
    }
    return best;
  }

  const SmallWorld& world_;
  std::array<int, 3> free_;
  std::array<std::vector<int>, 4> left_;  // pods that are not placed
  std::array<bool, 4> waits_{}, started_{};
  std::array<int, 2> requested_{}, allocated_{}, share_{};
};

// The engine
// ---------------------------------------------------------------------------------------

state::NeedsPtr NeedsOf(int cpu) {
  static const std::array<state::NeedsPtr, 3> needs = [] {
    std::array<state::NeedsPtr, 3> made;
    for (int c = 0; c < 3; ++c) {
      objects::PodNeeds one;
      one.request = {{"cpu", 1000 * c}};
      made[static_cast<std::size_t>(c)] = std::make_shared<const objects::PodNeeds>(one);
    }
    return made;
  }();
  return needs[static_cast<std::size_t>(cpu)];
}

std::vector<state::Change> ChangesOf(const SmallWorld& world) {
  std::vector<state::Change> changes;
  objects::SchedulerConfiguration configuration;
  // Placing alone: nobody is asked for room.
  configuration.reclaim_enabled = configuration.preempt_enabled = false;
  if (world.binpack) configuration.cpu_placement = objects::NodeChoice::kBinpack;
  changes.emplace_back(state::ConfigurationChange{
      std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  for (std::size_t n = 0; n < 3; ++n) {
    if (world.nodes[n] == 0) continue;
    changes.emplace_back(state::NodeChange{.name = "n" + std::to_string(n),
                                           .allocatable = {{"cpu", 1000 * world.nodes[n]}}});
  }
  for (const char* name : {"a", "b"}) {
    state::QueueChange queue{.name = name};
    if (name[0] == 'a' && world.limit < 1000) queue.limit = {{"cpu", 1000 * world.limit}};
    changes.emplace_back(queue);
  }
  for (std::size_t j = 0; j < 4; ++j) {
    const Job& job = kMenu[world.jobs[j]];
    const state::WorkloadTraits traits{.queue = world.queues[j] == 0 ? "a" : "b",
                                       .created = Time{static_cast<std::int64_t>(j)}};
    if (job.pods.size() > 1) {
      state::WorkloadChange gang{.name = JobName(j), .traits = traits};
      gang.resize = objects::Resize::kAnytime;
      gang.pod_sets.push_back({.name = "main",
                               .count = static_cast<std::int32_t>(job.pods.size()),
                               .min_count = static_cast<std::int32_t>(job.minimum)});
      changes.emplace_back(gang);
    }
    for (std::size_t i = 0; i < job.pods.size(); ++i) {
      state::PodChange pod{.name = PodName(j, i), .needs = NeedsOf(job.pods[i])};
      pod.created = traits.created;
      if (job.pods.size() > 1) {
        pod.workload = JobName(j);
      } else {
        pod.solo = traits;
      }
      changes.emplace_back(pod);
    }
  }
  return changes;
}

std::vector<SmallReference::Bind> BindsOf(const Scheduler& scheduler, const Plan& plan) {
  std::vector<SmallReference::Bind> binds;
  for (const std::string& line : Decided(scheduler, plan)) {
    if (!line.starts_with("Bind s/j")) continue;  // "Bind s/j1p0 -> n2"
    binds.push_back({static_cast<std::size_t>(line[8] - '0'),
                     static_cast<std::size_t>(line[10] - '0'), line.back() - '0'});
  }
  return binds;
}

std::string Tell(const SmallWorld& world, const std::vector<std::string>& decided) {
  std::string text = "nodes";
  for (int n : world.nodes) text += " " + std::to_string(n);
  for (std::size_t j = 0; j < 4; ++j) {
    text += "\n  job " + std::to_string(j) + " in " + (world.queues[j] == 0 ? "a" : "b") + " min " +
            std::to_string(kMenu[world.jobs[j]].minimum) + ":";
    for (int cpu : kMenu[world.jobs[j]].pods) text += " " + std::to_string(cpu);
  }
  text +=
      "\n  limit of a: " + std::to_string(world.limit) + (world.binpack ? ", binpack" : ", spread");
  for (const std::string& line : decided) text += "\n  " + line;
  return text;
}

SmallWorld SmallWorldOf(std::uint64_t number) {
  auto take = [&](std::size_t of) {
    const auto digit = static_cast<int>(number % of);
    number /= of;
    return digit;
  };
  SmallWorld world{};
  for (int& node : world.nodes) node = kSizes[take(std::size(kSizes))];
  for (int& job : world.jobs) job = take(kJobs);
  for (int& queue : world.queues) queue = take(2);
  world.limit = kCpuLimits[take(std::size(kCpuLimits))];
  world.binpack = take(2) == 1;
  return world;
}

TEST(SmallWorlds, TheEngineDoesWhatTheRulesSay) {
  std::uint64_t all = 2 * std::size(kCpuLimits);
  for (std::size_t i = 0; i < 3; ++i) all *= std::size(kSizes);
  for (std::size_t i = 0; i < 4; ++i) all *= kJobs * std::uint64_t{2};
  constexpr std::uint64_t kStride = 2579;  // prime to every menu: each value meets each other
  std::uint64_t seen = 0;
  for (std::uint64_t number = 0; number < all; number += kStride, ++seen) {
    const SmallWorld world = SmallWorldOf(number);
    Scheduler scheduler;
    scheduler.Apply(ChangesOf(world));
    const Plan plan = scheduler.Round(Time{100});
    SmallReference reference(world);
    const std::string wrong = reference.Judge(BindsOf(scheduler, plan));
    ASSERT_EQ(wrong, "") << "world " << number << ": " << Tell(world, Decided(scheduler, plan));
    for (const int q : {0, 1}) {
      const state::QueueTree& queues = scheduler.cluster().queues();
      ASSERT_EQ(queues.Get(queues.Find(q == 0 ? "a" : "b"), state::Figure::kFairShare, state::kCpu),
                500 * reference.share(q))
          << "world " << number << ": " << Tell(world, Decided(scheduler, plan));
    }
  }
  RecordProperty("worlds", static_cast<int>(seen));
}

}  // namespace
}  // namespace fairlead::engine
