#include "unit/drive/demand_world.h"

#include <algorithm>
#include <tuple>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "objects/write/writer.h"

namespace fairlead::drive {
namespace {

using objects::PodTerm;
using objects::SpreadConstraint;
using Pod = DemandWorld::Pod;

constexpr Time kCreated{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

class Maker {
 public:
  Maker(std::uint64_t seed, WorldKind kind) : random_(seed), kind_(kind) {}

  DemandWorld Make() {
    world_.name_spaces = {{"a", {}}, {"b", {{"tier", "gold"}}}};
    const bool large = kind_ == WorldKind::kManyVictims;
    const int nodes = Roll(1, large ? 6 : kind_ == WorldKind::kGang ? 4 : 5);
    for (int n = 0; n < nodes; ++n) AddNode(n);
    const int running = large ? Roll(8, 11) : Roll(0, 6);
    for (int p = 0; p < running; ++p) AddRunning(p);
    const int waiting = kind_ == WorldKind::kGang || (kind_ == WorldKind::kVictims && Chance(3))
                            ? Roll(2, kind_ == WorldKind::kGang ? 4 : 2)
                            : 1;
    const Pod template_pod = AnyPod(true);
    for (int p = 0; p < waiting; ++p) {
      // Members are often alike.
      Pod pod = p > 0 && Chance(2) ? template_pod : AnyPod(true);
      pod.name = fmt::format("w{}", p);
      pod.name_space = "a";
      pod.priority = 5;
      world_.waiting.push_back(std::move(pod));
    }
    for (Pod& pod : world_.waiting) Prefer(pod);
    for (DemandWorld::Node& node : world_.nodes) node.avoided = Chance(3) ? Roll(1, 2) : 0;
    world_.order = Chance(4)   ? objects::PreferenceOrder::kTie
                   : Chance(9) ? objects::PreferenceOrder::kOff
                               : objects::PreferenceOrder::kFirst;
    return std::move(world_);
  }

  DemandWorld::Node MakeNode(int number) {
    AddNode(number);
    world_.nodes.back().avoided = Chance(3) ? Roll(1, 2) : 0;
    return world_.nodes.back();
  }
  Pod MakePod() {
    Pod pod = AnyPod(true);
    pod.priority = Roll(0, 2);
    pod.ours = !Chance(8);
    if (Chance(4)) pod.name_space = "b";
    Prefer(pod);
    return pod;
  }

 private:
  int Roll(int low, int high) {
    return low + static_cast<int>(random_.Below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool Chance(int of) { return Roll(1, of) == 1; }
  std::string One(std::initializer_list<const char*> of) {
    return *(of.begin() + Roll(0, static_cast<int>(of.size()) - 1));
  }

  void AddNode(int n) {
    DemandWorld::Node& node = world_.nodes.emplace_back();
    node.name = fmt::format("n{}", n);
    node.cpu = Roll(1, 4);
    if (!Chance(6)) node.labels.emplace_back("host", node.name);
    if (Chance(2)) node.labels.emplace_back("disk", "ssd");
    node.in_pool = !Chance(8);
    if (node.in_pool) node.labels.emplace_back("pool", "mine");
    if (!Chance(6)) node.labels.emplace_back("zone", One({"z1", "z2", "z3"}));
    std::sort(node.labels.begin(), node.labels.end());
    node.cordoned = Chance(10);
  }

  PodTerm Term() {
    PodTerm term;
    term.topology_key = One({"zone", "zone", "host", "nowhere"});
    if (Chance(12)) {
      term.selects_nothing = true;
    } else if (!Chance(10)) {
      term.selector.requirements.push_back(
          {.key = "app",
           .op = Chance(4) ? objects::Operator::kNotIn : objects::Operator::kIn,
           .values = {One({"x", "y"})}});
      if (Chance(4)) {
        term.selector.requirements.push_back(
            {.key = "v", .op = objects::Operator::kExists, .values = {}});
      }
    }
    if (Chance(5)) term.name_spaces = {One({"a", "b"})};
    if (Chance(8)) {
      term.name_space_selector.emplace();
      if (Chance(2)) {
        term.name_space_selector->requirements.push_back(
            {.key = "tier", .op = objects::Operator::kIn, .values = {"gold"}});
      }
    }
    return term;
  }

  SpreadConstraint Spread() {
    SpreadConstraint constraint;
    constraint.topology_key = One({"zone", "zone", "host"});
    if (Chance(12)) {
      constraint.selects_nothing = true;
    } else {
      constraint.selector.requirements.push_back(
          {.key = "app", .op = objects::Operator::kIn, .values = {One({"x", "y"})}});
    }
    constraint.max_skew = Chance(3) ? 2 : 1;
    constraint.min_domains = Chance(4) ? Roll(2, 3) : 1;
    constraint.honors_affinity = !Chance(4);
    constraint.honors_taints = Chance(4);
    return constraint;
  }

  void Prefer(Pod& pod) {
    if (Chance(4)) return;
    objects::Preferences& preferences = pod.preferences;
    if (Chance(3)) {
      for (int i = Roll(1, 2); i > 0; --i) {
        auto& each = preferences.nodes.emplace_back();
        each.weight = Roll(1, 5);
        each.term.labels.push_back(
            {.key = One({"disk", "zone", "host"}), .op = objects::Operator::kExists, .values = {}});
        if (Chance(2)) each.term.labels[0] = {.key = "zone", .values = {One({"z1", "z2", "z3"})}};
        if (Chance(9)) each.term.labels.clear();  // selects nothing
      }
    }
    const auto pods = [&](std::vector<objects::Preferences::OfPods>& into) {
      for (int i = Roll(1, 2); i > 0; --i) into.push_back({.weight = Roll(1, 5), .term = Term()});
    };
    if (Chance(3)) pods(preferences.affinity);
    if (Chance(3)) pods(preferences.anti_affinity);
    if (Chance(3)) {
      for (int i = Roll(1, 2); i > 0; --i) {
        preferences.spread.push_back(Spread());
        preferences.spread.back().min_domains = 1;
      }
    }
    pod.tolerates = Chance(3);
  }

  Pod AnyPod(bool demands) {
    Pod pod;
    if (!Chance(5)) pod.labels.emplace_back("app", One({"x", "y"}));
    if (Chance(3)) pod.labels.emplace_back("v", One({"1", "2"}));
    pod.cpu = Chance(4) ? 2 : 1;
    if (Chance(8)) pod.disk = "ssd";
    if (Chance(demands ? 2 : 3)) {
      for (int i = Roll(1, 2); i > 0; --i) pod.anti_affinity.push_back(Term());
    }
    if (Chance(demands ? 3 : 9)) {
      for (int i = Roll(1, 2); i > 0; --i) pod.affinity.push_back(Term());
    }
    if (Chance(demands ? 3 : 9)) {
      for (int i = Roll(1, 2); i > 0; --i) pod.spread.push_back(Spread());
    }
    return pod;
  }

  void AddRunning(int p) {
    Pod pod = AnyPod(false);
    pod.name = fmt::format("r{}", p);
    if (Chance(4)) pod.name_space = "b";
    pod.node = Roll(0, static_cast<int>(world_.nodes.size()) - 1);
    int used = pod.cpu;
    for (const Pod& other : world_.running) used += other.node == pod.node ? other.cpu : 0;
    if (used > world_.nodes[static_cast<std::size_t>(pod.node)].cpu) return;
    pod.ours = !Chance(4);
    pod.leaving = Chance(7);
    const bool lower = kind_ == WorldKind::kVictims || kind_ == WorldKind::kManyVictims;
    pod.priority = lower ? Roll(0, 2) : 9;
    if (Chance(8)) pod.priority = 9;
    world_.running.push_back(std::move(pod));
  }

  Random random_;
  WorldKind kind_;
  DemandWorld world_;
};

}  // namespace

DemandWorld::Pod MakePod(std::uint64_t seed) { return Maker(seed, WorldKind::kVictims).MakePod(); }

DemandWorld::Node MakeNode(std::uint64_t seed, int number) {
  return Maker(seed, WorldKind::kVictims).MakeNode(number);
}

objects::Object ObjectOf(const DemandWorld::Node& node) {
  objects::Node object{.meta = {.name = node.name, .labels = node.labels},
                       .unschedulable = node.cordoned,
                       .taints = {},
                       .allocatable = {{"cpu", node.cpu * 1000}}};
  for (int i = 0; i < node.avoided; ++i) {
    object.taints.push_back({.key = fmt::format("avoid{}", i),
                             .value = "",
                             .effect = objects::TaintEffect::kPreferNoSchedule});
  }
  return object;
}

objects::Object ObjectOf(const DemandWorld& world, const Pod& pod, bool gang) {
  objects::Pod object;
  object.meta.name = pod.name;
  object.meta.name_space = pod.name_space;
  object.meta.uid = pod.name;
  object.meta.labels = pod.labels;
  object.meta.creation_time = kCreated;
  if (gang) {
    object.meta.labels.emplace_back("fairlead.dev/pod-set", pod.name);
    object.meta.labels.emplace_back("fairlead.dev/workload", "gang");
  }
  if (pod.leaving) object.meta.deletion_time = kCreated;
  std::sort(object.meta.labels.begin(), object.meta.labels.end());
  object.spec.scheduler_name = pod.ours ? "fairlead" : "other";
  object.spec.priority = pod.priority;
  if (pod.node >= 0) {
    object.spec.node_name = world.nodes[static_cast<std::size_t>(pod.node)].name;
    object.phase = objects::PodPhase::kRunning;
  }
  objects::PodNeeds& needs = object.spec.needs;
  needs.request = {{"cpu", pod.cpu * 1000}};
  if (!pod.disk.empty()) needs.node_selector = {{"disk", pod.disk}};
  if (!pod.affinity.empty()) needs.rare.Edit().affinity = pod.affinity;
  if (!pod.anti_affinity.empty()) needs.rare.Edit().anti_affinity = pod.anti_affinity;
  if (!pod.spread.empty()) needs.rare.Edit().spread = pod.spread;
  if (!pod.preferences.empty()) needs.rare.Edit().preferences = pod.preferences;
  if (pod.tolerates) {
    needs.tolerations.push_back(
        {.key = "avoid0", .exists = true, .value = "", .effect = std::nullopt});
  }
  return object;
}

DemandWorld MakeWorld(std::uint64_t seed, WorldKind kind) { return Maker(seed, kind).Make(); }

std::vector<objects::Object> DemandWorld::Objects() const {
  std::vector<objects::Object> objects;
  objects::SchedulerConfiguration configuration;
  configuration.node_selector = {{"pool", "mine"}};
  configuration.preferences = order;
  objects.emplace_back(configuration);
  for (const auto& [name, labels] : name_spaces) {
    objects.emplace_back(objects::Namespace{.meta = {.name = name, .labels = labels}});
  }
  for (const Node& node : nodes) objects.push_back(ObjectOf(node));
  const bool gang = waiting.size() > 1;
  if (gang) {
    objects::Workload workload;
    workload.meta = {.name = "gang", .name_space = "a", .creation_time = kCreated};
    workload.priority = waiting.front().priority;
    for (const Pod& pod : waiting) {
      workload.pod_sets.push_back({.name = pod.name, .count = 1, .min_count = 1});
    }
    objects.emplace_back(workload);
  }
  for (const Pod& pod : running) objects.push_back(ObjectOf(*this, pod, false));
  for (const Pod& pod : waiting) objects.push_back(ObjectOf(*this, pod, gang));
  return objects;
}

std::string DemandWorld::Told() const {
  std::string text;
  for (const objects::Object& object : Objects()) {
    text += boost::json::serialize(objects::ToJson(object)) + "\n---\n";
  }
  return text;
}

// The rules --------------------------------------------------------------------------------------

const std::string* DemandReference::Domain(int node, const std::string& key) const {
  return objects::FindLabel(world_.nodes[static_cast<std::size_t>(node)].labels, key);
}

bool DemandReference::Selects(const Pod& carrier, const PodTerm& term, const Pod& other) const {
  if (term.selects_nothing) return false;
  bool name_space = term.name_spaces.empty() && !term.name_space_selector &&
                    carrier.name_space == other.name_space;
  for (const std::string& name : term.name_spaces) name_space |= name == other.name_space;
  if (term.name_space_selector) {
    name_space |=
        objects::Matches(*term.name_space_selector, world_.name_spaces.at(other.name_space));
  }
  return name_space && objects::Matches(term.selector, other.labels);
}

DemandReference::Standing DemandReference::Picture(bool now, std::uint32_t gone) const {
  Standing standing;
  for (std::size_t p = 0; p < world_.running.size(); ++p) {
    const Pod& pod = world_.running[p];
    if ((gone >> p & 1U) != 0 || (!now && pod.leaving)) continue;
    standing.push_back({.pod = &pod, .node = pod.node, .leaving = pod.leaving});
  }
  return standing;
}

bool DemandReference::HasRoom(const Standing& standing, const Pod& pod, int node) const {
  int used = pod.cpu;
  for (const Placed& other : standing) used += other.node == node ? other.pod->cpu : 0;
  return used <= world_.nodes[static_cast<std::size_t>(node)].cpu;
}

bool DemandReference::Suits(const Pod& pod, int node) const {
  const DemandWorld::Node& at = world_.nodes[static_cast<std::size_t>(node)];
  const std::string* disk = Domain(node, "disk");
  return at.in_pool && !at.cordoned && (pod.disk.empty() || (disk != nullptr && *disk == pod.disk));
}

bool DemandReference::Refused(const Standing& standing, const Pod& pod, int node) const {
  const auto share = [&](int other, const std::string& key) {
    const std::string* here = Domain(node, key);
    const std::string* there = Domain(other, key);
    return here != nullptr && there != nullptr && *here == *there;
  };
  for (const Placed& other : standing) {
    for (const PodTerm& term : pod.anti_affinity) {
      if (share(other.node, term.topology_key) && Selects(pod, term, *other.pod)) return true;
    }
    for (const PodTerm& term : other.pod->anti_affinity) {
      if (share(other.node, term.topology_key) && Selects(*other.pod, term, pod)) return true;
    }
  }
  return false;
}

// `standing`: without the pod itself.
bool DemandReference::Attracted(const Standing& standing, const Pod& pod, int node) const {
  const auto all_select = [&](const Pod& other) {
    return std::all_of(pod.affinity.begin(), pod.affinity.end(),
                       [&](const PodTerm& term) { return Selects(pod, term, other); });
  };
  bool met = true, anywhere = false;
  for (const PodTerm& term : pod.affinity) {
    const std::string* here = Domain(node, term.topology_key);
    if (here == nullptr) return false;
    bool found = false;
    for (const Placed& other : standing) {
      const std::string* there = Domain(other.node, term.topology_key);
      if (there == nullptr || !all_select(*other.pod)) continue;
      anywhere = true;
      found |= *there == *here;
    }
    met = met && found;
    // Who leaves makes nobody the first of a series.
    for (const Pod& other : world_.running) {
      anywhere |= Domain(other.node, term.topology_key) != nullptr && all_select(other);
    }
  }
  return met || (!anywhere && all_select(pod));
}

bool DemandReference::Eligible(const Pod& pod, const std::vector<SpreadConstraint>& beside,
                               const SpreadConstraint& constraint, int node) const {
  const DemandWorld::Node& at = world_.nodes[static_cast<std::size_t>(node)];
  if (!at.in_pool) return false;
  for (const SpreadConstraint& each : beside) {
    if (Domain(node, each.topology_key) == nullptr) return false;
  }
  const std::string* disk = Domain(node, "disk");
  if (constraint.honors_affinity && !pod.disk.empty() && (disk == nullptr || *disk != pod.disk)) {
    return false;
  }
  return true;  // a cordoned node has no taint here, and stays eligible
}

bool DemandReference::Even(const Standing& standing, const Pod& pod, int node) const {
  for (const SpreadConstraint& constraint : pod.spread) {
    const auto counts = [&](const Pod& other) {
      return !constraint.selects_nothing && other.name_space == pod.name_space &&
             objects::Matches(constraint.selector, other.labels);
    };
    if (Domain(node, constraint.topology_key) == nullptr) return false;
    std::map<std::string, int> matches;
    for (std::size_t n = 0; n < world_.nodes.size(); ++n) {
      if (Eligible(pod, pod.spread, constraint, static_cast<int>(n))) {
        matches[*Domain(static_cast<int>(n), constraint.topology_key)] += 0;
      }
    }
    for (const Placed& other : standing) {
      if (other.leaving || !counts(*other.pod)) continue;
      if (Eligible(pod, pod.spread, constraint, other.node)) {
        ++matches[*Domain(other.node, constraint.topology_key)];
      }
    }
    int least = 0;
    if (static_cast<int>(matches.size()) >= constraint.min_domains && !matches.empty()) {
      least = std::min_element(matches.begin(), matches.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
              })->second;
    }
    if (!Eligible(pod, pod.spread, constraint, node)) return false;  // some other key is missing
    const int self = counts(pod) ? 1 : 0;
    if (matches[*Domain(node, constraint.topology_key)] + self - least > constraint.max_skew) {
      return false;
    }
  }
  return true;
}

// All but affinity, which is judged at the end.
bool DemandReference::MayBind(const Standing& standing, const Pod& pod, int node) const {
  return Suits(pod, node) && HasRoom(standing, pod, node) && !Refused(standing, pod, node) &&
         Even(standing, pod, node);
}

bool DemandReference::AllAttracted(const Standing& standing, std::size_t from) const {
  for (std::size_t i = from; i < standing.size(); ++i) {
    Standing others = standing;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (!Attracted(others, *standing[i].pod, standing[i].node)) return false;
  }
  return true;
}

// Every order and every node.
bool DemandReference::SearchFrom(Standing& standing, std::vector<bool>& done,
                                 std::size_t from) const {
  bool all = true;
  for (std::size_t w = 0; w < world_.waiting.size(); ++w) {
    if (done[w]) continue;
    all = false;
    for (int n = 0; n < static_cast<int>(world_.nodes.size()); ++n) {
      if (!MayBind(standing, world_.waiting[w], n)) continue;
      done[w] = true;
      standing.push_back({.pod = &world_.waiting[w], .node = n});
      const bool found = SearchFrom(standing, done, from);
      standing.pop_back();
      done[w] = false;
      if (found) return true;
    }
  }
  return all && AllAttracted(standing, from);
}

bool DemandReference::Search(Standing standing) const {
  std::vector<bool> done(world_.waiting.size(), false);
  return SearchFrom(standing, done, standing.size());
}

std::vector<std::string> DemandReference::NodesNow() const {
  std::vector<std::string> nodes;
  const Standing standing = Picture(true, 0);
  const Pod& pod = world_.waiting.front();
  for (int n = 0; n < static_cast<int>(world_.nodes.size()); ++n) {
    if (MayBind(standing, pod, n) && Attracted(standing, pod, n)) {
      nodes.push_back(world_.nodes[static_cast<std::size_t>(n)].name);
    }
  }
  return nodes;
}

DemandReference::Raw DemandReference::RawOf(const Standing& standing, const Pod& pod,
                                            int node) const {
  const DemandWorld::Node& at = world_.nodes[static_cast<std::size_t>(node)];
  Raw raw;
  for (const auto& each : pod.preferences.nodes) {
    if (objects::Matches(each.term, at.labels, at.name)) raw.nodes += each.weight;
  }
  const auto matches = [&](const PodTerm& term) {
    const std::string* here = Domain(node, term.topology_key);
    int count = 0;
    for (const Placed& other : standing) {
      const std::string* there = Domain(other.node, term.topology_key);
      if (here == nullptr || there == nullptr || *here != *there) continue;
      count += Selects(pod, term, *other.pod) ? 1 : 0;
    }
    return count;
  };
  for (const auto& each : pod.preferences.affinity) raw.pods += each.weight * matches(each.term);
  for (const auto& each : pod.preferences.anti_affinity) {
    raw.pods -= each.weight * matches(each.term);
  }
  raw.spread = 0;
  const auto& beside = pod.preferences.spread;
  for (const SpreadConstraint& constraint : beside) {
    if (!Eligible(pod, beside, constraint, node)) {
      raw.spread.reset();
      break;
    }
    for (const Placed& other : standing) {
      if (other.leaving || !Eligible(pod, beside, constraint, other.node)) continue;
      if (*Domain(other.node, constraint.topology_key) != *Domain(node, constraint.topology_key)) {
        continue;
      }
      *raw.spread += !constraint.selects_nothing && other.pod->name_space == pod.name_space &&
                             objects::Matches(constraint.selector, other.pod->labels)
                         ? 1
                         : 0;
    }
  }
  raw.taints = at.avoided - (at.avoided > 0 && pod.tolerates ? 1 : 0);
  return raw;
}

std::string DemandReference::BestNow(objects::PreferenceOrder order) const {
  const Standing standing = Picture(true, 0);
  const Pod& pod = world_.waiting.front();
  std::vector<int> nodes;
  std::vector<Raw> raw;
  bool any_uncounted = false;
  for (int n = 0; n < static_cast<int>(world_.nodes.size()); ++n) {
    if (!MayBind(standing, pod, n) || !Attracted(standing, pod, n)) continue;
    nodes.push_back(n);
    raw.push_back(RawOf(standing, pod, n));
    any_uncounted |= !raw.back().spread;
  }
  // ⌊100·(raw − min) / (max − min)⌋ of node i.
  const auto points = [&](std::size_t i, auto of, bool less_is_better) {
    std::optional<int> least, most;
    for (const Raw& each : raw) {
      const std::optional<int> value = of(each);
      if (!value) continue;
      least = std::min(least.value_or(*value), *value);
      most = std::max(most.value_or(*value), *value);
    }
    const std::optional<int> value = of(raw[i]);
    if (!value) return 0;
    if (*least == *most) return any_uncounted && of(Raw{}) == std::nullopt ? 100 : 0;
    const int part = 100 * (*value - *least) / (*most - *least);
    return less_is_better ? 100 - part : part;
  };
  std::string best;
  std::tuple<int, int, int> best_place;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int preferred = 2 * points(
                                  i, [](const Raw& r) { return std::optional(r.nodes); }, false) +
                          2 * points(
                                  i, [](const Raw& r) { return std::optional(r.pods); }, false) +
                          2 * points(
                                  i, [](const Raw& r) { return r.spread; }, true) +
                          3 * points(i, [](const Raw& r) { return std::optional(r.taints); }, true);
    int free = world_.nodes[static_cast<std::size_t>(nodes[i])].cpu;
    const int all = free;
    for (const Placed& other : standing) free -= other.node == nodes[i] ? other.pod->cpu : 0;
    const int busy = 1'000'000 - 1'000'000 * free / all;  // the idlest first
    std::tuple<int, int, int> place(-preferred, busy, 0);
    if (order == objects::PreferenceOrder::kTie) place = {busy, -preferred, 0};
    if (order == objects::PreferenceOrder::kOff) place = {busy, 0, 0};
    if (!best.empty() && best_place <= place) continue;  // by name: they are in order
    best = world_.nodes[static_cast<std::size_t>(nodes[i])].name;
    best_place = place;
  }
  return best;
}

bool DemandReference::Keeps(const std::vector<std::pair<int, int>>& bound) const {
  Standing standing = Picture(true, 0);
  const std::size_t from = standing.size();
  for (const auto& [w, n] : bound) {
    const Pod& pod = world_.waiting[static_cast<std::size_t>(w)];
    if (!MayBind(standing, pod, n)) return false;
    standing.push_back({.pod = &pod, .node = n});
  }
  return AllAttracted(standing, from);
}

// Making room -------------------------------------------------------------------------------------

std::uint32_t DemandReference::MayLeave() const {
  std::uint32_t may = 0;
  for (std::size_t p = 0; p < world_.running.size(); ++p) {
    const Pod& pod = world_.running[p];
    const DemandWorld::Node& at = world_.nodes[static_cast<std::size_t>(pod.node)];
    const bool lower = pod.priority < world_.waiting.front().priority;
    if (pod.ours && !pod.leaving && lower && at.in_pool && !at.cordoned) may |= 1U << p;
  }
  return may;
}

DemandReference::Cost DemandReference::CostOf(std::uint32_t gone) const {
  Cost cost{-1, 0};
  for (std::size_t p = 0; p < world_.running.size(); ++p) {
    if ((gone >> p & 1U) == 0) continue;
    cost.first = std::max(cost.first, world_.running[p].priority);
    ++cost.second;
  }
  return cost;
}

std::optional<DemandReference::Cost> DemandReference::LeastHarm() const {
  std::optional<Cost> least;
  const std::uint32_t may = MayLeave();
  for (std::uint32_t gone = 0; gone < 1U << world_.running.size(); ++gone) {
    if ((gone & ~may) != 0) continue;
    const Cost cost = CostOf(gone);
    if (least && *least <= cost) continue;
    if (FitsLater(gone)) least = cost;
  }
  return least;
}

}  // namespace fairlead::drive
