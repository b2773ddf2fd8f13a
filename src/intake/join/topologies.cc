#include "intake/join/topologies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/did_you_mean.h"
#include "intake/tables/hold_reasons.h"

namespace fairlead::intake {
namespace {

using state::TopologyConstraint;

using Levels = std::vector<std::string>;

constexpr std::string_view kOfHyperNodes = "volcano";

std::size_t PlaceOfRow(const objects::TopologyRow& row) {
  return static_cast<std::size_t>(&row - objects::TopologyRows().data());
}

// The level by which somebody finds a Topology: any that is said.
const std::string& AnyLevelOf(const objects::TopologyConstraint& said) {
  if (!said.required.empty()) return said.required;
  return said.preferred.empty() ? said.slice_required : said.preferred;
}

bool Has(const Levels& levels, std::string_view key) {
  return std::ranges::find(levels, key) != levels.end();
}

// The levels of one Topology, found by what they are called. The first fault is kept.
class LevelFinder {
 public:
  LevelFinder(std::string_view topology, const Levels& levels)
      : topology_(topology), levels_(levels) {}

  // kNoLevel where none is named.
  std::int32_t Find(std::string_view level) {
    if (level.empty()) return TopologyConstraint::kNoLevel;
    const std::vector<std::size_t> named = objects::LevelsNamed(levels_, level);
    if (named.size() == 1) return static_cast<std::int32_t>(named.front());
    Fault(named.empty() ? objects::NoSuchLevel(topology_, levels_, level)
                        : objects::AmbiguousLevel(topology_, levels_, level));
    return TopologyConstraint::kNoLevel;
  }

  // `level`, of what is named `what`, is no wider than the required one.
  void ExpectWithin(std::int32_t required, std::int32_t level, std::string_view what) {
    if (required < 0 || level < 0 || level >= required) return;
    Fault(fmt::format("{} {} is wider than the required level {} of Topology {}", what,
                      levels_[level], levels_[required], topology_));
  }

  const std::string& fault() const { return fault_; }

 private:
  void Fault(std::string text) {
    if (fault_.empty()) fault_ = std::move(text);
  }

  std::string_view topology_;
  const Levels& levels_;
  std::string fault_;
};

}  // namespace

void Topologies::Upsert(const objects::Topology& topology) {
  const std::size_t place = PlaceOfRow(objects::RowOf(topology));
  objects::Topology& held = objects_[topology.meta.name][place];
  moved_ |= held.levels != topology.levels;
  held = topology;
}

bool Topologies::Remove(std::string_view kind, std::string_view name) {
  const auto found = objects_.find(name);
  if (found == objects_.end()) return false;
  const bool known = std::erase_if(found->second, [&](const auto& each) {
                       return objects::QualifiedKindOf(each.second) == kind;
                     }) > 0;
  if (found->second.empty()) objects_.erase(found);
  moved_ |= known;
  return known;
}

void Topologies::SetTiers(const std::vector<HyperTier>& tiers) {
  tiers_ = tiers;
  levels_of_tiers_.clear();
  for (const HyperTier& tier : tiers) levels_of_tiers_.push_back(tier.key);
  moved_ = true;
}

void Topologies::Spread() {
  const bool levels_moved = pool_.TakeLevelsMoved();
  if (levels_moved) of_labels_ = pool_.levels().All();
  if (!std::exchange(moved_, false) && !levels_moved) return;
  const auto asks = [](const auto& of) { return !of.topology.empty(); };
  tables_.gangs.ForEach([&](GangId id, const GangRow& gang) {
    const GangFacts* facts = gang.facts();
    bool is_one = facts != nullptr && (asks(*facts) || std::ranges::any_of(facts->pod_sets, asks));
    gang.ForEachJob([&](const JobFacts& job) {
      is_one |= asks(job) || std::ranges::any_of(job.pod_sets, asks);
    });
    if (!is_one) return;
    marks_.Mark(id);
    for (const FamilyId family : gang.families) marks_.Mark(family);
  });
  tables_.families.ForEach([&](FamilyId id, const Family& family) {
    if (!family.asks_topology) return;
    marks_.Mark(id);
    if (family.join.gang.valid()) marks_.Mark(family.join.gang);
  });
}

std::vector<objects::KnownTopology> Topologies::All() const {
  std::vector<objects::KnownTopology> all;
  for (const auto& [name, of_name] : objects_) {
    const objects::Topology& counts = of_name.begin()->second;
    all.push_back({.name = name, .levels = counts.levels, .group = objects::RowOf(counts).group});
  }
  if (!tiers_.empty() && !objects_.contains(kOfHyperNodes)) {
    all.push_back({.name = std::string(kOfHyperNodes),
                   .levels = levels_of_tiers_,
                   .group = objects::kHyperNodeGroup});
  }
  for (const LevelsOfLabels& each : of_labels_) {
    if (each.levels.empty() || objects_.contains(each.name)) continue;
    all.push_back({.name = std::string(each.name), .levels = each.levels, .of_labels = true});
  }
  return all;
}

Topologies::Found Topologies::Find(std::string_view name) const {
  if (const auto found = objects_.find(name); found != objects_.end()) {
    return {.name = found->first, .levels = &found->second.begin()->second.levels};
  }
  if (name == kOfHyperNodes && !tiers_.empty()) {
    return {.name = kOfHyperNodes, .levels = &levels_of_tiers_};
  }
  const auto of_labels = std::ranges::find(of_labels_, name, &LevelsOfLabels::name);
  if (of_labels == of_labels_.end() || of_labels->levels.empty()) return {.name = name};
  return {.name = of_labels->name, .levels = &of_labels->levels};
}

Topologies::Found Topologies::FindOfLabels(std::string_view level) const {
  const auto has = [&](const LevelsOfLabels& each) { return Has(each.levels, level); };
  const auto found = std::ranges::find_if(of_labels_, has);
  if (found == of_labels_.end()) return {};
  return {.name = found->name, .levels = &found->levels};
}

std::string Topologies::NotThere(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [each, of_name] : objects_) names.push_back(each);
  if (!tiers_.empty()) names.emplace_back(kOfHyperNodes);
  for (const LevelsOfLabels& each : of_labels_) {
    if (!each.levels.empty()) names.emplace_back(each.name);
  }
  return fmt::format("Topology {} is not there; there are {}{}", name, fmt::join(names, ", "),
                     DidYouMean(name, names));
}

tl::expected<Topologies::Found, std::string> Topologies::Choose(
    const TopologyAsk& ask, std::span<const std::string> of_flavors) const {
  const std::string& level = AnyLevelOf(ask.said);
  // case 1
  std::string_view name = ask.said.name;
  if (ask.by == AskedBy::kKueue && !of_flavors.empty()) {
    const auto has = [&](const std::string& each) {
      const Found found = Find(each);
      return found.levels != nullptr && Has(*found.levels, level);
    };
    const auto at = std::ranges::find_if(of_flavors, has);
    name = at == of_flavors.end() ? of_flavors.front() : *at;
  }
  if (!name.empty()) {
    const Found found = Find(name);
    if (found.levels == nullptr) return tl::unexpected(NotThere(name));
    return found;
  }
  // case 2
  const bool by_label = ask.by == AskedBy::kKueue || ask.by == AskedBy::kKai;
  if (by_label) {
    for (const auto& [each, of_name] : objects_) {
      const Levels& levels = of_name.begin()->second.levels;
      if (Has(levels, level)) return Found{.name = each, .levels = &levels};
    }
  } else if (objects_.size() == 1) {  // case 3
    return Find(objects_.begin()->first);
  } else if (!objects_.empty()) {
    std::vector<std::string_view> names;
    for (const auto& [each, of_name] : objects_) names.push_back(each);
    return tl::unexpected(
        fmt::format("it asks for the level {} and names no Topology, and there are {}: write which",
                    level, fmt::join(names, ", ")));
  }
  if (objects_.empty() && !tiers_.empty() && !by_label) return Find(kOfHyperNodes);
  // case 4
  const Found found = FindOfLabels(level);
  if (found.levels != nullptr) return found;
  if (by_label) return tl::unexpected(fmt::format("no Topology has the level {}", level));
  return tl::unexpected(
      fmt::format("no Topology is there that has the level {}; without one a level is a label key "
                  "such as topology.kubernetes.io/zone",
                  level));
}

// Both modes go as near as they can. Without levels: there is nothing to go by.
Topologies::Resolved Topologies::ResolveTiers(const objects::TopologyConstraint& said) const {
  if (tiers_.empty() && said.required.empty()) return TopologyConstraint();
  if (tiers_.empty()) {
    return tl::unexpected(
        TopologyNotFound("networkTopology asks for a tier, and no HyperNode is there"));
  }
  TopologyConstraint constraint;
  constraint.levels = levels_of_tiers_;
  constraint.preferred = static_cast<std::int32_t>(tiers_.size()) - 1;
  if (said.required.empty()) return constraint;
  const std::optional<std::int32_t> number = objects::TierIn(said.required);
  const auto found = std::ranges::find_if(tiers_, [&](const HyperTier& tier) {
    return number ? tier.tier <= *number : tier.key == KeyOfTier(said.required);
  });
  if (found == tiers_.end()) {
    std::vector<std::string_view> names;
    for (const HyperTier& tier : tiers_) names.push_back(tier.name());
    return tl::unexpected(
        TopologyNotFound(fmt::format("no HyperNode is of {}{}; there are {}", said.required,
                                     number ? " or below" : "", fmt::join(names, ", "))));
  }
  constraint.required = static_cast<std::int32_t>(found - tiers_.begin());
  return constraint;
}

Topologies::Resolved Topologies::Resolve(const TopologyAsk& ask,
                                         std::span<const std::string> of_flavors) const {
  if (!ask.fault.empty()) return tl::unexpected(TopologyNotFound(ask.fault));
  const objects::TopologyConstraint& said = ask.said;
  TopologyConstraint constraint;
  constraint.restarts_when_broken = said.on_broken == objects::OnTopologyBroken::kRestart;
  if (ask.by == AskedBy::kVolcano) return ResolveTiers(said);
  if (ask.by == AskedBy::kNative) {
    constraint.levels = {said.required};
    constraint.required = 0;
    return constraint;
  }
  const auto chosen = Choose(ask, of_flavors);
  if (!chosen) return tl::unexpected(TopologyNotFound(chosen.error()));
  LevelFinder finder(chosen->name, *chosen->levels);
  constraint.levels = *chosen->levels;
  constraint.required = finder.Find(said.required);
  constraint.preferred = finder.Find(said.preferred);
  constraint.slice_size = said.slice_size;
  if (said.slice_size > 0) constraint.slice_level = finder.Find(said.slice_required);
  finder.ExpectWithin(constraint.required, constraint.preferred, "the preferred level");
  finder.ExpectWithin(constraint.required, constraint.slice_level, "the level of the slices");
  if (!finder.fault().empty()) return tl::unexpected(TopologyNotFound(finder.fault()));
  return constraint;
}

}  // namespace fairlead::intake
