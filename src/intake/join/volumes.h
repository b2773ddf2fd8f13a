#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "state/reason.h"

namespace fairlead::intake {

// PersistentVolumeClaims: whether one ties its pods to some nodes. One that is bound to a volume
// which every node reaches (NFS, Lustre and other file systems that all nodes share) demands
// nothing. Work waits for any other, with the claim and the cause named: until volumes are followed
// in full it could not be told where it may run.
//
//   claim ──► families and gangs that name it
//   volume ─► the claim that it is bound to, and the claims that name it
//
// Cost: a claim or a volume that changed marks its users once, by Spread, which walks the gangs
// where any did.
class Volumes {
 public:
  Volumes(const Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::PersistentVolumeClaim& claim);
  void Upsert(const objects::PersistentVolume& volume);
  bool RemoveClaim(std::string_view key);  // "namespace/name"
  bool RemoveVolume(std::string_view name);

  // A family whose pods name claims of volumes came, or goes.
  void Use(FamilyId id, bool uses);
  // Marks whom the claims concern that changed since the last call.
  void Spread();

  // The first of `claims` (of PackVolumeClaims) that keeps its pods waiting; none: none does.
  std::optional<state::Reason> Hold(std::string_view name_space, std::string_view claims) const;
  // Why a claim does; empty: it demands nothing of a node.
  std::string WhyWaits(const std::string& key) const;

 private:
  struct ClaimRow {
    std::string volume;
    bool bound = false, one_pod_only = false;
    bool leaves = false;  // it is being deleted
    bool operator==(const ClaimRow&) const = default;
  };
  struct VolumeRow {
    std::string claim;  // "namespace/name"; empty: not said
    bool tied = false;  // to some nodes
    bool operator==(const VolumeRow&) const = default;
  };
  template <typename Row>
  using ByName = Tables::ByName<Row>;

  void ForgetUser(const std::string& volume, const std::string& claim);
  void MarkClaimsOf(std::string_view volume);

  const Tables& tables_;
  Marks& marks_;
  ByName<ClaimRow> claims_;  // by "namespace/name"
  ByName<VolumeRow> volumes_;
  ByName<std::set<std::string>> claims_of_volume_;
  ByName<std::set<FamilyId>> families_of_claim_;
  std::set<std::string, std::less<>> changed_;  // claims
};

}  // namespace fairlead::intake
