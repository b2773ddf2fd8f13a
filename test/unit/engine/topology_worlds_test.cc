// Small worlds of blocks, racks and nodes in which one gang waits that is to be near itself: very
// many of them, each decided by the engine and by a reference that tries every domain, every
// arrangement and every set of victims. Where the gang fits, it must be inside one domain, on the
// fewest domains of each narrower level; where others have to go, they must cost as little as the
// cheapest set of any domain, and a refusal that is called proven must be one. The same of a gang
// that has lost some of its pods: these go where the others run, all of them or none.

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include <gmock/gmock.h>

#include "base/random.h"
#include "engine/explain/what_if.h"
#include "engine/room/make_room.h"
#include "state/cluster.h"
#include "unit/base/at.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

constexpr int kTime = 1000;  // seconds
const std::vector<std::string> kLevels = {"block", "rack", "host"};

struct NearNode {
  int cpu = 0;
  int block = 0, rack = -1;  // −1: it carries no such label
};
struct NearVictim {
  int priority = 0;
  int age_s = 0;
  std::vector<std::pair<int, int>> pods;  // node, CPUs
};
struct NearWorld {
  std::vector<NearNode> nodes;
  std::vector<NearVictim> victims;
  int pods = 1, cpu = 1;  // of the gang
  int required = 1;       // level; −1: none
  int preferred = -1;
  int slice = 0;          // pods of one, in one rack
  std::vector<int> runs;  // the node of each that runs; −1: it was lost. Empty: none has started
  bool IsLost(std::size_t pod) const { return runs.empty() || runs[pod] < 0; }
};

// The order in which names come is not that in which things are made.
std::string NodeName(std::size_t n) { return "n" + std::to_string(n); }
std::string PathOf(const NearNode& node, std::size_t n, int level) {
  if (level < 0) return "all";
  std::string path = "b" + std::to_string(node.block);
  if (level >= 1) path += node.rack < 0 ? "" : "/r" + std::to_string(node.rack);
  if (level >= 1 && node.rack < 0) path += "/-";
  if (level >= 2) path += "/" + NodeName(n);
  return path;
}

state::NeedsPtr Cpus(int cpu) {
  static std::map<int, state::NeedsPtr> known;
  state::NeedsPtr& needs = known[cpu];
  if (!needs) {
    objects::PodNeeds made;
    made.request = {{"cpu", 1000 * cpu}};
    needs = std::make_shared<const objects::PodNeeds>(std::move(made));
  }
  return needs;
}

std::vector<state::Change> ChangesOf(const NearWorld& world, int unlike = 0) {
  std::vector<state::Change> changes;
  for (std::size_t i = 0; i < world.nodes.size(); ++i) {
    const std::size_t n = unlike ? world.nodes.size() - 1 - i : i;
    const NearNode& node = world.nodes[n];
    state::NodeChange change{.name = NodeName(n),
                             .allocatable = {{"cpu", 1000 * node.cpu}, {"pods", 1000 * 110}}};
    change.labels = {{"block", "b" + std::to_string(node.block)}, {"host", NodeName(n)}};
    if (node.rack >= 0) change.labels.Edit().emplace_back("rack", "r" + std::to_string(node.rack));
    std::ranges::sort(change.labels.Edit());
    changes.emplace_back(change);
  }
  changes.emplace_back(state::QueueChange{.name = "q"});
  for (std::size_t v = 0; v < world.victims.size(); ++v) {
    const NearVictim& victim = world.victims[v];
    const state::WorkloadTraits traits{.queue = "q", .priority = victim.priority, .created = At(0)};
    const std::string name = "s/v" + std::to_string(v);
    const auto count = static_cast<std::int32_t>(victim.pods.size());
    if (count > 1) {
      state::WorkloadChange gang{.name = name, .traits = traits};
      gang.pod_sets.push_back({.name = "main", .count = count, .min_count = count});
      changes.emplace_back(gang);
    }
    for (std::size_t p = 0; p < victim.pods.size(); ++p) {
      state::PodChange pod{.name = name + "-" + std::to_string(p),
                           .needs = Cpus(victim.pods[p].second)};
      pod.state = state::PodState::kBound;
      pod.node = NodeName(static_cast<std::size_t>(victim.pods[p].first));
      pod.priority = victim.priority;
      pod.created = At(0);
      pod.scheduled_time = At(kTime - victim.age_s);
      if (count > 1) {
        pod.workload = name;
      } else {
        pod.solo = traits;
      }
      changes.emplace_back(pod);
    }
  }
  state::WorkloadChange gang{.name = "s/gang",
                             .traits = {.queue = "q", .priority = 10, .created = At(kTime)}};
  gang.pod_sets.push_back({.name = "main", .count = world.pods, .min_count = world.pods});
  gang.topology.push_back({.levels = kLevels,
                           .required = world.required,
                           .preferred = world.preferred,
                           .slice_size = world.slice,
                           .slice_level = world.slice > 0 ? 1 : -1,
                           .pod_sets = {0}});
  if (!world.runs.empty()) {
    gang.recorded_start = At(kTime - 100);
    gang.pod_sets.back().admitted = world.pods;
  }
  changes.emplace_back(gang);
  for (int p = 0; p < world.pods; ++p) {
    state::PodChange pod{.name = "s/gang-" + std::to_string(p), .needs = Cpus(world.cpu)};
    pod.workload = gang.name;
    pod.priority = 10;
    pod.created = At(kTime);
    pod.index = p;
    if (!world.IsLost(static_cast<std::size_t>(p))) {
      pod.state = state::PodState::kBound;
      pod.node = NodeName(static_cast<std::size_t>(world.runs[static_cast<std::size_t>(p)]));
      pod.created = At(0);
      pod.scheduled_time = At(kTime - 100);
    }
    changes.emplace_back(pod);
  }
  return changes;
}

std::string Tell(const NearWorld& world) {
  std::string text = "\n  nodes";
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    text += " " + PathOf(world.nodes[n], n, 2) + ":" + std::to_string(world.nodes[n].cpu);
  }
  for (std::size_t v = 0; v < world.victims.size(); ++v) {
    text += "\n  v" + std::to_string(v) + " priority " + std::to_string(world.victims[v].priority) +
            " for " + std::to_string(world.victims[v].age_s) + "s:";
    for (const auto& [n, cpu] : world.victims[v].pods) {
      text += " " + std::to_string(cpu) + " on n" + std::to_string(n);
    }
  }
  for (std::size_t p = 0; p < world.runs.size(); ++p) {
    text += "\n  pod " + std::to_string(p) +
            (world.runs[p] < 0 ? " lost" : " on n" + std::to_string(world.runs[p]));
  }
  return text + "\n  gang of " + std::to_string(world.pods) + " × " + std::to_string(world.cpu) +
         " required " + std::to_string(world.required) + " preferred " +
         std::to_string(world.preferred) + " slice " + std::to_string(world.slice);
}

// The reference -----------------------------------------------------------------------------------

class NearReference {
 public:
  explicit NearReference(const NearWorld& world) : world_(world) {}

  // By node: pods of the gang that it holds once the victims have left.
  std::vector<int> Rooms(unsigned gone) const {
    std::vector<int> free;
    for (const NearNode& node : world_.nodes) free.push_back(node.cpu);
    for (std::size_t v = 0; v < world_.victims.size(); ++v) {
      if ((gone >> v & 1U) != 0) continue;
      for (const auto& [n, cpu] : world_.victims[v].pods) free[static_cast<std::size_t>(n)] -= cpu;
    }
    for (const int n : world_.runs) {
      if (n >= 0) free[static_cast<std::size_t>(n)] -= world_.cpu;
    }
    for (int& each : free) each /= world_.cpu;
    return free;
  }
  std::vector<std::string> DomainsAt(int level) const {
    std::set<std::string> domains;
    for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
      const bool named = level != 1 || world_.nodes[n].rack >= 0;
      if (named) domains.insert(PathOf(world_.nodes[n], n, level));
    }
    return {domains.begin(), domains.end()};
  }
  bool IsIn(std::size_t n, int level, const std::string& domain) const {
    return PathOf(world_.nodes[n], n, level) == domain;
  }
  // In pods; with slices in whole ones, the last of which may be short.
  bool Holds(int level, const std::string& domain, const std::vector<int>& rooms) const {
    if (world_.slice == 0) {
      int sum = 0;
      for (std::size_t n = 0; n < rooms.size(); ++n) sum += IsIn(n, level, domain) ? rooms[n] : 0;
      return sum >= world_.pods;
    }
    std::map<std::string, int> racks;
    for (std::size_t n = 0; n < rooms.size(); ++n) {
      if (IsIn(n, level, domain) && world_.nodes[n].rack >= 0) {
        racks[PathOf(world_.nodes[n], n, 1)] += rooms[n];
      }
    }
    int whole = 0;
    bool takes_rest = false;
    const int rest = world_.pods % world_.slice;
    for (const auto& [rack, room] : racks) {
      whole += room / world_.slice;
      takes_rest |= room % world_.slice >= rest;
    }
    const int wanted = world_.pods / world_.slice;
    return whole > wanted || (whole == wanted && (rest == 0 || takes_rest));
  }
  // Whether those that were lost have room where the others run: those of a slice in its rack, a
  // slice that was lost as a whole in any rack.
  bool HoldsLost(const std::vector<int>& rooms) const {
    const auto runs = std::ranges::find_if(world_.runs, [](int n) { return n >= 0; });
    const auto first = static_cast<std::size_t>(*runs);
    const std::string home = PathOf(world_.nodes[first], first, world_.required);
    if (world_.slice == 0) {
      int sum = 0;
      for (std::size_t n = 0; n < rooms.size(); ++n) {
        sum += IsIn(n, world_.required, home) ? rooms[n] : 0;
      }
      return sum >= std::ranges::count(world_.runs, -1);
    }
    std::map<std::string, int> racks;
    for (std::size_t n = 0; n < rooms.size(); ++n) {
      if (IsIn(n, world_.required, home) && world_.nodes[n].rack >= 0) {
        racks[PathOf(world_.nodes[n], n, 1)] += rooms[n];
      }
    }
    int whole = 0, rest = 0;  // slices that were lost, and the pods of a short one
    const auto slice = static_cast<std::size_t>(world_.slice);
    for (std::size_t begin = 0; begin < world_.runs.size(); begin += slice) {
      const std::size_t end = std::min(begin + slice, world_.runs.size());
      int lost = 0, node = -1;
      for (std::size_t p = begin; p < end; ++p) {
        lost += world_.runs[p] < 0 ? 1 : 0;
        node = std::max(node, world_.runs[p]);
      }
      if (node >= 0) {
        const auto n = static_cast<std::size_t>(node);
        if ((racks[PathOf(world_.nodes[n], n, 1)] -= lost) < 0) return false;
      } else {
        (end - begin == slice ? whole : rest) += end - begin == slice ? 1 : lost;
      }
    }
    int room = 0;
    bool takes_rest = rest == 0;
    for (const auto& [rack, left] : racks) {
      room += left / world_.slice;
      takes_rest |= left % world_.slice >= rest;
    }
    return room > whole || (room == whole && takes_rest);
  }
  bool Fits(unsigned gone) const {
    const std::vector<int> rooms = Rooms(gone);
    if (!world_.runs.empty()) return HoldsLost(rooms);
    const std::vector<std::string> domains = DomainsAt(world_.required);
    return std::ranges::any_of(
        domains, [&](const std::string& d) { return Holds(world_.required, d, rooms); });
  }
  // The narrowest level, from the preferred one outwards, at which it fits at once.
  int LevelThatFits() const {
    const std::vector<int> rooms = Rooms(0);
    for (int level = std::max(world_.preferred, world_.required); level > world_.required;
         --level) {
      const std::vector<std::string> domains = DomainsAt(level);
      if (std::ranges::any_of(domains,
                              [&](const std::string& d) { return Holds(level, d, rooms); })) {
        return level;
      }
    }
    return world_.required;
  }

  // How many domains of each level are used inside one of `level` by pods that fill child after
  // child by name: with the fewest children, and of those sets the one that takes the fewest
  // domains of the levels below.
  using Counts = std::array<int, 3>;
  Counts FewestDomains(int level, const std::string& domain, int pods) const {
    if (level == 2) return {};
    const std::vector<int> rooms = Rooms(0);
    std::map<std::pair<bool, std::string>, int> children;  // unnamed behind
    for (std::size_t n = 0; n < rooms.size(); ++n) {
      const bool is_unnamed = level == 0 && world_.nodes[n].rack < 0;
      if (IsIn(n, level, domain) && rooms[n] > 0) {
        children[{is_unnamed, PathOf(world_.nodes[n], n, level + 1)}] += rooms[n];
      }
    }
    std::optional<Counts> best;
    int fewest = 1000;
    for (unsigned used = 1; used < 1U << children.size(); ++used) {
      int room = 0, i = 0, left = pods;
      Counts counts = {};
      for (const auto& [child, of_child] : children) {
        if ((used >> i++ & 1U) == 0) continue;
        room += of_child;
        if (left == 0) continue;
        const int taken = std::min(left, of_child);
        left -= taken;
        const Counts below = FewestDomains(level + 1, child.second, taken);
        for (std::size_t l = 0; l < 3; ++l) counts[l] += below[l];
        ++counts[static_cast<std::size_t>(level) + 1];
      }
      if (room < pods || std::popcount(used) > fewest) continue;
      if (std::popcount(used) < fewest) best.reset();
      fewest = std::popcount(used);
      best = best ? std::min(*best, counts) : counts;
    }
    return *best;
  }
  Counts FewestDomains(int level) const {
    const std::vector<int> rooms = Rooms(0);
    Counts best = {1000, 1000, 1000};
    for (const std::string& domain : DomainsAt(level)) {
      if (Holds(level, domain, rooms)) {
        best = std::min(best, FewestDomains(level, domain, world_.pods));
      }
    }
    return best;
  }

  using Cost = std::array<std::int64_t, 4>;
  Cost CostOf(unsigned gone) const {
    std::int64_t capacity = 0;
    for (const NearNode& node : world_.nodes) capacity += 1000 * node.cpu;
    Cost cost = {-1'000'000, 0, 0, 0};
    for (std::size_t v = 0; v < world_.victims.size(); ++v) {
      if ((gone >> v & 1U) == 0) continue;
      const NearVictim& victim = world_.victims[v];
      cost[0] = std::max<std::int64_t>(cost[0], victim.priority);
      ++cost[1];
      for (const auto& [n, cpu] : victim.pods) {
        const std::int64_t part =
            (std::int64_t{1000} * cpu * 1'000'000'000 + capacity - 1) / capacity;
        cost[2] += part * victim.age_s;
        ++cost[3];
      }
    }
    return cost;
  }
  std::optional<Cost> CheapestCost() const {
    std::optional<Cost> best;
    for (unsigned gone = 1; gone < 1U << world_.victims.size(); ++gone) {
      bool may = true;
      for (std::size_t v = 0; v < world_.victims.size(); ++v) {
        may &= (gone >> v & 1U) == 0 || world_.victims[v].priority < 10;
      }
      if (!may || !Fits(gone)) continue;
      if (!best || CostOf(gone) < *best) best = CostOf(gone);
    }
    return best;
  }

 private:
  const NearWorld& world_;
};

// The engine --------------------------------------------------------------------------------------

struct NearPlan {
  std::map<std::string, std::string> bound;  // pod → node
  std::set<std::string> evicted;
  bool promised = false;
  bool least_proven = true;
  std::vector<std::string> lines;
};

NearPlan Decide(const NearWorld& world, int unlike) {
  Scheduler scheduler;
  scheduler.Apply(ChangesOf(world, unlike));
  scheduler.Settle();
  const Plan plan = scheduler.Round(At(kTime));
  NearPlan made;
  made.lines = Decided(scheduler, plan);
  const state::Cluster& cluster = scheduler.cluster();
  for (const Decision& decision : plan.decisions) {
    if (decision.type == DecisionType::kBind || decision.type == DecisionType::kNominate) {
      made.bound[std::string(cluster.pods().name(decision.pod))] =
          cluster.nodes().name(decision.node);
      made.promised |= decision.type == DecisionType::kNominate;
    }
    if (decision.type == DecisionType::kEvict) {
      made.evicted.emplace(cluster.pods().name(decision.pod));
      made.least_proven &= decision.least_proven;
    }
  }
  return made;
}

struct NearTally {
  int fits = 0, makes_room = 0, refused = 0, unproven = 0;
};

void PutRunning(const NearWorld& world, std::map<std::string, std::string>& on) {
  for (std::size_t p = 0; p < world.runs.size(); ++p) {
    if (world.IsLost(p)) continue;
    on["s/gang-" + std::to_string(p)] = NodeName(static_cast<std::size_t>(world.runs[p]));
  }
}

// What is wrong with where the pods stand.
std::string FaultOfPlaces(const NearWorld& world, const NearPlan& plan, int level) {
  std::set<std::string> domains;
  std::map<int, std::set<std::string>> racks_of_slice;
  std::map<int, std::string> walked;  // by index
  std::map<std::string, std::string> on = plan.bound;
  PutRunning(world, on);
  for (const auto& [pod, node] : on) {
    const auto n = static_cast<std::size_t>(std::stoi(node.substr(1)));
    const int index = std::stoi(pod.substr(pod.rfind('-') + 1));
    domains.insert(PathOf(world.nodes[n], n, level));
    walked[index] = PathOf(world.nodes[n], n, 2);
    if (world.slice > 0) {
      racks_of_slice[index / world.slice].insert(PathOf(world.nodes[n], n, 1));
    }
  }
  if (domains.size() > 1) return "in several domains";
  for (const auto& [slice, racks] : racks_of_slice) {
    if (racks.size() > 1) return "a slice in several racks";
  }
  // In index order along the tree; without slices each node once.
  if (world.slice == 0 && world.runs.empty()) {
    std::vector<std::string> order;
    for (const auto& [index, path] : walked) {
      if (order.empty() || order.back() != path) order.push_back(path);
    }
    std::set<std::string> once(order.begin(), order.end());
    if (once.size() != order.size()) return "a node twice in the order of indices";
  }
  return "";
}

std::string Judge(const NearWorld& world, NearTally& tally) {
  const NearPlan plan = Decide(world, 0);
  std::string got = "\n  ";
  for (const std::string& line : plan.lines) got += line + "; ";
  const auto wrong = [&](const std::string& what) { return what + got + Tell(world); };
  if (Decide(world, 1).bound != plan.bound)
    return wrong("it depends on the order in which nodes come");
  const NearReference reference(world);
  const auto lacks =
      world.runs.empty() ? std::ptrdiff_t{world.pods} : std::ranges::count(world.runs, -1);
  if (reference.Fits(0)) {
    ++tally.fits;
    if (std::ssize(plan.bound) != lacks || plan.promised) return wrong("it fits");
    const int level = world.runs.empty() ? reference.LevelThatFits() : world.required;
    const std::string fault = FaultOfPlaces(world, plan, level);
    if (!fault.empty()) return wrong(fault);
    if (world.slice > 0 || !world.runs.empty()) return "";
    std::array<std::set<std::string>, 3> used;
    for (const auto& [pod, node] : plan.bound) {
      const auto n = static_cast<std::size_t>(std::stoi(node.substr(1)));
      for (int l = level + 1; l < 3; ++l) {
        used[static_cast<std::size_t>(l)].insert(PathOf(world.nodes[n], n, l));
      }
    }
    const NearReference::Counts fewest = reference.FewestDomains(level);
    for (std::size_t l = 0; l < 3; ++l) {
      if (std::ssize(used[l]) != fewest[l]) {
        return wrong(std::to_string(fewest[l]) + " " + kLevels[l] + "s are the fewest");
      }
    }
    return "";
  }
  const auto cheapest = reference.CheapestCost();
  if (!cheapest) {
    ++tally.refused;
    return plan.bound.empty() && plan.evicted.empty() ? "" : wrong("it cannot be had");
  }
  ++tally.makes_room;
  if (plan.evicted.empty()) {
    ++tally.unproven;
    return world.slice > 0 ? "" : wrong("somebody could make room");
  }
  unsigned gone = 0;
  for (std::size_t v = 0; v < world.victims.size(); ++v) {
    if (plan.evicted.contains("s/v" + std::to_string(v) + "-0")) gone |= 1U << v;
  }
  if (!reference.Fits(gone)) return wrong("they do not serve");
  for (std::size_t v = 0; v < world.victims.size(); ++v) {
    if ((gone >> v & 1U) != 0 && reference.Fits(gone & ~(1U << v))) {
      return wrong("v" + std::to_string(v) + " goes for nothing");
    }
  }
  if (std::ssize(plan.bound) != lacks) return wrong("not all of it is promised");
  const std::string fault = FaultOfPlaces(world, plan, world.required);
  if (!fault.empty()) return wrong(fault);
  if (reference.CostOf(gone) == *cheapest) return "";
  ++tally.unproven;
  if (plan.least_proven) return wrong("cheaper ones would have served, and this is called proven");
  return world.slice > 0 ? "" : wrong("cheaper ones would have served");
}

NearWorld NearWorldOf(std::uint64_t number) {
  Random random(number);
  const auto below = [&](int most) {
    return static_cast<int>(random.Below(static_cast<std::uint64_t>(most)));
  };
  NearWorld world;
  const int nodes = 2 + below(6);
  for (int n = 0; n < nodes; ++n) {
    world.nodes.push_back(
        {.cpu = 1 + below(5), .block = below(2), .rack = below(8) == 0 ? -1 : below(3)});
  }
  std::vector<int> free;
  for (const NearNode& node : world.nodes) free.push_back(node.cpu);
  const int victims = below(3) == 0 ? 0 : below(9);
  for (int v = 0; v < victims; ++v) {
    NearVictim victim{.priority = below(4) == 0 ? 10 : below(3), .age_s = 100 * (1 + below(4))};
    const int pods = below(3) == 0 ? 2 + below(2) : 1;
    for (int p = 0; p < pods; ++p) {
      const int n = below(nodes);
      const int cpu = std::min(1 + below(2), free[static_cast<std::size_t>(n)]);
      if (cpu == 0) continue;
      free[static_cast<std::size_t>(n)] -= cpu;
      victim.pods.emplace_back(n, cpu);
    }
    if (!victim.pods.empty()) world.victims.push_back(victim);
  }
  world.pods = 2 + below(5);
  world.cpu = 1 + below(2);
  world.required = below(4) - 1;
  if (world.required == 2) world.required = 1;
  world.preferred = below(3) == 0 ? world.required + below(2 - world.required) : -1;
  if (world.required < 0 && world.preferred < 0) world.preferred = 1;
  if (below(4) == 0 && world.required < 1) {
    world.slice = 2 + below(2);
    world.preferred = -1;
  }
  return world;
}

// The same world, and some of the gang run: their nodes are larger by that.
NearWorld LostWorldOf(std::uint64_t number) {
  NearWorld world = NearWorldOf(number);
  Random random(number + 1'000'000);
  const auto below = [&](std::size_t most) {
    return static_cast<std::size_t>(random.Below(std::uint64_t{most}));
  };
  if (world.slice == 0) world.required = std::max(world.required, 0);
  world.preferred = -1;
  std::vector<int> runs;
  std::string home, rack;
  for (int p = 0; p < world.pods; ++p) {
    if (world.slice > 0 && p % world.slice == 0) rack.clear();
    const std::size_t n = below(world.nodes.size());
    NearNode& node = world.nodes[n];
    const std::string at = PathOf(node, n, world.required), in_rack = PathOf(node, n, 1);
    const bool may_be = (home.empty() || home == at) && (world.required < 1 || node.rack >= 0) &&
                        (world.slice == 0 || (node.rack >= 0 && (rack.empty() || rack == in_rack)));
    const bool lost = !may_be || below(3) == 0;
    runs.push_back(lost ? -1 : static_cast<int>(n));
    if (lost) continue;
    node.cpu += world.cpu;
    home = at;
    rack = in_rack;
  }
  const bool some = !home.empty() && std::ranges::count(runs, -1) > 0;
  if (some) world.runs = std::move(runs);
  return world;
}

TEST(TopologyWorlds, LostPodsComeBackNearTheOthers) {
  NearTally tally;
  int wrong = 0;
  for (std::uint64_t number = 1; number <= Soaked(20'000) && wrong < 5; ++number) {
    const NearWorld world = LostWorldOf(number);
    const std::string fault = world.runs.empty() ? "" : Judge(world, tally);
    if (fault.empty()) continue;
    ++wrong;
    ADD_FAILURE() << "world " << number << ": " << fault;
  }
  EXPECT_GT(tally.fits, Enough(1000));
  EXPECT_GT(tally.makes_room, Enough(1000));
  EXPECT_GT(tally.refused, Enough(1000));
  EXPECT_LT(tally.unproven * 20, tally.makes_room);
}

TEST(TopologyWorlds, AreSolved) {
  NearTally tally;
  int wrong = 0;
  for (std::uint64_t number = 1; number <= Soaked(30'000) && wrong < 5; ++number) {
    const std::string fault = Judge(NearWorldOf(number), tally);
    if (fault.empty()) continue;
    ++wrong;
    ADD_FAILURE() << "world " << number << ": " << fault;
  }
  RecordProperty("fits", tally.fits);
  EXPECT_GT(tally.fits, Enough(1000));
  EXPECT_GT(tally.makes_room, Enough(1000));
  EXPECT_GT(tally.refused, Enough(1000));
  EXPECT_LT(tally.unproven * 20, tally.makes_room);
}

}  // namespace
}  // namespace fairlead::engine
