#include "intake/join/owners.h"

#include <algorithm>
#include <utility>

namespace fairlead::intake {
namespace {

bool IsPod(const objects::OwnerReference& owner) {
  return owner.kind == "Pod" && owner.api_version == "v1";
}

}  // namespace

// The new ones are counted first, so that an owner that is named still never looks as if it were
// not.
void Owners::Count(PodId id, const objects::Meta& meta, const PodFacts& facts) {
  Uses uses;
  if (facts.state != state::PodState::kFinished && !facts.terminating) {
    for (const objects::OwnerReference& owner : meta.owners) {
      if (!IsPod(owner) || owner.name == meta.name) continue;  // nobody is his own owner
      key_.assign(meta.name_space).append(1, '/').append(owner.name);
      uses.push_back(Name(key_, owner.uid));
    }
  }
  if (uses.empty()) return Drop(id);
  tables_.pods[id].owned = true;
  std::swap(owned_[id.value()], uses);
  for (Use use : uses) Forget(use);
}

void Owners::Drop(PodId id) {
  if (!tables_.pods[id].owned) return;
  tables_.pods[id].owned = false;
  const auto found = owned_.find(id.value());
  const Uses uses = std::move(found->second);
  owned_.erase(found);
  for (Use use : uses) Forget(use);
}

Owners::Use Owners::Name(std::string_view name, const std::string& uid) {
  const OwnerId id = owners_.Add(name);
  std::vector<Named>& named = owners_[id].named;
  auto one = std::ranges::find_if(
      named, [&](const Named& other) { return other.pods > 0 && other.uid == uid; });
  if (one == named.end()) {
    one = std::ranges::find(named, 0u, &Named::pods);
    if (one == named.end()) one = named.emplace(named.end());
    one->uid = uid;
  }
  if (++one->pods == 1) Review(owners_[id]);
  return {.owner = id, .named = static_cast<std::uint32_t>(one - named.begin())};
}

void Owners::Forget(Use use) {
  Row& owner = owners_[use.owner];
  if (--owner.named[use.named].pods > 0) return;
  Review(owner);
  const bool named =
      std::ranges::any_of(owner.named, [](const Named& one) { return one.pods > 0; });
  if (!named) owners_.Erase(use.owner);
}

void Owners::Review(const Row& owner) {
  const PodId id = tables_.pods.Find(owner.name);
  if (!id.valid()) return;
  const bool owns = OwnsPods(tables_.pods[id]);
  if (owns == tables_.pods[id].owns_pods) return;
  tables_.pods[id].owns_pods = owns;
  marks_.Mark(id);
}

bool Owners::OwnsPods(const PodRow& row) const {
  if (owners_.size() == 0) return false;
  const OwnerId id = owners_.Find(row.name);
  if (!id.valid()) return false;
  return std::ranges::any_of(owners_[id].named, [&](const Named& one) {
    return one.pods > 0 && (one.uid.empty() || row.uid.empty() || one.uid == row.uid);
  });
}

}  // namespace fairlead::intake
