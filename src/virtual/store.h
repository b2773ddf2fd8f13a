#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <boost/container/stable_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "base/time.h"
#include "objects/objects.h"
#include "virtual/slot.h"

namespace fairlead::virtual_cluster {

struct Ownership;  // virtual/ownership.h

// The kind of an object is its place in objects::Object; that of a JobObject a number behind all
// these, one for each row, that of a PodGroup one behind those, one for each system, and that of
// another system's Topology one behind those.
template <typename T, typename... Kinds>
constexpr std::size_t IndexAmong(const std::variant<Kinds...>* /*all*/) {
  std::size_t index = 0;
  (void)((std::is_same_v<T, Kinds> || (++index, false)) || ...);
  return index;
}
template <typename T>
constexpr std::size_t KindIndexOf() {
  return IndexAmong<T>(static_cast<const objects::Object*>(nullptr));
}

std::size_t KindNumberOf(const objects::Object& object);
bool IsJobObject(std::size_t kind);
// By the name that objects::QualifiedKindOf gives; absent for a name that is none.
std::optional<std::size_t> FindKind(std::string_view kind);
// The same, by the name that objects::KindOf gives too: several PodGroups, or Topologies, have
// one. Empty: none.
std::vector<std::size_t> KindsNamed(std::string_view kind);
// In the order of objects::Object.
std::vector<std::size_t> AllKinds();

// One object and what the fake kubelet and the controllers keep beside it.
struct Entry {
  objects::Object object;
  std::string key;            // "namespace/name", or "name"
  std::uint64_t version = 0;  // of the store, when it last changed
  std::uint32_t generation = 0;
  bool stored = false;       // it is there: found by its key
  bool dirty = false;        // intake is still to be told …
  bool status_only = false;  // … of a pod's status and node, and of nothing else
  bool arrives_later = false;
  bool sync_wanted = false;  // its controller is to look at it
  // Intake is not told of it: it says nothing that its pods do not say themselves (silent_job.h).
  bool silent = false;

  // Of a pod:
  SlotId owner;              // its controller's object; invalid: none that is there
  std::int32_t pod_set = 0;  // of its owner, as `ordinal`
  std::int32_t ordinal = -1;
  std::optional<Duration> run_duration;  // of which so much was done by those in whose place it is
  Duration done;

  // Of a Job, DaemonSet or Workload that is there:
  std::unique_ptr<Ownership> owned;

  Entry();
  ~Entry();
  Entry(Entry&&) = delete;

  objects::Pod& pod() { return std::get<objects::Pod>(object); }
  const objects::Pod& pod() const { return std::get<objects::Pod>(object); }
  objects::Meta& meta() { return objects::MetaOf(object); }
  const objects::Meta& meta() const { return objects::MetaOf(object); }
  std::size_t kind() const { return KindNumberOf(object); }
};

// A versioned object store in the API server's place. It remembers which objects intake has not
// been told of, so that ten changes at one instant are told once.
//
// Invariants: of all entries with `stored` no two have kind and key in common; entries do not move.
// A slot's generation changes when its object leaves, so that whoever kept the slot can tell.
class Store {
 public:
  Store();

  // Takes an object in without showing it.
  SlotId Add(objects::Object&& object);
  // Shows it. REQUIRES: nothing of its kind and key is stored.
  void Insert(SlotId slot);
  // Takes it out of sight; intake will be told. Its slot is used again after Flush.
  // REQUIRES: it is stored.
  void Erase(SlotId slot);
  // Drops one that was never shown.
  void Discard(SlotId slot);

  Entry& operator[](SlotId slot) { return entries_[slot.value()]; }
  const Entry& operator[](SlotId slot) const { return entries_[slot.value()]; }
  bool Holds(SlotId slot, std::uint32_t generation) const {
    return entries_[slot.value()].generation == generation;
  }

  SlotId Find(std::size_t kind, std::string_view key) const;
  // Whether any object that is no pod is stored under the key.
  bool IsNamed(std::string_view key) const;
  // Stored ones, by namespace, then name; of these, those that `keep` holds for.
  std::vector<SlotId> Sorted(std::size_t kind) const;
  template <typename Predicate>
  std::vector<SlotId> SortedIf(std::size_t kind, Predicate keep) const {
    std::vector<SlotId> slots;
    if (kind >= by_key_.size()) return slots;
    for (const auto& [key, slot] : by_key_[kind]) {
      if (keep((*this)[slot])) slots.push_back(slot);
    }
    SortByName(slots);
    return slots;
  }
  // All that are still to arrive, in no order that matters.
  std::vector<SlotId> Coming() const;

  // Every change of a stored object is followed by one of these: the second where no more changed
  // than the status of a pod, and its node.
  void Changed(SlotId slot);
  void StatusChanged(SlotId slot);

  // Tells what changed since the last call, but for those that are silent. Returns whether anything
  // had.
  enum class News : std::uint8_t { kChanged, kStatusOnly, kGone };
  bool Flush(const std::function<void(const objects::Object&, News)>& tell);
  bool dirty() const { return !changed_.empty() || !erased_.empty(); }

  std::uint64_t version() const { return version_; }

 private:
  void Recycle(SlotId slot);
  void SortByName(std::vector<SlotId>& slots) const;

  using Index =
      boost::unordered_flat_map<std::string_view, SlotId, NameHash>;  // keys point into entries

  boost::container::stable_vector<Entry> entries_;
  std::vector<SlotId> unused_;
  std::vector<Index> by_key_;  // by kind; one that is not there yet has no objects
  std::vector<SlotId> changed_, erased_;
  std::uint64_t version_ = 0;
};

}  // namespace fairlead::virtual_cluster
