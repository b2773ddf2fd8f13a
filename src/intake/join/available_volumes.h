#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "objects/volumes.h"
#include "state/change.h"

namespace fairlead::intake {

// PersistentVolumes that are nobody's yet, and which of the claims that are not bound they would
// serve: what claims ask is one row, however many claims ask it.
//
// Cost: a volume that comes or goes looks at all that is asked of its class; what is asked for the
// first time, at all volumes of its class.
class AvailableVolumes {
 public:
  explicit AvailableVolumes(Marks& marks) : marks_(marks) {}

  void Upsert(const objects::PersistentVolume& volume,
              const std::vector<std::vector<objects::NodeSelectorTerm>>& reach);
  void Remove(std::string_view name);

  // A claim asks it, or does no more. The answer is a number for Serves.
  std::uint64_t Ask(const objects::VolumeAsk& ask, const std::string& claim);
  void Drop(std::uint64_t number, const std::string& claim);
  // Whether some volume would do.
  bool Serves(std::uint64_t number) const;
  // Equal ones share one pointer. REQUIRES: somebody asks its number.
  objects::VolumeWishPtr Intern(objects::VolumeWish wish) const;

  // Claims for which the answer of Serves has changed since the last call.
  std::set<std::string> TakeMoved();
  bool HasMoved() const { return !moved_.empty(); }
  // What the engine has to be told, by name.
  void Take(std::vector<state::Change>& out);

 private:
  // What is asked no more stays until there are so many of it: it may be asked again.
  static constexpr std::size_t kMostUnused = 16;
  struct AskRow {
    std::string key;
    objects::VolumeAsk ask;
    std::set<std::string> claims;
    std::int64_t volumes = 0;  // that would do
    // By shared_claim and in_making.
    mutable std::map<std::pair<std::string, bool>, objects::VolumeWishPtr> wishes;
  };
  struct Row {
    objects::PersistentVolume volume;
    std::vector<std::vector<objects::NodeSelectorTerm>> reach;
    std::set<std::uint64_t> serves;
    bool given = false;
  };
  using Asks = std::map<std::uint64_t, AskRow>;

  void Count(AskRow& row, std::int64_t by);
  void Forget(Row& row);
  void DropUnused();

  Marks& marks_;
  Asks asks_;  // by number
  std::map<std::string, std::set<std::uint64_t>, std::less<>> asks_of_class_;
  std::size_t unused_ = 0;
  Tables::ByName<Row> volumes_;
  Tables::ByName<std::set<std::string>> volumes_of_class_;
  std::set<std::string> moved_;  // claims
  std::set<std::string> dirty_;  // volumes
};

}  // namespace fairlead::intake
