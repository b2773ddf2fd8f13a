#include <algorithm>
#include <utility>

#include "intake/store.h"

// Which pods own others (semantics.md §7.5). An owner and the pods that name it may come in any
// order, so what is named is counted under its name, be such a pod there or not: owners_ by
// "namespace/name", and within that by the uid that is meant. Kubernetes lets an object have its
// owners in its own namespace only. A pod that names no pod costs a look at its owner references,
// and nothing is kept of it.

namespace fairlead::intake {
namespace {

bool IsPod(const objects::OwnerReference& owner) {
  return owner.kind == "Pod" && owner.api_version == "v1";
}

}  // namespace

// Counts the pods that `meta` names as owners, where the pod is there to stay; what it named before
// counts no more. The new ones are counted first, so that an owner that is named still never looks
// as if it were not.
void Intake::Store::CountOwners(PodId id, const objects::Meta& meta, const PodFacts& facts) {
  OwnerUses uses;
  if (facts.state != state::PodState::kFinished && !facts.terminating) {
    for (const objects::OwnerReference& owner : meta.owners) {
      if (!IsPod(owner) || owner.name == meta.name) continue;  // nobody is his own owner
      owner_key_.assign(meta.name_space).append(1, '/').append(owner.name);
      uses.push_back(UseOwner(owner_key_, owner.uid));
    }
  }
  if (uses.empty()) return DropOwners(id);
  pods_[id].owned = true;
  std::swap(owned_[id.value()], uses);
  for (OwnerUse use : uses) DropOwner(use);
}

void Intake::Store::DropOwners(PodId id) {
  if (!pods_[id].owned) return;
  pods_[id].owned = false;
  const auto found = owned_.find(id.value());
  const OwnerUses uses = std::move(found->second);
  owned_.erase(found);
  for (OwnerUse use : uses) DropOwner(use);
}

Intake::Store::OwnerUse Intake::Store::UseOwner(std::string_view name, const std::string& uid) {
  const OwnerId id = owners_.Add(name);
  std::vector<OwnerRow::Claim>& claims = owners_[id].claims;
  auto claim = std::ranges::find_if(
      claims, [&](const OwnerRow::Claim& other) { return other.pods > 0 && other.uid == uid; });
  if (claim == claims.end()) {
    claim = std::ranges::find(claims, 0u, &OwnerRow::Claim::pods);
    if (claim == claims.end()) claim = claims.emplace(claims.end());
    claim->uid = uid;
  }
  if (++claim->pods == 1) ReviewOwner(owners_[id]);
  return {.owner = id, .claim = static_cast<std::uint32_t>(claim - claims.begin())};
}

void Intake::Store::DropOwner(OwnerUse use) {
  OwnerRow& owner = owners_[use.owner];
  if (--owner.claims[use.claim].pods > 0) return;
  ReviewOwner(owner);
  const bool named = std::ranges::any_of(
      owner.claims, [](const OwnerRow::Claim& claim) { return claim.pods > 0; });
  if (!named) owners_.Erase(use.owner);
}

void Intake::Store::ReviewOwner(const OwnerRow& owner) {
  const PodId id = pods_.Find(owner.name);
  if (!id.valid()) return;
  const bool owns = OwnsPods(pods_[id]);
  if (owns == pods_[id].owns_pods) return;
  pods_[id].owns_pods = owns;
  Mark(id);
}

bool Intake::Store::OwnsPods(const PodRow& row) const {
  if (owners_.size() == 0) return false;
  const OwnerId id = owners_.Find(row.name);
  if (!id.valid()) return false;
  return std::ranges::any_of(owners_[id].claims, [&](const OwnerRow::Claim& claim) {
    return claim.pods > 0 && (claim.uid.empty() || row.uid.empty() || claim.uid == row.uid);
  });
}

}  // namespace fairlead::intake
