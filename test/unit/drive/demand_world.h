#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "objects/objects.h"

// Small clusters in which pods demand something of other pods, or prefer it, and what demands.md
// §1, §2, §3, §5 and §6 say of them, read word by word: slow, obvious, and of its own.

namespace fairlead::drive {

struct DemandWorld {
  static constexpr int kNowhere = -1;
  struct Node {
    std::string name;
    objects::Labels labels;
    int cpu = 0;
    bool in_pool = true;
    bool cordoned = false;
    int avoided = 0;  // taints with PreferNoSchedule: avoid0, avoid1
  };
  struct Pod {
    std::string name, name_space = "a";
    objects::Labels labels;
    int cpu = 1;
    int node = kNowhere;  // where it runs
    bool ours = true;
    bool leaving = false;
    int priority = 0;
    std::string disk;  // its node selector, where it is not empty
    std::vector<objects::PodTerm> affinity, anti_affinity;
    std::vector<objects::SpreadConstraint> spread;
    objects::Preferences preferences;
    bool tolerates = false;  // avoid0
  };
  std::vector<Node> nodes;
  std::vector<Pod> running;
  std::vector<Pod> waiting;  // one, or the members of a gang
  std::map<std::string, objects::Labels> name_spaces;
  objects::PreferenceOrder order = objects::PreferenceOrder::kFirst;

  std::vector<objects::Object> Objects() const;
  std::string Told() const;
};

enum class WorldKind : std::uint8_t { kOnePod, kGang, kVictims, kManyVictims };
DemandWorld MakeWorld(std::uint64_t seed, WorldKind kind);
// A pod that waits, of any demands; and a node of that name.
DemandWorld::Pod MakePod(std::uint64_t seed);
DemandWorld::Node MakeNode(std::uint64_t seed, int number);
objects::Object ObjectOf(const DemandWorld::Node& node);
// `gang`: it is the member of that gang for which the pod set is named like it.
objects::Object ObjectOf(const DemandWorld& world, const DemandWorld::Pod& pod, bool gang);

// When: now, with those who leave; or later, with them and `gone` away.
class DemandReference {
 public:
  explicit DemandReference(const DemandWorld& world) : world_(world) {}

  // The nodes on which the first pod that waits could run now.
  std::vector<std::string> NodesNow() const;
  // The best of these for it by §6; empty: there is none. `order`: as if the world said so.
  std::string BestNow(objects::PreferenceOrder order) const;
  // Whether all that wait can be placed at once, later without these that run (a bit each).
  bool FitsNow() const { return Search(Picture(true, 0)); }
  bool FitsLater(std::uint32_t gone) const { return Search(Picture(false, gone)); }
  // Whether these nodes, by pod that waits, in this order of binding, keep every rule.
  bool Keeps(const std::vector<std::pair<int, int>>& bound) const;
  // Those that may be asked to leave, as bits; and the least harm: the highest priority, then how
  // many. Nothing: no set of them serves.
  std::uint32_t MayLeave() const;
  using Cost = std::pair<int, int>;
  Cost CostOf(std::uint32_t gone) const;
  std::optional<Cost> LeastHarm() const;

 private:
  // Who stands where: running pods, then those placed of those who wait.
  struct Placed {
    const DemandWorld::Pod* pod;
    int node;
    bool leaving = false;
  };
  using Standing = std::vector<Placed>;
  Standing Picture(bool now, std::uint32_t gone) const;
  const std::string* Domain(int node, const std::string& key) const;
  bool Selects(const DemandWorld::Pod& carrier, const objects::PodTerm& term,
               const DemandWorld::Pod& other) const;
  bool HasRoom(const Standing& standing, const DemandWorld::Pod& pod, int node) const;
  bool Suits(const DemandWorld::Pod& pod, int node) const;
  bool Refused(const Standing& standing, const DemandWorld::Pod& pod, int node) const;
  bool Attracted(const Standing& standing, const DemandWorld::Pod& pod, int node) const;
  bool Even(const Standing& standing, const DemandWorld::Pod& pod, int node) const;
  bool Eligible(const DemandWorld::Pod& pod, const std::vector<objects::SpreadConstraint>& beside,
                const objects::SpreadConstraint& constraint, int node) const;
  // What speaks for a node, by kind: of spread nothing where the node does not count.
  struct Raw {
    int nodes = 0, pods = 0, taints = 0;
    std::optional<int> spread;
  };
  Raw RawOf(const Standing& standing, const DemandWorld::Pod& pod, int node) const;
  bool MayBind(const Standing& standing, const DemandWorld::Pod& pod, int node) const;
  bool AllAttracted(const Standing& standing, std::size_t from) const;
  bool Search(Standing standing) const;
  bool SearchFrom(Standing& standing, std::vector<bool>& done, std::size_t from) const;

  const DemandWorld& world_;
};

}  // namespace fairlead::drive
