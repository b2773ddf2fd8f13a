#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "state/reason.h"

namespace fairlead::intake {

// What its claims make of a pod.
struct VolumeJoin {
  std::optional<state::Reason> hold;  // it cannot have them yet
  Reach reach;
  std::vector<std::string> unbound;  // names of claims that are bound for its node, once it has one
};

// PersistentVolumeClaims: where their pods may run (demands.md §4).
//
//   claim ──► families and gangs that name it
//   volume ─► the claim that it is bound to, and the claims that name it
//   class ──► claims that name it
//
// - Bound: where its volume's node affinity and its labels of zones allow.
// - Not bound, of a class that waits for a pod: where the class allows its volumes to be made; on
//   the node that was selected for it, where there is one.
// - Else its pods wait, with the claim and the cause named.
//
// Cost: what changed marks its users once, by Spread, which walks the gangs where any did.
class Volumes {
 public:
  Volumes(const Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::PersistentVolumeClaim& claim);
  void Upsert(const objects::PersistentVolume& volume);
  void Upsert(const objects::StorageClass& storage);
  bool RemoveClaim(std::string_view key);  // "namespace/name"
  bool RemoveVolume(std::string_view name);
  bool RemoveClass(std::string_view name);

  // A family whose pods name claims of volumes came, or goes.
  void Use(FamilyId id, bool uses);
  // Marks whom the claims concern that changed since the last call.
  void Spread();

  // `claims`: of PackVolumeClaims.
  VolumeJoin Join(std::string_view name_space, std::string_view claims) const;
  // Why nobody can have a claim yet; empty: somebody can.
  std::string WhyWaits(const std::string& key) const;

 private:
  struct ClaimRow {
    std::string volume, storage_class, selected_node;
    bool bound = false, lost = false, one_pod_only = false;
    bool leaves = false;  // it is being deleted
    bool operator==(const ClaimRow&) const = default;
  };
  struct VolumeRow {
    std::string claim;  // "namespace/name"; empty: not said
    std::vector<std::vector<objects::NodeSelectorTerm>> reach;
    bool operator==(const VolumeRow&) const = default;
  };
  struct ClassRow {
    bool waits_for_pod = false;
    bool makes_volumes = false;  // else somebody makes them beforehand
    std::vector<objects::NodeSelectorTerm> topologies;
    bool operator==(const ClassRow&) const = default;
  };
  template <typename Row>
  using ByName = Tables::ByName<Row>;
  using Users = ByName<std::set<std::string>>;  // claims by what they name

  template <typename Row>
  bool Remove(ByName<Row>& rows, const Users& claims, std::string_view name);
  void MarkClaimsOf(const Users& users, std::string_view name);
  std::string WhyUnboundWaits(const ClaimRow& claim) const;
  std::string WhyBoundWaits(const std::string& key, const ClaimRow& claim) const;
  void AddReach(const ClaimRow& claim,
                std::vector<std::vector<objects::NodeSelectorTerm>>& reach) const;

  const Tables& tables_;
  Marks& marks_;
  ByName<ClaimRow> claims_;  // by "namespace/name"
  ByName<VolumeRow> volumes_;
  ByName<ClassRow> classes_;
  Users claims_of_volume_, claims_of_class_;
  ByName<std::set<FamilyId>> families_of_claim_;
  std::set<std::string, std::less<>> changed_;  // claims
};

// The needs of a pod whose volumes can be had there.
state::NeedsPtr WithReach(const Tables& tables, const state::NeedsPtr& needs, const Reach& reach);

}  // namespace fairlead::intake
