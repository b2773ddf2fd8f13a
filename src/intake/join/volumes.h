#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intake/join/attach_limits.h"
#include "intake/join/available_volumes.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "state/reason.h"

namespace fairlead::intake {

// The claims that a pod or a template names, packed (PackVolumeClaims).
struct NamedClaims {
  std::string_view claims;
  std::string_view name_space;
  std::string_view of_template;  // that the template of its pod set names: its other pods do, too
};

// What its claims make of a pod.
struct VolumeJoin {
  std::optional<state::Reason> hold;  // it cannot have them yet
  ClaimDemands demands;               // where there is a hold, of `one_pod` alone
};

// PersistentVolumeClaims: where their pods may run (demands.md §4).
//
//   claim ──► families and gangs that name it
//   volume ─► the claim that it is bound to or kept for, the claims that name it, and those that it
//             would serve (AvailableVolumes)
//   class ──► claims that name it
//
// - Bound: where its volume's node affinity and its labels of zones allow.
// - Not bound, of a class that waits for a pod: where the volume that is kept for it can be had; on
//   the node that was selected for it; where one of those that are nobody's yet can be had, or
//   where the class allows its volumes to be made. The first of these that there is.
// - Else its pods wait, with the claim and the cause named.
// - Of a claim that is not bound, or that one pod alone may use, it makes a difference whether
//   several pods name it.
//
// Cost: what changed marks its users once, by Spread, which walks the gangs where any did.
class Volumes {
 public:
  Volumes(const Tables& tables, Marks& marks)
      : tables_(tables), marks_(marks), available_(marks), attach_(tables, marks) {}

  void Upsert(const objects::PersistentVolumeClaim& claim);
  void Upsert(const objects::PersistentVolume& volume);
  void Upsert(const objects::StorageClass& storage);
  void Upsert(const objects::CSINode& node) { attach_.Upsert(node); }
  void Upsert(const objects::VolumeAttachment& attachment) { attach_.Upsert(attachment); }
  void Upsert(const objects::CSIDriver& driver);
  void Upsert(const objects::CSIStorageCapacity& storage);
  bool RemoveDriver(std::string_view name);
  bool RemoveStorage(std::string_view key);
  bool RemoveCSINode(std::string_view name) { return attach_.RemoveNode(name); }
  bool RemoveAttachment(std::string_view name) { return attach_.RemoveAttachment(name); }
  bool RemoveClaim(std::string_view key);  // "namespace/name"
  bool RemoveVolume(std::string_view name);
  bool RemoveClass(std::string_view name);

  // A family whose pods name claims of volumes came, or goes.
  void Use(FamilyId id, bool uses);
  // It has other members, or they are in another state.
  void NoteMembers(FamilyId id);
  // Marks whom the claims concern that changed since the last call.
  void Spread();
  // What the engine has to be told of volumes that are nobody's yet.
  void Take(std::vector<state::Change>& out) { available_.Take(out); }

  // Whether there ever was a claim that one pod alone may use and several name: only then nodes
  // outside the pool matter.
  bool any_contended() const { return any_contended_; }

  // The slots for volumes that the node has, and those that leave by themselves.
  void AddSlots(state::NodeChange& change) const;

  VolumeJoin Join(const NamedClaims& named) const;
  // Why the pods of these sets can never have their claims together.
  std::optional<state::Reason> HoldOfAll(const std::vector<PodSetFacts>& sets,
                                         std::string_view name_space) const;
  // Why nobody can have a claim yet; empty: somebody can.
  std::string WhyWaits(const std::string& key) const;

 private:
  struct ClaimRow {
    std::string uid;
    objects::VolumeAsk ask;
    std::string volume, selected_node;
    bool bound = false, lost = false;
    bool leaves = false;                 // it is being deleted
    std::optional<std::uint64_t> asked;  // of available_: it may take what is nobody's
    bool operator==(const ClaimRow&) const = default;
  };
  struct VolumeRow {
    objects::PersistentVolume volume;
    std::vector<std::vector<objects::NodeSelectorTerm>> reach;
    bool operator==(const VolumeRow&) const = default;
  };
  struct ClassRow {
    bool waits_for_pod = false;
    bool makes_volumes = false;
    std::string provisioner;
    std::vector<objects::NodeSelectorTerm> topologies;
    bool operator==(const ClassRow&) const = default;
  };
  template <typename Row>
  using ByName = Tables::ByName<Row>;
  using Users = ByName<std::set<std::string>>;  // claims by what they name

  template <typename Row>
  bool Remove(ByName<Row>& rows, const Users& claims, std::string_view name);
  void Keep(const std::string& volume, const std::string& before, const std::string& now);
  void SetByStorage(std::string_view driver, bool by_storage);
  std::vector<objects::VolumeWish::Storage> StorageOf(const std::string& storage_class) const;
  void MarkClaimsOf(const Users& users, std::string_view name);
  std::string WhyUnboundWaits(const std::string& key, const ClaimRow& claim) const;
  std::string WhyBoundWaits(const std::string& key, const ClaimRow& claim) const;
  const VolumeRow* KeptFor(const std::string& key, const ClaimRow& claim) const;
  // Whether more than one pod that has not ended names it.
  bool HasSeveralUsers(const std::string& key) const;
  void AddUnbound(std::string_view name, const std::string& key, bool shared,
                  ClaimDemands& demands) const;
  void RecountUsers();
  void TellOutside();
  // A slot of its volume's driver, or of the one that will make it.
  void AddSlot(const std::string& key, const ClaimRow& claim, bool shared,
               ClaimDemands& demands) const;
  bool IsUsedOn(const std::string& volume, NameId node) const;

  const Tables& tables_;
  Marks& marks_;
  ByName<ClaimRow> claims_;  // by "namespace/name"
  ByName<VolumeRow> volumes_;
  ByName<ClassRow> classes_;
  Users claims_of_volume_, claims_of_class_;
  Users kept_for_;  // volumes by the claim that they name
  AvailableVolumes available_;
  AttachLimits attach_;
  std::set<std::string, std::less<>> by_storage_;   // drivers that say where there is storage
  ByName<objects::CSIStorageCapacity> storage_;     // by "namespace/name"
  ByName<std::set<std::string>> storage_of_class_;  // keys
  ByName<std::set<FamilyId>> families_of_claim_;
  std::set<std::string, std::less<>> several_;  // claims that several pods name: of some
  std::set<std::string, std::less<>> changed_;  // claims
  bool any_contended_ = false;
  std::set<std::string> recount_;  // claims whose users may be others
};

// What the volumes of pods are judged by.
template <typename Object>
concept OfVolumes = requires(Volumes& volumes, const Object& object) { volumes.Upsert(object); };

// The needs of a pod in that state with what its claims come to; null: nothing.
state::NeedsPtr WithClaims(const Tables& tables, const state::NeedsPtr& needs,
                           const ClaimDemands* claims, state::PodState state);

}  // namespace fairlead::intake
