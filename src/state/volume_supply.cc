// Which of the volumes that are there a pod takes for its claims.
//
// A node may have a thousand volumes of its own among a hundred thousand of all nodes. So those
// that are free hang, by wish, on one label (or the node's name) that their reach asks for, under
// each value that it allows, in the order in which they are taken; those without such a label hang
// on none. A look-up tries the labels that there are, nearly always one.
//
// Worked: v1 (10Gi) and v2 (20Gi) can be had on n1, v3 (10Gi) in zones a and b, where n1 and n2
// are. Two pods that wish 5Gi come to n1, then one to n2. The first takes v1: as small as v3, and
// had in fewer places. The second takes v3, the smallest that is left. For the third nothing is
// left on n2, though the second could have had v2: size goes first, as in Kubernetes, and what is
// taken is not taken back for others. Were v2 of 10Gi, the second would have taken it.

#include "state/volume_supply.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/check.h"
#include "base/sorted_set.h"

namespace fairlead::state {
namespace {

using objects::NodeSelectorTerm;
using Terms = std::vector<NodeSelectorTerm>;

// The label on which a volume hangs, and its values; a name that no label can have stands for
// nodes' names, the empty one for none.
constexpr std::string_view kByName = "metadata.name=";
struct Hook {
  std::string key;
  std::vector<std::string> values;
};

const objects::Requirement* FindIn(const std::vector<objects::Requirement>& requirements,
                                   std::string_view key) {
  const auto at = std::find_if(requirements.begin(), requirements.end(), [&](const auto& each) {
    return each.op == objects::Operator::kIn && each.key == key;
  });
  return at == requirements.end() ? nullptr : &*at;
}

// The values of `key` that the terms allow, where each of them names it.
std::optional<Hook> HookBy(const Terms& terms, std::string_view key, bool field) {
  Hook hook{.key = std::string(field ? kByName : key), .values = {}};
  for (const NodeSelectorTerm& term : terms) {
    const objects::Requirement* named = FindIn(field ? term.fields : term.labels, key);
    if (named == nullptr) return std::nullopt;
    hook.values.insert(hook.values.end(), named->values.begin(), named->values.end());
  }
  MakeSet(hook.values);
  return hook;
}

// The one with the fewest values.
Hook HookOf(const std::vector<Terms>& reach) {
  std::optional<Hook> best;
  const auto offer = [&](std::optional<Hook> hook) {
    if (hook && (!best || hook->values.size() < best->values.size())) best = std::move(hook);
  };
  for (const Terms& terms : reach) {
    if (terms.empty()) continue;
    for (const auto& each : terms.front().fields) offer(HookBy(terms, each.key, true));
    for (const auto& each : terms.front().labels) offer(HookBy(terms, each.key, false));
  }
  return best ? *std::move(best) : Hook{.key = {}, .values = {""}};
}

std::size_t PlacesOf(const Hook& hook) {
  return hook.key.empty() ? std::numeric_limits<std::size_t>::max() : hook.values.size();
}

bool OneHolds(const Terms& terms, const NodeTable& nodes, NodeId n) {
  return objects::Matches(terms, nodes.labels(n), nodes.name(n));
}

}  // namespace

// What there is ---------------------------------------------------------------------------------

void VolumeSupply::Upsert(const VolumeChange& change) {
  const auto [at, added] = by_name_.try_emplace(change.name, VolumeId());
  if (added) {
    if (unused_.empty()) {
      unused_.emplace_back(rows_.size());
      rows_.emplace_back();
    }
    at->second = unused_.back();
    unused_.pop_back();
    rows_[at->second.value()].name = change.name;
  }
  const VolumeId v = at->second;
  Row& row = rows_[v.value()];
  if (row.there && row.takers == 0) SetFree(v, false);
  row.change = change;
  row.there = true;
  if (row.takers == 0) SetFree(v, true);
  ++version_;
}

void VolumeSupply::Remove(std::string_view name) {
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return;
  const VolumeId v = at->second;
  Row& row = rows_[v.value()];
  if (row.takers == 0) SetFree(v, false);
  row.there = false;
  by_name_.erase(at);
  if (row.takers == 0) unused_.push_back(v);
  ++version_;
}

void VolumeSupply::SetFree(VolumeId v, bool free) {
  const Row& row = rows_[v.value()];
  const Hook hook = HookOf(row.change.reach);
  const Entry entry{
      .bytes = row.change.bytes, .places = PlacesOf(hook), .name = row.name, .volume = v};
  for (const std::uint64_t wish : row.change.wishes) {
    Pool& pool = free_[wish];
    auto& by_value = pool[hook.key];
    for (const std::string& value : hook.values) {
      if (free) {
        by_value[value].insert(entry);
        continue;
      }
      const auto entries = by_value.find(value);
      entries->second.erase(entry);
      if (entries->second.empty()) by_value.erase(entries);
    }
    if (by_value.empty()) pool.erase(hook.key);
    if (pool.empty()) free_.erase(wish);
  }
}

// What can be had -------------------------------------------------------------------------------

bool VolumeSupply::Reaches(VolumeId v, NodeId n) const {
  const std::vector<Terms>& reach = rows_[v.value()].change.reach;
  return std::all_of(reach.begin(), reach.end(),
                     [&](const Terms& terms) { return OneHolds(terms, nodes_, n); });
}

template <typename Look>
void VolumeSupply::ForEachFree(std::uint64_t wish, NodeId n, Look look) const {
  const auto pool = free_.find(wish);
  if (pool == free_.end()) return;
  struct Range {
    Entries::const_iterator at, end;
  };
  std::vector<Range> ranges;
  for (const auto& [key, by_value] : pool->second) {
    const std::string* value = nullptr;
    static const std::string kNone;
    if (key.empty()) {
      value = &kNone;
    } else if (key == kByName) {
      value = &nodes_.name(n);
    } else {
      value = objects::FindLabel(nodes_.labels(n), key);
    }
    if (value == nullptr) continue;
    const auto entries = by_value.find(*value);
    if (entries != by_value.end()) {
      ranges.push_back({entries->second.begin(), entries->second.end()});
    }
  }
  while (!ranges.empty()) {
    const auto least = std::min_element(
        ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return *a.at < *b.at; });
    const Entry& entry = *least->at;
    if (++least->at == least->end) ranges.erase(least);
    if (Reaches(entry.volume, n) && look(entry)) return;
  }
}

VolumeId VolumeSupply::First(const objects::VolumeWish& wish, NodeId n,
                             const std::vector<VolumeId>& besides) const {
  VolumeId first;
  if (wish.in_making) return first;
  ForEachFree(wish.number, n, [&](const Entry& entry) {
    if (std::find(besides.begin(), besides.end(), entry.volume) != besides.end()) return false;
    first = entry.volume;
    return true;
  });
  return first;
}

const objects::VolumeWish::Storage* VolumeSupply::StorageFor(const objects::VolumeWish& wish,
                                                             NodeId n,
                                                             const StorageTaken* besides) const {
  const auto of = [](const StorageTaken& taken, const std::string& name) {
    const auto found = taken.find(name);
    return found == taken.end() ? std::int64_t{0} : found->second;
  };
  for (const objects::VolumeWish::Storage& each : wish.storage) {
    if (wish.bytes > each.largest || !objects::Matches(each.nodes, nodes_.labels(n))) continue;
    if (wish.in_making) return &each;
    const std::int64_t taken =
        of(storage_taken_, each.name) + (besides == nullptr ? 0 : of(*besides, each.name));
    if (wish.bytes <= each.capacity - taken) return &each;
  }
  return nullptr;
}

bool VolumeSupply::MayBeMade(const objects::VolumeWish& wish, NodeId n,
                             StorageTaken* besides) const {
  if (!wish.may_be_made) return false;
  if (!wish.made_where.empty() && !OneHolds(wish.made_where, nodes_, n)) return false;
  if (!wish.by_storage || wish.in_making) return true;
  const objects::VolumeWish::Storage* storage = StorageFor(wish, n, besides);
  if (storage != nullptr && besides != nullptr) (*besides)[storage->name] += wish.bytes;
  return storage != nullptr;
}

std::string VolumeSupply::TakeStorage(const objects::VolumeWish& wish, NodeId n) {
  if (!wish.by_storage) return {};
  const objects::VolumeWish::Storage* storage = StorageFor(wish, n, nullptr);
  if (storage == nullptr) return {};
  storage_taken_[storage->name] += wish.bytes;
  return storage->name;
}

void VolumeSupply::GiveStorage(const std::string& name, std::int64_t bytes) {
  if (name.empty()) return;
  const auto taken = storage_taken_.find(name);
  DCHECK(taken != storage_taken_.end() && taken->second >= bytes);
  taken->second -= bytes;
  if (taken->second == 0) storage_taken_.erase(taken);
}

bool VolumeSupply::Suffices(const Wishes& wishes, NodeId n) const {
  std::vector<VolumeId> picked;
  StorageTaken besides;
  for (const objects::VolumeWishPtr& wish : wishes) {
    if (!wish->shared_claim.empty()) {
      const auto shared = shared_.find(wish->shared_claim);
      if (shared != shared_.end()) {
        const VolumeId v = shared->second.volume;
        if (v.valid() ? Reaches(v, n) : IsReachedWhereMade(*wish, shared->second.storage, n)) {
          continue;
        }
        return false;
      }
    }
    const VolumeId v = First(*wish, n, picked);
    if (v.valid()) {
      picked.push_back(v);
    } else if (!MayBeMade(*wish, n, &besides)) {
      return false;
    }
  }
  return true;
}

// A volume that is made of that storage can be had there.
bool VolumeSupply::IsReachedWhereMade(const objects::VolumeWish& wish, const std::string& storage,
                                      NodeId n) const {
  if (!wish.made_where.empty() && !OneHolds(wish.made_where, nodes_, n)) return false;
  const auto of = std::find_if(wish.storage.begin(), wish.storage.end(),
                               [&](const auto& each) { return each.name == storage; });
  return of == wish.storage.end() || objects::Matches(of->nodes, nodes_.labels(n));
}

// So many volumes of the size may be made for the node, were no others made.
std::int64_t VolumeSupply::MostMade(const objects::VolumeWish& wish, NodeId n,
                                    std::int64_t most) const {
  if (!MayBeMade(wish, n)) return 0;
  if (!wish.by_storage || wish.in_making || wish.bytes == 0) return most;
  std::int64_t made = 0;
  for (const objects::VolumeWish::Storage& each : wish.storage) {
    if (wish.bytes > each.largest || !objects::Matches(each.nodes, nodes_.labels(n))) continue;
    const auto taken = storage_taken_.find(each.name);
    const std::int64_t left = each.capacity - (taken == storage_taken_.end() ? 0 : taken->second);
    made += std::max<std::int64_t>(0, left) / wish.bytes;
  }
  return std::min(most, made);
}

std::int64_t VolumeSupply::MostOn(const Wishes& wishes, NodeId n, std::int64_t most) const {
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const objects::VolumeWish& wish = *wishes[i];
    if (!wish.shared_claim.empty()) continue;
    std::int64_t each = 0;  // that one pod takes
    for (const objects::VolumeWishPtr& other : wishes) each += other->number == wish.number;
    std::int64_t found = MostMade(wish, n, most * each);
    if (found >= most * each) continue;
    ForEachFree(wish.number, n, [&](const Entry&) { return ++found >= most * each; });
    most = std::min(most, found / each);
  }
  return most;
}

// Who has what ----------------------------------------------------------------------------------

void VolumeSupply::TakeOne(VolumeId v) {
  Row& row = rows_[v.value()];
  if (row.takers++ == 0 && row.there) SetFree(v, false);
}

void VolumeSupply::GiveOne(VolumeId v) {
  Row& row = rows_[v.value()];
  DCHECK(row.takers > 0);
  if (--row.takers > 0) return;
  if (row.there) {
    SetFree(v, true);
  } else {
    unused_.push_back(v);
  }
}

bool VolumeSupply::IsFreeFor(VolumeId v, const objects::VolumeWish& wish, NodeId n) const {
  if (!v.valid()) return false;
  return rows_[v.value()].takers == 0 && Serves(v, wish, n);
}

bool VolumeSupply::Serves(VolumeId v, const objects::VolumeWish& wish, NodeId n) const {
  const Row& row = rows_[v.value()];
  return row.there && Reaches(v, n) &&
         std::binary_search(row.change.wishes.begin(), row.change.wishes.end(), wish.number);
}

// Of storage that suffices, for itself and all others.
bool VolumeSupply::IsMadeThere(PodId p, std::size_t i, const objects::VolumeWish& wish,
                               NodeId n) const {
  const auto shared = shared_.find(wish.shared_claim);
  const auto own = storage_of_.find(p.value());
  const std::string none;
  const std::string& name = shared != shared_.end()    ? shared->second.storage
                            : own != storage_of_.end() ? own->second[i]
                                                       : none;
  if (!IsReachedWhereMade(wish, name, n)) return false;
  if (!wish.by_storage || wish.in_making) return true;
  const auto of = std::find_if(wish.storage.begin(), wish.storage.end(),
                               [&](const auto& each) { return each.name == name; });
  return of != wish.storage.end() && wish.bytes <= of->largest &&
         storage_taken_.find(name)->second <= of->capacity;
}

bool VolumeSupply::IsServed(PodId p, const Wishes& wishes, NodeId n) const {
  const std::vector<VolumeId> taken = Of(p);
  if (taken.size() != wishes.size()) return false;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const objects::VolumeWish& wish = *wishes[i];
    const bool served = taken[i].valid() ? Serves(taken[i], wish, n)
                                         : wish.may_be_made && IsMadeThere(p, i, wish, n);
    if (!served) return false;
  }
  return true;
}

void VolumeSupply::Take(PodId p, const Wishes& wishes, NodeId n) {
  if (wishes.empty()) return;
  std::vector<VolumeId>& taken = taken_[p.value()];
  DCHECK(taken.empty());
  const auto kept = kept_.find(p.value());
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const objects::VolumeWish& wish = *wishes[i];
    Shared* shared =
        wish.shared_claim.empty() ? nullptr : &shared_.try_emplace(wish.shared_claim).first->second;
    VolumeId v;
    if (shared != nullptr && shared->pods > 0) {
      v = shared->volume;
    } else {
      const bool again =
          kept != kept_.end() && i < kept->second.size() && IsFreeFor(kept->second[i], wish, n);
      v = again ? kept->second[i] : First(wish, n, {});
    }
    if (v.valid()) TakeOne(v);
    const bool made = !v.valid() && wish.by_storage;
    if (shared != nullptr) {
      if (made && shared->pods == 0) shared->storage = TakeStorage(wish, n);
      shared->volume = v;
      ++shared->pods;
    } else if (made) {
      std::vector<std::string>& storage = storage_of_[p.value()];
      storage.resize(wishes.size());
      storage[i] = TakeStorage(wish, n);
    }
    taken.push_back(v);
  }
  ++version_;
}

void VolumeSupply::Give(PodId p, const Wishes& wishes) {
  if (wishes.empty()) return;
  const auto at = taken_.find(p.value());
  DCHECK(at != taken_.end() && at->second.size() == wishes.size());
  for (std::size_t i = wishes.size(); i-- > 0;) {
    if (at->second[i].valid()) GiveOne(at->second[i]);
    if (wishes[i]->shared_claim.empty()) continue;
    const auto shared = shared_.find(wishes[i]->shared_claim);
    if (--shared->second.pods > 0) continue;
    GiveStorage(shared->second.storage, wishes[i]->bytes);
    shared_.erase(shared);
  }
  taken_.erase(at);
  if (const auto own = storage_of_.find(p.value()); own != storage_of_.end()) {
    for (std::size_t i = 0; i < wishes.size(); ++i) GiveStorage(own->second[i], wishes[i]->bytes);
    storage_of_.erase(own);
  }
  ++version_;
}

void VolumeSupply::Keep(PodId p) {
  const auto at = taken_.find(p.value());
  if (at != taken_.end()) kept_[p.value()] = at->second;
}

void VolumeSupply::SetClaims(PodId p, const std::vector<ClaimToBind>* claims) {
  if (claims != nullptr) {
    claims_.insert_or_assign(p.value(), *claims);
  } else if (!claims_.empty()) {
    claims_.erase(p.value());
    kept_.erase(p.value());
  }
}

std::vector<ClaimToBind> VolumeSupply::ClaimsOf(PodId p, const Wishes& wishes) const {
  const auto at = claims_.find(p.value());
  if (at == claims_.end()) return {};
  std::vector<ClaimToBind> claims = at->second;
  const std::vector<VolumeId> taken = Of(p);
  std::vector<bool> given(taken.size(), false);
  for (ClaimToBind& each : claims) {
    for (std::size_t i = 0; i < taken.size() && i < wishes.size() && each.wish != nullptr; ++i) {
      if (given[i] || *wishes[i] != *each.wish) continue;
      given[i] = true;
      if (taken[i].valid()) each.volume = NameOf(taken[i]);
      break;
    }
  }
  return claims;
}

std::vector<VolumeId> VolumeSupply::Of(PodId p) const {
  const auto at = taken_.find(p.value());
  return at == taken_.end() ? std::vector<VolumeId>() : at->second;
}

}  // namespace fairlead::state
