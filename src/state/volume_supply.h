#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "state/change.h"
#include "state/ids.h"
#include "state/nodes.h"

namespace fairlead::state {

// Volumes that are nobody's yet, and which of them pods that are placed have taken for their
// claims. Placing takes them and leaving gives them back (Sums::Occupy, Vacate), so that a Trial
// undoes it as it undoes room.
//
// - For each wish, the smaller first, the smallest volume that serves it and can be had on the
//   node; of equal ones that which can be had in the fewest places, then the first by name. Where
//   none is left and one may be made, one is made.
// - A claim that several pods name has one volume, which all of them must be able to have.
// - What was told of a pod (Keep) it gets again wherever it can.
//
// Cost: a few look-ups a wish, however many volumes there are; memory what is there and taken.
class VolumeSupply {
 public:
  using Wishes = std::vector<objects::VolumeWishPtr>;
  explicit VolumeSupply(const NodeTable& nodes) : nodes_(nodes) {}

  void Upsert(const VolumeChange& change);
  void Remove(std::string_view name);

  // Whether one more pod with these wishes can have its volumes on the node.
  bool Suffices(const Wishes& wishes, NodeId n) const;
  // How many such pods can, at most `most` of them. A bound where the wishes differ.
  std::int64_t MostOn(const Wishes& wishes, NodeId n, std::int64_t most) const;

  // The pod comes to stand there, or leaves. Who takes what is not there has none of it.
  void Take(PodId p, const Wishes& wishes, NodeId n);
  void Give(PodId p, const Wishes& wishes);
  // What was taken for it was told: it takes that again, as long as it has claims to be bound.
  void Keep(PodId p);

  // Claims that are to be bound for its node; null: none.
  void SetClaims(PodId p, const std::vector<ClaimToBind>* claims);
  // The same with what was taken for them, where it is placed. `wishes`: of its shape.
  std::vector<ClaimToBind> ClaimsOf(PodId p, const Wishes& wishes) const;
  bool any_taken() const { return !taken_.empty(); }
  // What it has taken, a volume a wish; invalid: one is made. Empty: it is not placed.
  std::vector<VolumeId> Of(PodId p) const;
  // Whether what it has taken serves its wishes there.
  bool IsServed(PodId p, const Wishes& wishes, NodeId n) const;
  const std::string& NameOf(VolumeId v) const { return rows_[v.value()].name; }
  // Another number: something was taken or given, came or went. Never 0.
  std::uint64_t version() const { return version_; }

 private:
  struct Row {
    std::string name;
    VolumeChange change;
    bool there = false;
    std::int32_t takers = 0;  // pods: several of a shared claim
  };
  // A volume among those that serve a wish: in the order in which they are taken.
  struct Entry {
    std::int64_t bytes = 0;
    std::size_t places = 0;  // values of the label that it hangs on
    std::string_view name;
    VolumeId volume;
    auto Order() const { return std::tie(bytes, places, name); }
    bool operator<(const Entry& other) const { return Order() < other.Order(); }
  };
  using Entries = std::set<Entry>;
  // By a label, or a name, that a node must have to have them, and by its value.
  using Pool = std::map<std::string, std::map<std::string, Entries, std::less<>>>;
  // A claim that several pods name, as long as one of them is placed.
  struct Shared {
    VolumeId volume;  // invalid: one is made
    std::int32_t pods = 0;
    std::string storage;  // of which one is made
  };

  void SetFree(VolumeId v, bool free);
  bool Reaches(VolumeId v, NodeId n) const;
  // Calls `look(entry)` for those that serve the wish on the node and are free, in their order,
  // until it returns true.
  template <typename Look>
  void ForEachFree(std::uint64_t wish, NodeId n, Look look) const;
  VolumeId First(const objects::VolumeWish& wish, NodeId n,
                 const std::vector<VolumeId>& besides) const;
  // `besides`: what the same pod's other volumes take of storage.
  using StorageTaken = std::map<std::string, std::int64_t, std::less<>>;
  bool MayBeMade(const objects::VolumeWish& wish, NodeId n, StorageTaken* besides = nullptr) const;
  // The storage that one for the node would be made of; null: none.
  const objects::VolumeWish::Storage* StorageFor(const objects::VolumeWish& wish, NodeId n,
                                                 const StorageTaken* besides) const;
  bool IsReachedWhereMade(const objects::VolumeWish& wish, const std::string& storage,
                          NodeId n) const;
  bool IsMadeThere(PodId p, std::size_t i, const objects::VolumeWish& wish, NodeId n) const;
  std::int64_t MostMade(const objects::VolumeWish& wish, NodeId n, std::int64_t most) const;
  std::string TakeStorage(const objects::VolumeWish& wish, NodeId n);
  void GiveStorage(const std::string& name, std::int64_t bytes);
  bool Serves(VolumeId v, const objects::VolumeWish& wish, NodeId n) const;
  bool IsFreeFor(VolumeId v, const objects::VolumeWish& wish, NodeId n) const;
  void TakeOne(VolumeId v);
  void GiveOne(VolumeId v);

  const NodeTable& nodes_;
  std::deque<Row> rows_;  // entries name them
  std::vector<VolumeId> unused_;
  NameMap<VolumeId> by_name_;
  boost::unordered_flat_map<std::uint64_t, Pool> free_;                           // by wish
  boost::unordered_flat_map<std::uint32_t, std::vector<VolumeId>> taken_, kept_;  // by pod
  boost::unordered_flat_map<std::uint32_t, std::vector<ClaimToBind>> claims_;     // by pod
  NameMap<Shared> shared_;                                                        // by claim
  StorageTaken storage_taken_;                                                    // bytes, by name
  // By pod: the storage that each of its wishes takes; empty: none.
  boost::unordered_flat_map<std::uint32_t, std::vector<std::string>> storage_of_;
  std::uint64_t version_ = 1;
};

}  // namespace fairlead::state
