#include "intake/join/volumes.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "intake/facts/pod_traits.h"
#include "intake/tables/hold_reasons.h"
#include "objects/key.h"

// Worked: a pod names the claims `data` and `scratch`. `data` is bound to a volume whose node
// affinity says zone In [a, b]; `scratch` is not bound, and its class, which waits for a pod, may
// make volumes in zone In [b, c]. The pod's reach is both lists: it may run in zone b. Once it has
// a node there, `scratch` is bound for that node, and only then is the pod (BindPod::volumes).

namespace fairlead::intake {
namespace {

using objects::NodeSelectorTerm;
using objects::Operator;
using Terms = std::vector<NodeSelectorTerm>;

struct ZoneLabel {
  std::string_view key, older_key;
};
constexpr std::array kZoneLabels = {
    ZoneLabel{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"},
    ZoneLabel{"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"},
};

// "a__b": of either.
std::vector<std::string> ZonesIn(std::string_view value) {
  std::vector<std::string> zones;
  for (;;) {
    const std::size_t end = value.find("__");
    zones.emplace_back(value.substr(0, end));
    if (end == std::string_view::npos) break;
    value.remove_prefix(end + 2);
  }
  std::ranges::sort(zones);
  return zones;
}

// kube-scheduler's rule of labels on volumes: a node has the zone under the same key, or, for an
// older key, under the newer one; and a node without any label of zones is in all of them.
Terms TermsOfZone(const ZoneLabel& label, std::string_view found_key, std::string_view value) {
  const std::vector<std::string> zones = ZonesIn(value);
  const auto in = [&](std::string_view key) {
    return objects::Requirement{std::string(key), Operator::kIn, zones};
  };
  const auto absent = [](std::string_view key) {
    return objects::Requirement{std::string(key), Operator::kDoesNotExist, {}};
  };
  Terms terms;
  terms.push_back({.labels = {in(found_key)}, .fields = {}});
  if (found_key == label.older_key) {
    terms.push_back({.labels = {absent(label.older_key), in(label.key)}, .fields = {}});
  }
  NodeSelectorTerm nowhere;
  for (const ZoneLabel& each : kZoneLabels) {
    nowhere.labels.push_back(absent(each.key));
    nowhere.labels.push_back(absent(each.older_key));
  }
  terms.push_back(std::move(nowhere));
  return terms;
}

std::vector<Terms> ReachOf(const objects::PersistentVolume& volume) {
  std::vector<Terms> reach;
  if (volume.node_affinity) reach.push_back(*volume.node_affinity);
  for (const ZoneLabel& label : kZoneLabels) {
    for (const std::string_view key : {label.key, label.older_key}) {
      const std::string* value = objects::FindLabel(volume.meta.labels, key);
      if (value != nullptr) reach.push_back(TermsOfZone(label, key, *value));
    }
  }
  return reach;
}

template <typename Rows>
void Name(Rows& users, const std::string& before, const std::string& now, const std::string& who) {
  if (before == now) return;
  if (const auto old = users.find(before); old != users.end()) {
    old->second.erase(who);
    if (old->second.empty()) users.erase(old);
  }
  if (!now.empty()) users[now].insert(who);
}

}  // namespace

void Volumes::Upsert(const objects::PersistentVolumeClaim& claim) {
  ClaimRow fresh{.volume = claim.volume,
                 .storage_class = claim.storage_class,
                 .selected_node = claim.selected_node,
                 .bound = claim.bound,
                 .lost = claim.lost,
                 .one_pod_only = claim.one_pod_only,
                 .leaves = claim.meta.deletion_time.has_value()};
  const std::string key = claim.meta.Key();
  auto [at, added] = claims_.try_emplace(key);
  if (!added && at->second == fresh) return;
  Name(claims_of_volume_, at->second.volume, fresh.volume, key);
  Name(claims_of_class_, at->second.storage_class, fresh.storage_class, key);
  at->second = std::move(fresh);
  changed_.insert(key);
}

void Volumes::Upsert(const objects::PersistentVolume& volume) {
  VolumeRow fresh{.claim = volume.claim, .reach = ReachOf(volume)};
  auto [at, added] = volumes_.try_emplace(volume.meta.name);
  if (!added && at->second == fresh) return;
  at->second = std::move(fresh);
  MarkClaimsOf(claims_of_volume_, volume.meta.name);
}

void Volumes::Upsert(const objects::StorageClass& storage) {
  ClassRow fresh{.waits_for_pod = storage.waits_for_pod,
                 .makes_volumes = storage.makes_volumes(),
                 .topologies = storage.allowed_topologies};
  auto [at, added] = classes_.try_emplace(storage.meta.name);
  if (!added && at->second == fresh) return;
  at->second = std::move(fresh);
  MarkClaimsOf(claims_of_class_, storage.meta.name);
}

bool Volumes::RemoveClaim(std::string_view key) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return false;
  Name(claims_of_volume_, found->second.volume, {}, found->first);
  Name(claims_of_class_, found->second.storage_class, {}, found->first);
  changed_.insert(found->first);
  claims_.erase(found);
  return true;
}

bool Volumes::RemoveVolume(std::string_view name) {
  return Remove(volumes_, claims_of_volume_, name);
}

bool Volumes::RemoveClass(std::string_view name) {
  return Remove(classes_, claims_of_class_, name);
}

template <typename Row>
bool Volumes::Remove(ByName<Row>& rows, const Users& claims, std::string_view name) {
  const auto found = rows.find(name);
  if (found == rows.end()) return false;
  MarkClaimsOf(claims, name);
  rows.erase(found);
  return true;
}

void Volumes::MarkClaimsOf(const Users& users, std::string_view name) {
  const auto found = users.find(name);
  if (found != users.end()) changed_.insert(found->second.begin(), found->second.end());
}

std::string Volumes::WhyWaits(const std::string& key) const {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return "it is not there";
  const ClaimRow& claim = found->second;
  if (claim.leaves) return "it is being deleted";
  if (claim.lost) return fmt::format("its volume {} is lost", claim.volume);
  if (claim.one_pod_only) return "it is ReadWriteOncePod, which is not followed yet";
  return claim.bound ? WhyBoundWaits(key, claim) : WhyUnboundWaits(claim);
}

std::string Volumes::WhyBoundWaits(const std::string& key, const ClaimRow& claim) const {
  const auto at = volumes_.find(claim.volume);
  if (at == volumes_.end()) return fmt::format("its volume {} is not there", claim.volume);
  const VolumeRow& volume = at->second;
  if (!volume.claim.empty() && volume.claim != key) {
    return fmt::format("its volume {} is bound to {}", claim.volume, volume.claim);
  }
  return {};
}

std::string Volumes::WhyUnboundWaits(const ClaimRow& claim) const {
  if (!claim.volume.empty()) {
    return fmt::format("it is not bound yet to its volume {}", claim.volume);
  }
  const std::string& name = claim.storage_class;
  if (name.empty()) return "it is not bound, and names no StorageClass";
  const auto at = classes_.find(name);
  if (at == classes_.end()) return fmt::format("its StorageClass {} is not there", name);
  if (!at->second.waits_for_pod) {
    return fmt::format("it is not bound yet, and its StorageClass {} does not wait for a pod",
                       name);
  }
  if (!at->second.makes_volumes) {
    return fmt::format(
        "its StorageClass {} makes no volumes, and those that were made are not chosen here yet",
        name);
  }
  return {};
}

void Volumes::AddReach(const ClaimRow& claim, std::vector<Terms>& reach) const {
  if (claim.bound) {
    const std::vector<Terms>& of_volume = volumes_.find(claim.volume)->second.reach;
    reach.insert(reach.end(), of_volume.begin(), of_volume.end());
    return;
  }
  if (!claim.selected_node.empty()) {
    const objects::Requirement name{"metadata.name", Operator::kIn, {claim.selected_node}};
    reach.push_back({{.labels = {}, .fields = {name}}});
  }
  const Terms& topologies = classes_.find(claim.storage_class)->second.topologies;
  if (!topologies.empty()) reach.push_back(topologies);
}

VolumeJoin Volumes::Join(std::string_view name_space, std::string_view claims) const {
  VolumeJoin join;
  std::vector<Terms> reach;
  ForEachVolumeClaim(claims, [&](std::string_view name) {
    if (join.hold) return;
    const std::string key = objects::JoinKey(name_space, name);
    if (const std::string why = WhyWaits(key); !why.empty()) {
      join.hold = VolumeNotReady(name, why);
      return;
    }
    const ClaimRow& claim = claims_.find(key)->second;
    AddReach(claim, reach);
    if (!claim.bound) join.unbound.emplace_back(name);
  });
  if (join.hold) return {.hold = std::move(join.hold), .reach = nullptr, .unbound = {}};
  // Claims of one kind reach the same: their pods are one shape.
  std::vector<Terms> unique;
  for (Terms& terms : reach) {
    if (std::ranges::find(unique, terms) == unique.end()) unique.push_back(std::move(terms));
  }
  if (!unique.empty()) join.reach = std::make_shared<const std::vector<Terms>>(std::move(unique));
  return join;
}

void Volumes::Use(FamilyId id, bool uses) {
  const PodTraits traits = UnpackTraits(tables_.families[id].name);
  ForEachVolumeClaim(traits.volume_claims, [&](std::string_view name) {
    const std::string key = objects::JoinKey(traits.name_space, name);
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
        named |= changed.contains(objects::JoinKey(name_space, name));
      });
      return named;
    });
  };
  tables_.gangs.ForEach([&](GangId id, const GangRow& gang) {
    const std::string_view name_space = objects::SplitKey(gang.name).name_space;
    const GangFacts* facts = gang.facts();
    if ((facts != nullptr && concerns(name_space, facts->pod_sets)) ||
        std::ranges::any_of(gang.jobs,
                            [&](const auto& job) { return concerns(name_space, job->pod_sets); })) {
      marks_.Mark(id);
    }
  });
}

state::NeedsPtr WithReach(const Tables& tables, const state::NeedsPtr& needs, const Reach& reach) {
  if (reach == nullptr || needs == nullptr) return needs;
  objects::PodNeeds with = *needs;
  with.rare.Edit().volumes_reach = *reach;
  return tables.needs.Intern(with);
}

}  // namespace fairlead::intake
