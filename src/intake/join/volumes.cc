#include "intake/join/volumes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/sorted_set.h"
#include "intake/facts/pod_traits.h"
#include "intake/join/volume_reach.h"
#include "intake/tables/hold_reasons.h"
#include "intake/tables/users.h"
#include "objects/key.h"

// Worked: a pod names the claims `data` and `scratch`. `data` is bound to a volume whose node
// affinity says zone In [a, b]; `scratch` is not bound, and its class, which waits for a pod, may
// make volumes in zone In [b, c]. The pod's reach is both lists: it may run in zone b. Once it has
// a node there, `scratch` is bound for that node, and only then is the pod (BindPod::volumes).

namespace fairlead::intake {
namespace {

using objects::Operator;
using Terms = std::vector<objects::NodeSelectorTerm>;

}  // namespace

void Volumes::Upsert(const objects::PersistentVolumeClaim& claim) {
  ClaimRow fresh{.uid = claim.meta.uid,
                 .ask = claim.ask,
                 .volume = claim.volume,
                 .selected_node = claim.selected_node,
                 .bound = claim.bound,
                 .lost = claim.lost,
                 .leaves = claim.meta.deletion_time.has_value(),
                 .asked = std::nullopt};
  const std::string key = claim.meta.Key();
  auto [at, added] = claims_.try_emplace(key);
  const std::optional<std::uint64_t> asked = std::exchange(at->second.asked, std::nullopt);
  const bool same = !added && at->second == fresh;
  at->second.asked = asked;
  if (same) return;
  Name(claims_of_volume_, at->second.volume, fresh.volume, key);
  Name(claims_of_class_, at->second.ask.storage_class, fresh.ask.storage_class, key);
  const bool asks =
      !fresh.bound && !fresh.lost && fresh.volume.empty() && !fresh.ask.storage_class.empty();
  if (asks) fresh.asked = available_.Ask(fresh.ask, key);
  if (asked && asked != fresh.asked) available_.Drop(*asked, key);
  at->second = std::move(fresh);
  attach_.MarkNodesOf(at->second.volume);
  changed_.insert(key);
  recount_.insert(key);
}

void Volumes::Upsert(const objects::PersistentVolume& volume) {
  VolumeRow fresh{.volume = volume, .reach = ReachOf(volume)};
  fresh.volume.meta.source.clear();
  fresh.volume.meta.annotations.clear();
  const std::string& name = volume.meta.name;
  auto [at, added] = volumes_.try_emplace(name);
  if (!added && at->second == fresh) return;
  Keep(name, at->second.volume.claim, fresh.volume.claim);
  at->second = std::move(fresh);
  attach_.MarkNodesOf(name);
  MarkClaimsOf(claims_of_volume_, name);
  if (volume.available && volume.claim.empty() && !volume.meta.deletion_time) {
    available_.Upsert(at->second.volume, at->second.reach);
  } else {
    available_.Remove(name);
  }
}

// The volume named one claim, and names another.
void Volumes::Keep(const std::string& volume, const std::string& before, const std::string& now) {
  Name(kept_for_, before, now, volume);
  if (claims_.contains(before)) changed_.insert(before);
  if (claims_.contains(now)) changed_.insert(now);
}

void Volumes::Upsert(const objects::StorageClass& storage) {
  ClassRow fresh{.waits_for_pod = storage.waits_for_pod,
                 .makes_volumes = storage.makes_volumes(),
                 .provisioner = storage.provisioner,
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
  Name(claims_of_class_, found->second.ask.storage_class, {}, found->first);
  if (found->second.asked) available_.Drop(*found->second.asked, found->first);
  several_.erase(found->first);
  changed_.insert(found->first);
  claims_.erase(found);
  return true;
}

bool Volumes::RemoveVolume(std::string_view name) {
  if (const auto found = volumes_.find(name); found != volumes_.end()) {
    Keep(found->first, found->second.volume.claim, {});
    available_.Remove(name);
  }
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

void Volumes::SetByStorage(std::string_view driver, bool by_storage) {
  const bool changed =
      by_storage ? by_storage_.emplace(driver).second : by_storage_.erase(std::string(driver)) > 0;
  if (!changed) return;
  for (const auto& [name, storage] : classes_) {
    if (storage.provisioner == driver) MarkClaimsOf(claims_of_class_, name);
  }
}

void Volumes::Upsert(const objects::CSIDriver& driver) {
  SetByStorage(driver.meta.name, driver.tracks_capacity);
}

bool Volumes::RemoveDriver(std::string_view name) {
  SetByStorage(name, false);
  return true;
}

void Volumes::Upsert(const objects::CSIStorageCapacity& storage) {
  objects::CSIStorageCapacity fresh = storage;
  fresh.meta = {};
  const std::string key = storage.meta.Key();
  auto [at, added] = storage_.try_emplace(key);
  if (!added && at->second == fresh) return;
  MarkClaimsOf(claims_of_class_, at->second.storage_class);
  MarkClaimsOf(claims_of_class_, fresh.storage_class);
  Name(storage_of_class_, at->second.storage_class, fresh.storage_class, key);
  at->second = std::move(fresh);
}

bool Volumes::RemoveStorage(std::string_view key) {
  const auto found = storage_.find(key);
  if (found == storage_.end()) return false;
  MarkClaimsOf(claims_of_class_, found->second.storage_class);
  Name(storage_of_class_, found->second.storage_class, {}, found->first);
  storage_.erase(found);
  return true;
}

std::vector<objects::VolumeWish::Storage> Volumes::StorageOf(
    const std::string& storage_class) const {
  std::vector<objects::VolumeWish::Storage> all;
  const auto keys = storage_of_class_.find(storage_class);
  if (keys == storage_of_class_.end()) return all;
  for (const std::string& key : keys->second) {
    const objects::CSIStorageCapacity& each = storage_.find(key)->second;
    const auto largest = each.largest();
    if (!each.nodes || !largest) continue;
    all.push_back({.name = key,
                   .nodes = *each.nodes,
                   .largest = *largest,
                   .capacity = each.capacity.value_or(*largest)});
  }
  return all;
}

std::string Volumes::WhyWaits(const std::string& key) const {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return "it is not there";
  const ClaimRow& claim = found->second;
  if (claim.leaves) return "it is being deleted";
  if (claim.lost) return fmt::format("its volume {} is lost", claim.volume);
  return claim.bound ? WhyBoundWaits(key, claim) : WhyUnboundWaits(key, claim);
}

std::string Volumes::WhyBoundWaits(const std::string& key, const ClaimRow& claim) const {
  const auto at = volumes_.find(claim.volume);
  if (at == volumes_.end()) return fmt::format("its volume {} is not there", claim.volume);
  const std::string& of = at->second.volume.claim;
  if (!of.empty() && of != key)
    return fmt::format("its volume {} is bound to {}", claim.volume, of);
  return {};
}

std::string Volumes::WhyUnboundWaits(const std::string& key, const ClaimRow& claim) const {
  if (!claim.volume.empty()) {
    return fmt::format("it is not bound yet to its volume {}", claim.volume);
  }
  const std::string& name = claim.ask.storage_class;
  if (name.empty()) return "it is not bound, and names no StorageClass";
  const auto at = classes_.find(name);
  if (at == classes_.end()) return fmt::format("its StorageClass {} is not there", name);
  if (!at->second.waits_for_pod) {
    return fmt::format("it is not bound yet, and its StorageClass {} does not wait for a pod",
                       name);
  }
  const bool served = at->second.makes_volumes || KeptFor(key, claim) != nullptr ||
                      (claim.asked && available_.Serves(*claim.asked));
  if (served) return {};
  return fmt::format(
      "its StorageClass {} makes no volumes, and of those that are there none is available that "
      "would do",
      name);
}

// The volume that names the claim: no other is taken for it.
const Volumes::VolumeRow* Volumes::KeptFor(const std::string& key, const ClaimRow& claim) const {
  const auto names = kept_for_.find(key);
  if (names == kept_for_.end()) return nullptr;
  for (const std::string& name : names->second) {
    const VolumeRow& row = volumes_.find(name)->second;
    if (!row.volume.meta.deletion_time && objects::IsKeptFor(key, claim.uid, row.volume) &&
        objects::IsEnough(claim.ask, row.volume)) {
      return &row;
    }
  }
  return nullptr;
}

// REQUIRES: it is not bound, and nothing says that it has to wait.
void Volumes::AddUnbound(std::string_view name, const std::string& key, bool shared,
                         ClaimDemands& demands) const {
  const ClaimRow& claim = claims_.find(key)->second;
  const ClassRow& storage = classes_.find(claim.ask.storage_class)->second;
  state::ClaimToBind& bind = demands.unbound.emplace_back();
  bind.claim = name;
  if (const VolumeRow* kept = KeptFor(key, claim)) {
    bind.volume = kept->volume.meta.name;
    demands.reach.insert(demands.reach.end(), kept->reach.begin(), kept->reach.end());
    return;
  }
  if (shared && !claim.ask.for_many_nodes()) demands.one_node.push_back(key);
  if (storage.makes_volumes) demands.made_of.push_back(claim.ask.storage_class);
  const bool by_storage =
      claim.asked && storage.makes_volumes && by_storage_.contains(storage.provisioner);
  const auto wish_for = [&](bool in_making) {
    return objects::VolumeWish{.number = *claim.asked,
                               .bytes = claim.ask.bytes,
                               .may_be_made = storage.makes_volumes,
                               .made_where = storage.topologies,
                               .storage = by_storage ? StorageOf(claim.ask.storage_class)
                                                     : std::vector<objects::VolumeWish::Storage>(),
                               .by_storage = by_storage,
                               .in_making = in_making,
                               .shared_claim = shared ? key : std::string()};
  };
  if (!claim.selected_node.empty() && storage.makes_volumes) {
    const objects::Requirement node{"metadata.name", Operator::kIn, {claim.selected_node}};
    demands.reach.push_back({{.labels = {}, .fields = {node}}});
    if (by_storage) demands.wishes.push_back(available_.Intern(wish_for(true)));
  } else if (claim.asked && (by_storage || available_.Serves(*claim.asked))) {
    bind.wish = available_.Intern(wish_for(false));
    demands.wishes.push_back(bind.wish);
    return;
  }
  if (!storage.topologies.empty()) demands.reach.push_back(storage.topologies);
}

void Volumes::AddSlot(const std::string& key, const ClaimRow& claim, bool shared,
                      ClaimDemands& demands) const {
  if (!attach_.any()) return;
  std::string slots, volume = key;
  if (const auto of = volumes_.find(claim.volume); of != volumes_.end()) {
    slots = attach_.SlotsOf(of->second.volume.csi_driver);
    volume = of->second.volume.csi_handle;
  } else if (const auto storage = classes_.find(claim.ask.storage_class);
             storage != classes_.end()) {
    slots = attach_.SlotsOf(storage->second.provisioner);
  }
  if (slots.empty()) return;
  if (shared) {
    demands.shared_volumes.push_back({.slots = std::move(slots), .volume = std::move(volume)});
  } else {
    ++demands.slots[slots];
  }
}

void Volumes::AddSlots(state::NodeChange& change) const {
  const NameId node = tables_.names.Find(change.name);
  attach_.AddSlots([&](const std::string& volume) { return IsUsedOn(volume, node); }, change);
}

bool Volumes::IsUsedOn(const std::string& volume, NameId node) const {
  const auto claims = claims_of_volume_.find(volume);
  if (claims == claims_of_volume_.end()) return false;
  for (const std::string& key : claims->second) {
    const auto users = families_of_claim_.find(key);
    if (users == families_of_claim_.end()) continue;
    for (const FamilyId family : users->second) {
      for (const PodId pod : tables_.families[family].members) {
        const auto& facts = tables_.pods[pod].facts;
        if (facts.node == node && facts.state != state::PodState::kFinished) return true;
      }
    }
  }
  return false;
}

VolumeJoin Volumes::Join(const NamedClaims& named) const {
  VolumeJoin join;
  ForEachVolumeClaim(named.claims, [&](std::string_view name) {
    const std::string key = objects::JoinKey(named.name_space, name);
    const auto at = claims_.find(key);
    bool shared = several_.contains(key);
    ForEachVolumeClaim(named.of_template, [&](std::string_view each) { shared |= each == name; });
    if (at != claims_.end() && at->second.ask.for_one_pod() && shared) {
      join.demands.one_pod.push_back(key);
    }
    if (at != claims_.end()) AddSlot(key, at->second, shared, join.demands);
    if (join.hold) return;
    if (const std::string why = WhyWaits(key); !why.empty()) {
      join.hold = VolumeNotReady(name, why);
    } else if (at->second.bound) {
      const auto& of_volume = volumes_.find(at->second.volume)->second.reach;
      join.demands.reach.insert(join.demands.reach.end(), of_volume.begin(), of_volume.end());
    } else {
      AddUnbound(name, key, shared, join.demands);
    }
  });
  MakeSet(join.demands.shared_volumes);
  if (join.hold) {
    join.demands = {.one_pod = std::move(join.demands.one_pod),
                    .slots = std::move(join.demands.slots),
                    .shared_volumes = std::move(join.demands.shared_volumes)};
    return join;
  }
  // Claims of one kind reach the same: their pods are one shape.
  std::vector<Terms> unique;
  for (Terms& terms : join.demands.reach) {
    if (std::ranges::find(unique, terms) == unique.end()) unique.push_back(std::move(terms));
  }
  join.demands.reach = std::move(unique);
  MakeSet(join.demands.made_of);
  // As Kubernetes takes them, whatever their claims are called.
  std::ranges::sort(join.demands.wishes, {}, [](const objects::VolumeWishPtr& wish) {
    return std::tie(wish->bytes, wish->number, wish->shared_claim);
  });
  return join;
}

std::optional<state::Reason> Volumes::HoldOfAll(const std::vector<PodSetFacts>& sets,
                                                std::string_view name_space) const {
  std::map<std::string_view, std::int64_t> pods;  // that it cannot do without, by claim
  for (const PodSetFacts& set : sets) {
    ForEachVolumeClaim(set.volume_claims, [&](std::string_view name) {
      pods[name] += set.min_count.value_or(set.count.value_or(1));
    });
  }
  for (const auto& [name, count] : pods) {
    const auto claim = claims_.find(objects::JoinKey(name_space, name));
    if (claim == claims_.end() || !claim->second.ask.for_one_pod() || count < 2) continue;
    return VolumeNotReady(
        name, fmt::format("it is ReadWriteOncePod, and {} pods would need it at once", count));
  }
  return std::nullopt;
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

void Volumes::NoteMembers(FamilyId id) {
  const PodTraits traits = UnpackTraits(tables_.families[id].name);
  ForEachVolumeClaim(traits.volume_claims, [&](std::string_view name) {
    const std::string key = objects::JoinKey(traits.name_space, name);
    const auto claim = claims_.find(key);
    if (claim == claims_.end()) return;
    if (!claim->second.bound || claim->second.ask.for_one_pod() || attach_.any()) {
      recount_.insert(key);
    }
    attach_.MarkNodesOf(claim->second.volume);
  });
}

bool Volumes::HasSeveralUsers(const std::string& key) const {
  const auto users = families_of_claim_.find(key);
  if (users == families_of_claim_.end()) return false;
  int pods = 0;
  for (const FamilyId family : users->second) {
    for (const PodId pod : tables_.families[family].members) {
      if (tables_.pods[pod].facts.state == state::PodState::kFinished) continue;
      if (++pods > 1) return true;
    }
  }
  return false;
}

void Volumes::RecountUsers() {
  for (const std::string& key : std::exchange(recount_, {})) {
    const bool several = HasSeveralUsers(key);
    const auto claim = claims_.find(key);
    if (several && claim != claims_.end() && claim->second.ask.for_one_pod()) TellOutside();
    if (several == several_.contains(key)) continue;
    if (several) {
      several_.insert(key);
    } else {
      several_.erase(key);
    }
    changed_.insert(key);
  }
}

// Who has such a claim may run there.
void Volumes::TellOutside() {
  if (std::exchange(any_contended_, true)) return;
  tables_.nodes.ForEach([&](NodeId id, const NodeRow& row) {
    if (!row.in_pool) marks_.Mark(id);
  });
}

void Volumes::Spread() {
  if (attach_.TakeMoved()) {
    for (const auto& [key, claim] : claims_) {
      changed_.insert(key);
      recount_.insert(key);
    }
    tables_.nodes.ForEach([&](NodeId id, const NodeRow&) { marks_.Mark(id); });
  }
  if (!recount_.empty()) RecountUsers();
  if (available_.HasMoved()) changed_.merge(available_.TakeMoved());
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
    bool is_one = facts != nullptr && concerns(name_space, facts->pod_sets);
    gang.ForEachJob([&](const JobFacts& job) { is_one |= concerns(name_space, job.pod_sets); });
    if (is_one) marks_.Mark(id);
  });
}

state::NeedsPtr WithClaims(const Tables& tables, const state::NeedsPtr& needs,
                           const ClaimDemands* claims, state::PodState state) {
  const bool waits = state == state::PodState::kPending;
  const bool demands = claims != nullptr && needs != nullptr &&
                       state != state::PodState::kFinished &&
                       (waits || !claims->one_pod.empty() || !claims->slots.empty() ||
                        !claims->shared_volumes.empty());
  if (!demands) return needs;
  objects::PodNeeds with = *needs;
  objects::RareNeeds& rare = with.rare.Edit();
  rare.one_pod_claims = claims->one_pod;
  rare.shared_volumes = claims->shared_volumes;
  with.request.insert(with.request.end(), claims->slots.begin(), claims->slots.end());
  std::ranges::sort(with.request);
  if (waits) {
    rare.volumes_reach = claims->reach;
    rare.volume_wishes = claims->wishes;
    rare.one_node_claims = claims->one_node;
    rare.made_of = claims->made_of;
  }
  return tables.needs.Intern(with);
}

}  // namespace fairlead::intake
