#include "unit/engine/room_world.h"

#include <iterator>
#include <map>

#include "unit/base/at.h"

namespace fairlead::engine {
namespace {

constexpr const char* kResources[] = {"cpu", "nvidia.com/gpu"};
constexpr const char* kBudget = "s/budget";

objects::ResourceList ListOf(const Two& amounts) {
  objects::ResourceList list;
  for (std::size_t r = 0; r < 2; ++r) {
    if (amounts[r] > 0) list.emplace_back(kResources[r], 1000 * amounts[r]);
  }
  return list;
}

// Of a queue: an amount of 0 is one too.
objects::ResourceList FigureOf(const Two& amounts) {
  objects::ResourceList list;
  for (std::size_t r = 0; r < 2; ++r) {
    if (amounts[r] != kUnset) list.emplace_back(kResources[r], 1000 * amounts[r]);
  }
  return list;
}

state::NeedsPtr NeedsOf(const Two& size) {
  static std::map<Two, state::NeedsPtr> known;
  state::NeedsPtr& needs = known[size];
  if (!needs) {
    objects::PodNeeds made;
    made.request = ListOf(size);
    needs = std::make_shared<const objects::PodNeeds>(std::move(made));
  }
  return needs;
}

std::optional<Duration> SecondsOf(int seconds) {
  return seconds == kUnset ? std::nullopt : std::optional(Duration::Seconds(seconds));
}

objects::MaxLoss MaxLossOf(const RoomCeiling& ceiling) {
  const objects::LossBound bound{.grace = Duration::Seconds(ceiling.grace_s),
                                 .waited_percent = ceiling.waited_percent,
                                 .deadline = SecondsOf(ceiling.deadline_s)};
  return {.by_guarantee = bound, .by_share = bound};
}

state::QueueChange QueueOf(const RoomWorld& world, const RoomQueue& queue) {
  state::QueueChange change{.name = queue.name};
  if (queue.parent != kUnset) change.parent = world.queues[queue.parent].name;
  change.guaranteed = FigureOf(queue.guaranteed);
  change.limit = FigureOf(queue.limit);
  change.weight.milli = std::int64_t{1000} * queue.weight;
  change.lend = queue.lend;
  change.reclaim_min_runtime = SecondsOf(queue.reclaim_min_s);
  change.preempt_min_runtime = SecondsOf(queue.preempt_min_s);
  return change;
}

void AddVictim(const RoomWorld& world, std::size_t v, std::vector<state::Change>& changes) {
  const RoomVictim& victim = world.victims[v];
  state::WorkloadTraits traits{.queue = world.queues[victim.queue].name,
                               .priority = victim.priority,
                               .preemptible = victim.preemptible,
                               .created = At(0),
                               .stops = victim.stops};
  if (victim.checkpoint_s != kUnset) {
    traits.run_time.Edit().checkpoint_every = Duration::Seconds(victim.checkpoint_s);
  }
  const auto count = static_cast<std::int32_t>(victim.pods.size());
  if (count > 1) {
    state::WorkloadChange gang{.name = VictimName(v), .traits = traits};
    gang.resize = victim.surplus > 0 ? objects::Resize::kAnytime : objects::Resize::kAtAdmission;
    gang.pod_sets.push_back({.name = "main", .count = count, .min_count = count - victim.surplus});
    changes.emplace_back(gang);
  }
  for (std::size_t p = 0; p < victim.pods.size(); ++p) {
    state::PodChange pod{.name = VictimPodName(world, v, p), .needs = NeedsOf(victim.pods[p].size)};
    pod.state = state::PodState::kBound;
    pod.node = "n" + std::to_string(victim.pods[p].node);
    pod.terminating = victim.terminating;
    pod.priority = victim.priority;
    pod.created = At(0);
    pod.scheduled_time = At(kNow - victim.pods[p].age_s);
    if (victim.budget) pod.budgets = {kBudget};
    if (count > 1) {
      pod.workload = VictimName(v);
    } else {
      pod.solo = traits;
    }
    changes.emplace_back(pod);
  }
}

void AddPreemptor(const RoomWorld& world, std::vector<state::Change>& changes) {
  const state::WorkloadTraits traits{.queue = world.queues[world.queue].name,
                                     .priority = world.priority,
                                     .preemptible = world.preemptible,
                                     .created = At(kNow - world.waited_s)};
  const bool alone = world.pods.size() == 1;
  state::WorkloadChange gang{.name = "s/preemptor", .traits = traits};
  for (std::size_t p = 0; p < world.pods.size(); ++p) {
    const bool another_shape = p == 0 || world.pods[p] != world.pods[p - 1];
    if (another_shape) {
      gang.pod_sets.push_back({.name = "set" + std::to_string(p), .count = 0, .min_count = 0});
    }
    ++gang.pod_sets.back().count;
    ++gang.pod_sets.back().min_count;
    state::PodChange pod{.name = "s/preemptor-" + std::to_string(p),
                         .needs = NeedsOf(world.pods[p])};
    pod.priority = world.priority;
    pod.created = At(kNow - world.waited_s);
    pod.pod_set = static_cast<std::int32_t>(gang.pod_sets.size()) - 1;
    if (alone) {
      pod.pod_set = 0;
      pod.solo = traits;
    } else {
      pod.workload = gang.name;
    }
    changes.emplace_back(pod);
  }
  if (!alone) changes.emplace_back(gang);
}

std::string FiguresText(const Two& amounts) {
  auto one = [](int amount) {
    return amount == kUnset ? std::string("-") : std::to_string(amount);
  };
  return one(amounts[0]) + "/" + one(amounts[1]);
}

}  // namespace

std::string VictimName(std::size_t v) { return "s/v" + std::to_string(v); }

std::string VictimPodName(const RoomWorld& world, std::size_t v, std::size_t p) {
  return VictimName(v) + (world.victims[v].pods.size() > 1 ? "-" + std::to_string(p) : "");
}

std::vector<state::Change> ChangesOf(const RoomWorld& world) {
  std::vector<state::Change> changes;
  if (world.budgets_yield || world.ceiling || world.lend != 100) {
    auto configuration = std::make_shared<objects::SchedulerConfiguration>();
    if (world.budgets_yield) {
      configuration->budgets_on_borrowed_room = objects::OnBorrowedRoom::kYield;
    }
    if (world.ceiling) configuration->max_loss = MaxLossOf(*world.ceiling);
    configuration->lend = world.lend;
    configuration->repeat_protection = Duration::Seconds(world.repeat_s);
    changes.emplace_back(state::ConfigurationChange{configuration});
  }
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    changes.emplace_back(
        state::NodeChange{.name = "n" + std::to_string(n), .allocatable = ListOf(world.nodes[n])});
  }
  for (const RoomQueue& queue : world.queues) changes.emplace_back(QueueOf(world, queue));
  if (world.budget_allows != kUnset) {
    changes.emplace_back(
        state::BudgetChange{.name = kBudget, .status_allowed = world.budget_allows});
  }
  for (std::size_t v = 0; v < world.victims.size(); ++v) AddVictim(world, v, changes);
  AddPreemptor(world, changes);
  return changes;
}

std::string Tell(const RoomWorld& world) {
  std::string text = "\n  nodes (cpu/gpu)";
  for (const Two& node : world.nodes) text += " " + FiguresText(node);
  for (const RoomQueue& queue : world.queues) {
    text += "\n  queue " + queue.name;
    if (queue.parent != kUnset) text += " under " + world.queues[queue.parent].name;
    text += " guaranteed " + FiguresText(queue.guaranteed) + " limit " + FiguresText(queue.limit) +
            " weight " + std::to_string(queue.weight);
    if (queue.lend != 100) text += " lends " + std::to_string(queue.lend) + "%";
    if (queue.reclaim_min_s != kUnset)
      text += " reclaim after " + std::to_string(queue.reclaim_min_s) + "s";
    if (queue.preempt_min_s != kUnset)
      text += " preempt after " + std::to_string(queue.preempt_min_s) + "s";
  }
  for (std::size_t v = 0; v < world.victims.size(); ++v) {
    const RoomVictim& victim = world.victims[v];
    text += "\n  v" + std::to_string(v) + " in " + world.queues[victim.queue].name + " priority " +
            std::to_string(victim.priority) + (victim.preemptible ? "" : " not preemptible") +
            (victim.terminating ? " terminating" : "") + (victim.budget ? " under the budget" : "");
    if (victim.checkpoint_s != kUnset) {
      text += " with a checkpoint every " + std::to_string(victim.checkpoint_s) + "s";
    }
    if (victim.stops > 0) text += " stopped " + std::to_string(victim.stops) + " times";
    if (victim.surplus > 0) text += " surplus " + std::to_string(victim.surplus);
    text += ":";
    for (const auto& pod : victim.pods) {
      text += " " + FiguresText(pod.size) + " on n" + std::to_string(pod.node) + " for " +
              std::to_string(pod.age_s) + "s";
    }
  }
  text += "\n  preemptor in " + world.queues[world.queue].name + " priority " +
          std::to_string(world.priority) + (world.preemptible ? "" : " not preemptible") + ":";
  for (const Two& pod : world.pods) text += " " + FiguresText(pod);
  if (world.lend != 100) text += "\n  " + std::to_string(world.lend) + "% is lent of all";
  if (world.budget_allows != kUnset)
    text += "\n  budget allows " + std::to_string(world.budget_allows) +
            (world.budgets_yield ? ", and yields" : "");
  if (world.ceiling) {
    text += "\n  waits for " + std::to_string(world.waited_s) + "s: others may lose " +
            std::to_string(world.ceiling->grace_s) + "s + " +
            std::to_string(world.ceiling->waited_percent) + "%, deadline " +
            std::to_string(world.ceiling->deadline_s) + ", stopped is protected for " +
            std::to_string(world.repeat_s) + "s";
  }
  return text;
}

// Worlds by number -------------------------------------------------------------------------------

namespace {

// What a victim may be: the sizes of its pods, and how many of them are surplus.
struct Kind {
  std::vector<Two> pods;
  int surplus = 0;
};
const std::vector<Kind> kKinds = {
    {{}},                           // nobody
    {{{1, 0}}},                     //
    {{{2, 0}}},                     //
    {{{1, 1}}},                     //
    {{{3, 0}}},                     //
    {{{1, 0}, {1, 0}}},             // gangs
    {{{1, 0}, {2, 0}}},             //
    {{{1, 0}, {1, 0}, {1, 0}}, 2},  // elastic
    {{{1, 1}, {1, 0}}, 1},          //
};
const std::vector<Kind> kManyKinds = {
    {{{1, 0}}}, {{{1, 0}}}, {{{2, 0}}}, {{{1, 1}}}, {{{1, 0}, {1, 0}}}, {{{1, 0}, {1, 0}}, 1},
};
const std::vector<std::vector<Two>> kPreemptors = {
    {{1, 0}}, {{2, 0}},         {{3, 0}},         {{1, 1}},         {{4, 0}},
    {{2, 1}}, {{1, 0}, {1, 0}}, {{2, 0}, {2, 0}}, {{2, 0}, {1, 0}}, {{1, 1}, {1, 0}, {1, 0}},
};
const std::vector<Two> kNodes = {{0, 0}, {2, 0}, {3, 0}, {4, 1}, {4, 0}, {2, 1}};
const std::vector<Two> kLargeNodes = {{0, 0}, {5, 0}, {6, 1}, {4, 0}, {6, 2}, {3, 1}};

// Trees: the preemptor's queue is the one named a, the first leaf.
struct Tree {
  std::vector<std::pair<const char*, int>> queues;  // and the index of the parent
  std::vector<int> leaves;
};
const std::vector<Tree> kTrees = {
    {{{"a", kUnset}, {"b", kUnset}}, {0, 1}},
    {{{"a", kUnset}, {"b", kUnset}, {"c", kUnset}}, {0, 1, 2}},
    {{{"p", kUnset}, {"a", 0}, {"b", 0}, {"c", kUnset}}, {1, 2, 3}},
    {{{"p", kUnset}, {"a", 0}, {"b", 0}, {"q", kUnset}, {"c", 3}, {"d", 3}}, {1, 2, 4, 5}},
};
constexpr std::size_t kMostQueues = 6;
constexpr std::size_t kQueueOrNone = 9;  // of a digit that names a queue: beyond the last, none

constexpr int kGuaranteed[] = {kUnset, 0, 1, 3};
constexpr int kLimits[] = {kUnset, kUnset, kUnset, kUnset, 6, 4};
constexpr int kWeights[] = {1, 1, 2, 0};
constexpr int kPriorities[] = {1, 1, 0};  // of the preemptor
constexpr int kAges[] = {50, 100, 300};   // a minimum runtime is 100s
constexpr int kBudgets[] = {kUnset, kUnset, 0, 1};

__extension__ using Wide = unsigned __int128;

// Every step-th number of 128 bits, by strides that have no divisor in common with any menu: one
// for what the victims are, one for all else.
constexpr Wide kRoomStride = (Wide{0x9E3779B97F4A7C15} << 64) + 0xF39CC0605CEDC841;
constexpr Wide kVictimsStride = (Wide{0xB504F333F9DE6484} << 64) + 0x597D89B3754ABE9F;

// Takes one digit after the other from a number.
class Digits {
 public:
  explicit Digits(Wide number) : left_(number) {}
  std::size_t Take(std::size_t of) {
    const auto digit = static_cast<std::size_t>(left_ % of);
    left_ /= of;
    return digit;
  }
  template <typename Menu>
  const auto& From(const Menu& menu) {
    return menu[Take(std::size(menu))];
  }

 private:
  Wide left_;
};

class Maker {
 public:
  Maker(std::uint64_t number, bool large)
      : digits_(number * kRoomStride), of_victims_(number * kVictimsStride), large_(large) {
    for (int n = 0; n < 3; ++n) {
      const Two node = digits_.From(large ? kLargeNodes : kNodes);
      if (node[0] > 0) world_.nodes.push_back(node);
    }
    free_ = world_.nodes;
    MakeQueues();
    for (int v = 0; v < (large ? 11 : 6); ++v) MakeVictim();
    world_.pods = digits_.From(kPreemptors);
    world_.priority = digits_.From(kPriorities);
    world_.preemptible = digits_.Take(8) != 0;
    if (!large) world_.budget_allows = digits_.From(kBudgets);
  }
  RoomWorld world() && { return std::move(world_); }

 private:
  void MakeQueues() {
    tree_ = &digits_.From(kTrees);
    world_.queue = tree_->leaves[0];
    for (std::size_t q = 0; q < kMostQueues; ++q) {
      RoomQueue queue;
      queue.guaranteed[0] = digits_.From(kGuaranteed);
      if (!large_) queue.limit[0] = digits_.From(kLimits);
      queue.weight = digits_.From(kWeights);
      if (q >= tree_->queues.size()) continue;
      queue.name = tree_->queues[q].first;
      queue.parent = tree_->queues[q].second;
      world_.queues.push_back(queue);
    }
    if (RoomQueue* queue = AnyQueue()) queue->guaranteed[1] = 1;
    if (RoomQueue* queue = AnyQueue()) queue->limit[large_ ? 0 : 1] = large_ ? 3 : 1;
    if (RoomQueue* queue = AnyQueue()) queue->reclaim_min_s = 100;
    if (RoomQueue* queue = AnyQueue()) queue->preempt_min_s = 100;
    if (large_) return;
    if (RoomQueue* queue = AnyQueue()) queue->reclaim_min_s = 0;
    if (RoomQueue* queue = AnyQueue()) queue->preempt_min_s = 0;
  }

  RoomQueue* AnyQueue() {
    const std::size_t q = digits_.Take(kQueueOrNone);
    return q < world_.queues.size() ? &world_.queues[q] : nullptr;
  }

  void MakeVictim() {
    const Kind& kind = of_victims_.From(large_ ? kManyKinds : kKinds);
    RoomVictim victim;
    victim.queue = tree_->leaves[of_victims_.Take(4) % tree_->leaves.size()];
    victim.priority = static_cast<int>(of_victims_.Take(2));
    const int age_s = of_victims_.From(kAges);
    std::size_t node = of_victims_.Take(3);
    if (!large_) {
      const std::size_t special = of_victims_.Take(6);
      victim.preemptible = special != 0;
      victim.terminating = special == 1;
      victim.budget = special == 2 || special == 3;
    }
    victim.surplus = kind.surplus;
    const std::vector<Two> before = free_;
    for (const Two& size : kind.pods) {
      RoomVictim::Pod pod{.size = size};
      std::size_t tried = 0;
      while (tried < free_.size()) {
        const Two& free = free_[(node + tried) % free_.size()];
        if (free[0] >= size[0] && free[1] >= size[1]) break;
        ++tried;
      }
      if (tried == free_.size()) {
        free_ = before;
        return;  // there is no room for it
      }
      pod.node = static_cast<int>((node + tried) % free_.size());
      pod.age_s = age_s + 10 * static_cast<int>(victim.pods.size() % 2);
      free_[pod.node] = free_[pod.node] - size;
      victim.pods.push_back(pod);
      ++node;
    }
    if (!victim.pods.empty()) world_.victims.push_back(victim);
  }

  Digits digits_;
  Digits of_victims_;
  bool large_;
  const Tree* tree_ = nullptr;
  RoomWorld world_;
  std::vector<Two> free_;
};

}  // namespace

RoomStep StepOf(const state::Cluster& cluster, const RoomWorld& world) {
  RoomStep step;
  step.workload =
      state::FindWorkload(cluster, world.pods.size() == 1 ? "s/preemptor-0" : "s/preemptor");
  step.queue = cluster.workloads()[step.workload].queue;
  step.priority = world.priority;
  step.preemptible = world.preemptible;
  for (std::size_t p = 0; p < world.pods.size(); ++p) {
    const state::PodId pod = cluster.pods().Find("s/preemptor-" + std::to_string(p));
    const state::Pod& record = cluster.pods()[pod];
    if (step.parts.empty() || step.parts.back().pod_set != record.pod_set) {
      step.parts.push_back({.pod_set = record.pod_set, .shape = record.shape});
    }
    step.parts.back().pods.push_back(pod);
    state::AddTo(step.request, cluster.shapes()[record.shape].request, 1);
  }
  return step;
}

RoomWorld RoomWorldOf(std::uint64_t number, bool large) { return Maker(number, large).world(); }

}  // namespace fairlead::engine
