#include "intake/join/volumes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "intake/facts/pod_traits.h"
#include "intake/tables/hold_reasons.h"

namespace fairlead::intake {
namespace {

constexpr std::array kZoneLabels = {
    std::string_view("topology.kubernetes.io/zone"),
    std::string_view("topology.kubernetes.io/region"),
    std::string_view("failure-domain.beta.kubernetes.io/zone"),
    std::string_view("failure-domain.beta.kubernetes.io/region"),
};

bool IsInAZone(const objects::Labels& labels) {
  return std::ranges::any_of(kZoneLabels, [&](std::string_view zone) {
    return objects::FindLabel(labels, zone) != nullptr;
  });
}

std::string KeyOf(std::string_view name_space, std::string_view name) {
  return fmt::format("{}/{}", name_space, name);
}

}  // namespace

void Volumes::Upsert(const objects::PersistentVolumeClaim& claim) {
  ClaimRow fresh{.volume = claim.volume,
                 .bound = claim.bound,
                 .one_pod_only = claim.one_pod_only,
                 .leaves = claim.meta.deletion_time.has_value()};
  const std::string key = claim.meta.Key();
  auto [at, added] = claims_.try_emplace(key);
  if (!added && at->second == fresh) return;
  if (at->second.volume != fresh.volume) {
    ForgetUser(at->second.volume, key);
    if (!fresh.volume.empty()) claims_of_volume_[fresh.volume].insert(key);
  }
  at->second = std::move(fresh);
  changed_.insert(key);
}

void Volumes::Upsert(const objects::PersistentVolume& volume) {
  VolumeRow fresh{.claim = volume.claim,
                  .tied = volume.has_node_affinity || IsInAZone(volume.meta.labels)};
  auto [at, added] = volumes_.try_emplace(volume.meta.name);
  if (!added && at->second == fresh) return;
  at->second = std::move(fresh);
  MarkClaimsOf(volume.meta.name);
}

bool Volumes::RemoveClaim(std::string_view key) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return false;
  ForgetUser(found->second.volume, found->first);
  changed_.insert(found->first);
  claims_.erase(found);
  return true;
}

bool Volumes::RemoveVolume(std::string_view name) {
  const auto found = volumes_.find(name);
  if (found == volumes_.end()) return false;
  MarkClaimsOf(name);
  volumes_.erase(found);
  return true;
}

void Volumes::ForgetUser(const std::string& volume, const std::string& claim) {
  const auto users = claims_of_volume_.find(volume);
  if (users == claims_of_volume_.end()) return;
  users->second.erase(claim);
  if (users->second.empty()) claims_of_volume_.erase(users);
}

void Volumes::MarkClaimsOf(std::string_view volume) {
  const auto users = claims_of_volume_.find(volume);
  if (users != claims_of_volume_.end()) {
    changed_.insert(users->second.begin(), users->second.end());
  }
}

std::string Volumes::WhyWaits(const std::string& key) const {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return "it is not there";
  const ClaimRow& claim = found->second;
  if (claim.leaves) return "it is being deleted";
  if (!claim.bound || claim.volume.empty()) {
    return "it is not bound to a volume yet, and volumes are not chosen here yet";
  }
  if (claim.one_pod_only) return "it is ReadWriteOncePod, which is not followed yet";
  const auto at = volumes_.find(claim.volume);
  if (at == volumes_.end()) return fmt::format("its volume {} is not there", claim.volume);
  const VolumeRow& volume = at->second;
  if (!volume.claim.empty() && volume.claim != key) {
    return fmt::format("its volume {} is bound to {}", claim.volume, volume.claim);
  }
  if (volume.tied) {
    return fmt::format("its volume {} is not to be had on every node, which is not followed yet",
                       claim.volume);
  }
  return {};
}

std::optional<state::Reason> Volumes::Hold(std::string_view name_space,
                                           std::string_view claims) const {
  std::optional<state::Reason> hold;
  ForEachVolumeClaim(claims, [&](std::string_view name) {
    if (hold) return;
    const std::string why = WhyWaits(KeyOf(name_space, name));
    if (!why.empty()) hold = ClaimWaits(name, why);
  });
  return hold;
}

void Volumes::Use(FamilyId id, bool uses) {
  const PodTraits traits = UnpackTraits(tables_.families[id].name);
  ForEachVolumeClaim(traits.volume_claims, [&](std::string_view name) {
    const std::string key = KeyOf(traits.name_space, name);
    if (uses) {
      families_of_claim_[key].insert(id);
      return;
    }
    const auto users = families_of_claim_.find(key);
    if (users == families_of_claim_.end()) return;
    users->second.erase(id);
    if (users->second.empty()) families_of_claim_.erase(users);
  });
}

void Volumes::Spread() {
  if (changed_.empty()) return;
  const auto changed = std::exchange(changed_, {});
  for (const std::string& key : changed) {
    const auto users = families_of_claim_.find(key);
    if (users == families_of_claim_.end()) continue;
    for (const FamilyId family : users->second) marks_.Mark(family);
  }
  const auto concerns = [&](std::string_view name_space, const std::vector<PodSetFacts>& sets) {
    return std::ranges::any_of(sets, [&](const PodSetFacts& set) {
      bool named = false;
      ForEachVolumeClaim(set.volume_claims, [&](std::string_view name) {
        named |= changed.contains(KeyOf(name_space, name));
      });
      return named;
    });
  };
  tables_.gangs.ForEach([&](GangId id, const GangRow& gang) {
    const std::string_view name_space = std::string_view(gang.name).substr(0, gang.name.find('/'));
    const GangFacts* facts = gang.facts();
    if ((facts != nullptr && concerns(name_space, facts->pod_sets)) ||
        std::ranges::any_of(gang.jobs,
                            [&](const auto& job) { return concerns(name_space, job->pod_sets); })) {
      marks_.Mark(id);
    }
  });
}

}  // namespace fairlead::intake
