#include "virtual/store.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/check.h"
#include "virtual/ownership.h"

namespace fairlead::virtual_cluster {
namespace {

constexpr std::size_t kPlaces = std::variant_size_v<objects::Object>;

std::size_t KindOfGroup(objects::GroupApi api) {
  return kPlaces + objects::JobRows().size() + static_cast<std::size_t>(api);
}

// By its place among the rows: the first is ours, and has its place in objects::Object.
std::size_t KindOfTopology(std::size_t row) {
  return row == 0 ? KindIndexOf<objects::Topology>()
                  : KindOfGroup(objects::GroupApi::kKueuePods) + row;
}
std::size_t KindOfTopology(const objects::TopologyRow& row) {
  return KindOfTopology(static_cast<std::size_t>(&row - objects::TopologyRows().data()));
}

}  // namespace

std::size_t KindNumberOf(const objects::Object& object) {
  if (const auto* group = std::get_if<objects::PodGroup>(&object)) return KindOfGroup(group->api);
  if (const auto* topology = std::get_if<objects::Topology>(&object)) {
    return KindOfTopology(objects::RowOf(*topology));
  }
  const auto* job = std::get_if<objects::JobObject>(&object);
  return job == nullptr ? object.index() : kPlaces + job->row->number;
}

bool IsJobObject(std::size_t kind) {
  return kind >= kPlaces && kind < kPlaces + objects::JobRows().size();
}

std::optional<std::size_t> FindKind(std::string_view kind) {
  const objects::JobRow* row = objects::FindJobRow(kind);
  if (row != nullptr && row->is_generic()) return kPlaces + row->number;
  if (const objects::GroupRow* group = objects::FindGroupRowOfKind(kind)) {
    return KindOfGroup(group->api);
  }
  for (const objects::TopologyRow& topology : objects::TopologyRows()) {
    if (!kind.empty() && topology.dialect_kind == kind) return KindOfTopology(topology);
  }
  const std::span<const std::string_view> names = objects::KindNames();
  const auto found = std::ranges::find(names, kind);
  if (kind.empty() || found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::size_t> KindsNamed(std::string_view kind) {
  std::vector<std::size_t> kinds;
  if (kind == objects::kPodGroup) {
    for (const objects::GroupRow& row : objects::GroupRows()) {
      if (!row.group.empty()) kinds.push_back(KindOfGroup(row.api));
    }
  } else if (kind == objects::kTopology) {
    for (const objects::TopologyRow& row : objects::TopologyRows()) {
      kinds.push_back(KindOfTopology(row));
    }
  } else if (const std::optional<std::size_t> found = FindKind(kind)) {
    kinds.push_back(*found);
  }
  return kinds;
}

std::vector<std::size_t> AllKinds() {
  std::vector<std::size_t> kinds;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (place == KindIndexOf<objects::PodGroup>() || place == KindIndexOf<objects::Topology>()) {
      const std::vector<std::size_t> of_name = KindsNamed(objects::KindNames()[place]);
      kinds.insert(kinds.end(), of_name.begin(), of_name.end());
      continue;
    }
    if (place != KindIndexOf<objects::JobObject>()) {
      kinds.push_back(place);
      continue;
    }
    for (const objects::JobRow& row : objects::JobRows()) {
      if (row.is_generic()) kinds.push_back(kPlaces + row.number);
    }
  }
  return kinds;
}

Entry::Entry() = default;
Entry::~Entry() = default;

Store::Store() = default;

SlotId Store::Add(objects::Object&& object) {
  SlotId slot;
  if (unused_.empty()) {
    slot = SlotId(entries_.size());
    entries_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  Entry& entry = entries_[slot.value()];
  entry.object = std::move(object);
  entry.key = entry.meta().Key();
  return slot;
}

void Store::Insert(SlotId slot) {
  Entry& entry = entries_[slot.value()];
  const std::size_t kind = entry.kind();
  if (by_key_.size() <= kind) by_key_.resize(kind + 1);
  const bool is_new = by_key_[kind].emplace(entry.key, slot).second;
  CHECK(is_new);
  entry.stored = true;
  entry.arrives_later = false;
  // As the API server says of it from the beginning.
  if (kind == kPodKind) entry.pod().gates_told |= entry.pod().spec.gated;
  Changed(slot);
}

void Store::Changed(SlotId slot) {
  StatusChanged(slot);
  entries_[slot.value()].status_only = false;
}

void Store::StatusChanged(SlotId slot) {
  Entry& entry = entries_[slot.value()];
  entry.version = ++version_;
  if (entry.dirty) return;
  entry.dirty = entry.status_only = true;
  changed_.push_back(slot);
}

void Store::Erase(SlotId slot) {
  Entry& entry = entries_[slot.value()];
  by_key_[entry.kind()].erase(entry.key);
  entry.stored = false;
  ++entry.generation;
  ++version_;
  erased_.push_back(slot);
}

void Store::Discard(SlotId slot) {
  ++entries_[slot.value()].generation;
  Recycle(slot);
}

void Store::Recycle(SlotId slot) {
  Entry& entry = entries_[slot.value()];
  entry.object = objects::Object();
  entry.arrives_later = false;
  entry.sync_wanted = false;
  entry.silent = false;
  entry.owner = SlotId();
  entry.pod_set = 0;
  entry.ordinal = -1;
  entry.run_duration.reset();
  entry.done = {};
  entry.owned.reset();
  unused_.push_back(slot);
}

SlotId Store::Find(std::size_t kind, std::string_view key) const {
  if (kind >= by_key_.size()) return {};
  const auto found = by_key_[kind].find(key);
  return found == by_key_[kind].end() ? SlotId() : found->second;
}

bool Store::IsNamed(std::string_view key) const {
  for (std::size_t kind = 0; kind < by_key_.size(); ++kind) {
    if (kind == KindIndexOf<objects::Pod>() || by_key_[kind].empty()) continue;
    if (by_key_[kind].contains(key)) return true;
  }
  return false;
}

std::vector<SlotId> Store::Sorted(std::size_t kind) const {
  return SortedIf(kind, [](const Entry&) { return true; });
}

void Store::SortByName(std::vector<SlotId>& slots) const {
  std::sort(slots.begin(), slots.end(), [this](SlotId a, SlotId b) {
    const objects::Meta& left = (*this)[a].meta();
    const objects::Meta& right = (*this)[b].meta();
    const int order = left.name_space.compare(right.name_space);
    return order != 0 ? order < 0 : left.name < right.name;
  });
}

std::vector<SlotId> Store::Coming() const {
  std::vector<SlotId> slots;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].arrives_later) slots.push_back(SlotId(i));
  }
  return slots;
}

bool Store::Flush(const std::function<void(const objects::Object&, News)>& tell) {
  if (!dirty()) return false;
  // Removals first: what left may have been followed by another object of its name.
  for (const SlotId slot : erased_) {
    const Entry& entry = entries_[slot.value()];
    if (!entry.silent) tell(entry.object, News::kGone);
  }
  for (const SlotId slot : changed_) {
    Entry& entry = entries_[slot.value()];
    entry.dirty = false;
    if (!entry.stored || entry.silent) continue;
    tell(entry.object, entry.status_only ? News::kStatusOnly : News::kChanged);
  }
  changed_.clear();
  for (const SlotId slot : erased_) Recycle(slot);
  erased_.clear();
  return true;
}

}  // namespace fairlead::virtual_cluster
