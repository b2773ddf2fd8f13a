#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

namespace fairlead::objects {

// How the nodes stand to each other: by the values of these labels, widest first (demands.md §7).
struct Topology {
  Meta meta;
  std::vector<std::string> levels;  // label keys; one at least
  std::string dialect_kind;         // set by a dialect: the kind it came from
  bool operator==(const Topology&) const = default;
};
inline constexpr std::string_view kTopology = "Topology";

// Which of the levels may be meant by `name`: the one of that label key, else all whose last word,
// behind the last "/" or ".", it is.
std::vector<std::size_t> LevelsNamed(const std::vector<std::string>& levels, std::string_view name);
// "example.com/rack" is a rack to people.
std::string_view LastWordOf(std::string_view level);
// Those names of a level, for "did you mean".
std::vector<std::string> NamesOfLevels(const std::vector<std::string>& levels);

// For people: there is no such level of the Topology; or several may be meant.
std::string NoSuchLevel(std::string_view topology, const std::vector<std::string>& levels,
                        std::string_view name);
// REQUIRES: LevelsNamed finds several.
std::string AmbiguousLevel(std::string_view topology, const std::vector<std::string>& levels,
                           std::string_view name);

// A Topology as it is found by its name.
struct KnownTopology {
  std::string name;
  std::vector<std::string> levels;  // label keys, widest first
  bool of_labels = false;           // no object: well-known labels make it, where nodes carry them
  std::string_view group = {};      // of the object's API
  bool operator==(const KnownTopology&) const = default;
};

// The kinds of that name, ours and others', in the order in which they count where several have
// one name.
struct TopologyRow {
  std::string_view group;         // of its API
  std::string_view dialect_kind;  // as in Topology; also what tells the kinds of one name apart
  std::span<const std::string_view> api_versions;  // "GROUP/VERSION", the preferred one first
};
std::span<const TopologyRow> TopologyRows();
const TopologyRow& RowOf(const Topology& topology);

// Volcano's: nodes that are near each other, or HyperNodes of lower tiers.
struct HyperNode {
  // What one of its selectors selects: of a name, a pattern in names, or (of nodes) labels.
  struct Member {
    bool is_node = true;  // else a HyperNode
    std::string name, pattern;
    std::optional<LabelSelector> labels;
    bool operator==(const Member&) const = default;
  };
  Meta meta;
  std::int32_t tier = 1;  // the lower, the nearer
  std::string tier_name;
  std::vector<Member> members;
  bool operator==(const HyperNode&) const = default;
};
inline constexpr std::string_view kHyperNode = "HyperNode";
inline constexpr std::string_view kHyperNodeGroup = "topology.volcano.sh";
inline constexpr std::string_view kHyperNodeVersion = "topology.volcano.sh/v1alpha1";
// A tier by its number, where it has no name: "tier-2".
std::string TierName(std::int32_t tier);
std::optional<std::int32_t> TierIn(std::string_view name);  // absent: it is no such name

// What is done where lost pods cannot come back near those that run.
enum class OnTopologyBroken : std::uint8_t { kWait, kRestart };
inline constexpr std::pair<std::string_view, OnTopologyBroken> kOnTopologyBroken[] = {
    {"Wait", OnTopologyBroken::kWait}, {"Restart", OnTopologyBroken::kRestart}};

// What pods ask of where they stand to each other, as it is said: a level is a label key, or the
// last word of one.
struct TopologyConstraint {
  std::string name;             // of the Topology; empty: the only one that is there
  std::string required;         // all of them in one domain of this level; empty: no such demand
  std::string preferred;        // as narrow as it goes, from this level outwards; likewise
  std::int32_t slice_size = 0;  // each so many of them, by index, in one domain …
  std::string slice_required;   // … of this level
  std::string group;            // pod sets of one group count as one
  OnTopologyBroken on_broken = OnTopologyBroken::kWait;
  bool empty() const { return required.empty() && preferred.empty() && slice_size == 0; }
  bool operator==(const TopologyConstraint&) const = default;
};

}  // namespace fairlead::objects
