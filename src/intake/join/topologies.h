#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "intake/facts/node_levels.h"
#include "intake/facts/topology_ask.h"
#include "intake/join/hyper_nodes.h"
#include "intake/tables/marks.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/tables.h"
#include "state/change.h"
#include "state/reason.h"

namespace fairlead::intake {

// The Topologies that are there: objects, of which ours count before others' of one name, and those
// that well-known labels make. And what a constraint means by them:
//
// Case 1  a Topology is named, by the constraint or, for Kueue's, by a flavor of its queue: that
// one. Case 2  Kueue's and KAI's name labels: the first by name that has the label as a level. Case
// 3  the only one that is there. Case 4  none is there (or, in case 2, has the level): the one that
// well-known labels make of it. Kubernetes' own constraint is a label, and a topology by itself.
//
// - A level is named by its label key, or by the last word of it where that is unambiguous.
//
// Cost: what is asked is looked up by name; a Topology that changes costs a look at all work.
class Topologies {
 public:
  Topologies(Tables& tables, Marks& marks, NodePool& pool)
      : tables_(tables), marks_(marks), pool_(pool), of_labels_(pool.levels().All()) {}

  void Upsert(const objects::Topology& topology);
  // `kind`: as objects::QualifiedKindOf.
  bool Remove(std::string_view kind, std::string_view name);
  // Volcano's HyperNodes, as a topology of the name `volcano`; none: there is none.
  void SetTiers(const std::vector<HyperTier>& tiers);
  // Marks the work that asks for a topology, where one came, went or changed since the last call.
  void Spread();

  // The constraint without its pod sets, or why it cannot be followed. `of_flavors`: the Topologies
  // that flavors of its queue name.
  using Resolved = tl::expected<state::TopologyConstraint, state::Reason>;
  Resolved Resolve(const TopologyAsk& ask, std::span<const std::string> of_flavors) const;

  // Objects by name, then those that labels make.
  std::vector<objects::KnownTopology> All() const;

  // visit(const objects::Topology&): of each name the one that counts, by name.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const auto& [name, of_name] : objects_) visit(of_name.begin()->second);
  }

 private:
  struct Found {
    std::string_view name;
    const std::vector<std::string>* levels = nullptr;
  };
  Found Find(std::string_view name) const;  // levels null: it is not there
  Found FindOfLabels(std::string_view level) const;
  tl::expected<Found, std::string> Choose(const TopologyAsk& ask,
                                          std::span<const std::string> of_flavors) const;
  std::string NotThere(std::string_view name) const;
  Resolved ResolveTiers(const objects::TopologyConstraint& said) const;

  Tables& tables_;
  Marks& marks_;
  NodePool& pool_;
  // By name, then by place in objects::TopologyRows().
  std::map<std::string, std::map<std::size_t, objects::Topology>, std::less<>> objects_;
  std::vector<LevelsOfLabels> of_labels_;
  std::vector<HyperTier> tiers_;              // widest first
  std::vector<std::string> levels_of_tiers_;  // their keys
  bool moved_ = false;
};

}  // namespace fairlead::intake
