#include "intake/join/available_volumes.h"

#include <utility>

#include "base/check.h"
#include "base/digest.h"
#include "objects/shape_key.h"

// Worked: c1 and c2 ask 10Gi of class local, c3 asks 50Gi. These are two rows. The volume v (20Gi,
// local) comes: it serves the first, whose number of volumes goes from none to one, so c1 and c2
// are joined anew, with a wish of that number. The engine is told v with that number, and takes it
// for the first of the two that is placed. In the cluster v then names its claim: it is nobody's no
// more, and goes.

namespace fairlead::intake {

void AvailableVolumes::Count(AskRow& row, std::int64_t by) {
  const bool served = row.volumes > 0;
  row.volumes += by;
  if (served != (row.volumes > 0)) moved_.insert(row.claims.begin(), row.claims.end());
}

void AvailableVolumes::Upsert(const objects::PersistentVolume& volume,
                              const std::vector<std::vector<objects::NodeSelectorTerm>>& reach) {
  const std::string& name = volume.meta.name;
  const auto at = volumes_.try_emplace(name).first;
  Row& row = at->second;
  Forget(row);
  row.volume = volume;
  row.reach = reach;
  volumes_of_class_[volume.storage_class].insert(name);
  if (const auto asked = asks_of_class_.find(volume.storage_class); asked != asks_of_class_.end()) {
    for (const std::uint64_t number : asked->second) {
      AskRow& ask = asks_.at(number);
      if (!objects::MayBeTaken(ask.ask, volume)) continue;
      row.serves.insert(number);
      Count(ask, +1);
    }
  }
  if (row.given || !row.serves.empty()) dirty_.insert(name);
}

// It serves nobody, until it is judged anew.
void AvailableVolumes::Forget(Row& row) {
  for (const std::uint64_t number : row.serves) Count(asks_.at(number), -1);
  row.serves.clear();
  const auto of_class = volumes_of_class_.find(row.volume.storage_class);
  if (of_class == volumes_of_class_.end()) return;
  of_class->second.erase(row.volume.meta.name);
  if (of_class->second.empty()) volumes_of_class_.erase(of_class);
}

void AvailableVolumes::Remove(std::string_view name) {
  const auto at = volumes_.find(name);
  if (at == volumes_.end()) return;
  Forget(at->second);
  dirty_.erase(at->first);
  if (at->second.given) marks_.Removed(state::RowKind::kVolume, name);
  volumes_.erase(at);
}

std::uint64_t AvailableVolumes::Ask(const objects::VolumeAsk& ask, const std::string& claim) {
  std::string key = objects::CanonicalKey(ask);
  Digest digest;
  digest.Add(key);
  std::uint64_t number = digest.value();
  // Two that share a number would share volumes.
  while (asks_.contains(number) && asks_.at(number).key != key) ++number;
  const auto [at, added] = asks_.try_emplace(number);
  AskRow& row = at->second;
  if (added) {
    row.key = std::move(key);
    row.ask = ask;
    asks_of_class_[ask.storage_class].insert(number);
    if (const auto there = volumes_of_class_.find(ask.storage_class);
        there != volumes_of_class_.end()) {
      for (const std::string& name : there->second) {
        Row& volume = volumes_.find(name)->second;
        if (!objects::MayBeTaken(ask, volume.volume)) continue;
        volume.serves.insert(number);
        ++row.volumes;
        dirty_.insert(name);
      }
    }
  } else if (row.claims.empty()) {
    --unused_;
  }
  row.claims.insert(claim);
  return number;
}

void AvailableVolumes::Drop(std::uint64_t number, const std::string& claim) {
  AskRow& row = asks_.at(number);
  row.claims.erase(claim);
  row.wishes.erase({claim, false});
  row.wishes.erase({claim, true});
  if (row.claims.empty() && ++unused_ > kMostUnused) DropUnused();
}

void AvailableVolumes::DropUnused() {
  for (auto at = asks_.begin(); at != asks_.end();) {
    AskRow& row = at->second;
    if (!row.claims.empty()) {
      ++at;
      continue;
    }
    const std::uint64_t number = at->first;
    if (const auto there = volumes_of_class_.find(row.ask.storage_class);
        there != volumes_of_class_.end()) {
      for (const std::string& name : there->second) {
        if (volumes_.find(name)->second.serves.erase(number) > 0) dirty_.insert(name);
      }
    }
    const auto of_class = asks_of_class_.find(row.ask.storage_class);
    of_class->second.erase(number);
    if (of_class->second.empty()) asks_of_class_.erase(of_class);
    at = asks_.erase(at);
  }
  unused_ = 0;
}

bool AvailableVolumes::Serves(std::uint64_t number) const { return asks_.at(number).volumes > 0; }

objects::VolumeWishPtr AvailableVolumes::Intern(objects::VolumeWish wish) const {
  const AskRow& row = asks_.at(wish.number);
  objects::VolumeWishPtr& held = row.wishes[{wish.shared_claim, wish.in_making}];
  if (held == nullptr || !(*held == wish)) {
    held = std::make_shared<const objects::VolumeWish>(std::move(wish));
  }
  return held;
}

std::set<std::string> AvailableVolumes::TakeMoved() { return std::exchange(moved_, {}); }

void AvailableVolumes::Take(std::vector<state::Change>& out) {
  if (dirty_.empty()) return;
  for (const std::string& name : std::exchange(dirty_, {})) {
    Row& row = volumes_.find(name)->second;
    if (row.serves.empty()) {
      if (row.given) marks_.Removed(state::RowKind::kVolume, name);
      row.given = false;
      continue;
    }
    row.given = true;
    out.emplace_back(state::VolumeChange{.name = name,
                                         .bytes = row.volume.bytes,
                                         .wishes = {row.serves.begin(), row.serves.end()},
                                         .reach = row.reach});
  }
}

}  // namespace fairlead::intake
